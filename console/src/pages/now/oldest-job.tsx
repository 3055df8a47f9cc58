import { text } from '../../text/text';

/** Above it, workers do not keep up. */
export const LATE_S = 30;

export function OldestJob({ seconds, isSomethingWaiting }: { seconds: number | null; isSomethingWaiting: boolean }) {
  const noneHint = isSomethingWaiting ? text.now.oldestNotDueHint : text.now.oldestNoneHint;
  const isLate = seconds !== null && seconds > LATE_S;
  return (
    <section className="card oldest-job">
      <h2>{text.now.oldest}</h2>
      <p className="figure" data-late={isLate || undefined}>
        {seconds === null ? text.now.oldestNone : durationOf(seconds)}
      </p>
      <p className="soft">{seconds === null ? noneHint : text.now.oldestHint}</p>
    </section>
  );
}

/** `0.4 s`, `12 s`, `3 min`, `5 h`. */
export function durationOf(seconds: number): string {
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  if (seconds < 120) return `${Math.round(seconds)} s`;
  return seconds < 7_200 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3_600)} h`;
}
