const STEPS: [limit: number, seconds: number, unit: Intl.RelativeTimeFormatUnit][] = [
  [60, 1, 'second'],
  [3600, 60, 'minute'],
  [86_400, 3600, 'hour'],
  [604_800, 86_400, 'day'],
];

/** "now", "5 min. ago", "yesterday"; a date after a week. */
export function relativeTime(at: Date, now: Date, language: string): string {
  // A clock that is a little behind must not say "in 3 seconds".
  const seconds = Math.max(0, (now.getTime() - at.getTime()) / 1000);
  const step = STEPS.find(([limit]) => seconds < limit);
  if (!step) {
    const year = at.getFullYear() === now.getFullYear() ? undefined : 'numeric';
    return at.toLocaleDateString(language, { day: 'numeric', month: 'short', year });
  }
  const [, size, unit] = step;
  const count = unit === 'second' ? 0 : -Math.floor(seconds / size);
  return new Intl.RelativeTimeFormat(language, { style: 'short', numeric: 'auto' }).format(count, unit);
}

/** "Mon 08:00" */
export const dayAndTime = (at: Date, language: string): string =>
  at.toLocaleString(language, { weekday: 'short', hour: 'numeric', minute: '2-digit' });
