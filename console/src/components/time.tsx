import { useEffect, useState } from 'react';
import { locale } from '../text/language';

const STEPS: [Intl.RelativeTimeFormatUnit, number][] = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];
const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto', style: 'short' });
const day = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' });
const whole = new Intl.DateTimeFormat(locale, { dateStyle: 'full', timeStyle: 'long' });

function ago(at: Date, now: number): string {
  const seconds = (at.getTime() - now) / 1000;
  if (Math.abs(seconds) > 7 * 86_400) return day.format(at);
  const [unit, length] = STEPS.find(([, step]) => Math.abs(seconds) >= step) ?? ['second', 1];
  return relative.format(Math.round(seconds / length), unit);
}

/** A point in time: `3 min ago`; the exact time on hover. */
export function Time({ at }: { at: string | null | undefined }) {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 10_000);
    return () => clearInterval(timer);
  }, []);
  if (!at) return <span className="soft">–</span>;
  const date = new Date(at);
  return (
    <time dateTime={at} title={whole.format(date)}>
      {ago(date, now)}
    </time>
  );
}
