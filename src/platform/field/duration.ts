const SECONDS = { d: 86_400, h: 3600, m: 60, s: 1 } as const;
export const DURATION = /^[1-9]\d{0,5}[smhd]$/;
export const MAX_DURATION_SECONDS = 7 * SECONDS.d;

/** Seconds of a duration such as `15m`, `2h` or `1d`, or of a number of seconds, or the problem with it. */
export function readDuration(value: unknown, most = MAX_DURATION_SECONDS): { seconds: number } | { problem: string } {
  const seconds =
    typeof value === 'string' && DURATION.test(value)
      ? Number(value.slice(0, -1)) * SECONDS[value.at(-1) as keyof typeof SECONDS]
      : value;
  if (typeof seconds === 'number' && Number.isInteger(seconds) && seconds >= 1 && seconds <= most) return { seconds };
  return { problem: `must be a duration from 1s to ${durationText(most)}, such as 15m, 2h or 1d` };
}

/** The shortest text for a number of seconds: `15m`. */
export function durationText(seconds: number): string {
  const [unit, length] = Object.entries(SECONDS).find(([, each]) => seconds % each === 0)!;
  return `${seconds / length}${unit}`;
}
