import { dayAndTime } from './relative-time.js';

const HOURS = 3;
const MORNING = 8;

/** When a snoozed message may return, by the clock of the user, and in words that browsers know: "in 3 hours", "tomorrow", "next week". */
export function snoozeTimes(now: Date, language: string): [value: string, label: string][] {
  const words = new Intl.RelativeTimeFormat(language, { numeric: 'auto' });
  const morning = (days: number) => new Date(now.getFullYear(), now.getMonth(), now.getDate() + days, MORNING);
  const times: [at: Date, count: number, unit: 'hour' | 'day' | 'week'][] = [
    [new Date(now.getTime() + HOURS * 3_600_000), HOURS, 'hour'],
    [morning(1), 1, 'day'],
    [morning((8 - now.getDay()) % 7 || 7), 1, 'week'],
  ];
  return times.map(([at, count, unit]) => [
    at.toISOString(),
    `${words.format(count, unit)} (${dayAndTime(at, language)})`,
  ]);
}
