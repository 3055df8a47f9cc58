export const PRESETS = ['hourly', 'daily', 'weekdays', 'weekly', 'monthly', 'custom'] as const;
type Preset = (typeof PRESETS)[number];

export const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
type Day = (typeof DAYS)[number];

/** A cron expression as a form shows it. Each preset uses only some of the parts. */
export interface Pattern {
  preset: Preset;
  /** Of each hour. */
  minute: string;
  /** Such as `09:00`. */
  time: string;
  day: Day;
  /** As typed for `custom`. */
  cron: string;
}

export const NEW_PATTERN: Pattern = { preset: 'daily', minute: '0', time: '09:00', day: 'mon', cron: '0 9 * * *' };

export function cronOf({ preset, minute, time, day, cron }: Pattern): string {
  const [hours, minutes] = time.split(':').map(Number);
  const at = `${minutes ?? 0} ${hours ?? 0}`;
  const presets: Record<Preset, string> = {
    hourly: `${Number(minute)} * * * *`,
    daily: `${at} * * *`,
    weekdays: `${at} * * 1-5`,
    weekly: `${at} * * ${day}`,
    monthly: `${at} 1 * *`,
    custom: cron.trim().replaceAll(/\s+/g, ' '),
  };
  return presets[preset];
}

const SIMPLE = /^([0-5]?\d) (\*|1?\d|2[0-3]) (\*|1) \* (\*|1-5|mon-fri|[a-z]{3}|[0-7])$/i;

/** The preset that says the same, or `custom`. */
export function patternOf(cron: string): Pattern {
  const custom: Pattern = { ...NEW_PATTERN, preset: 'custom', cron };
  const [, minute, hour, date, week] = SIMPLE.exec(cron) ?? [];
  if (minute === undefined) return custom;
  if (hour === '*') return date === '*' && week === '*' ? { ...custom, preset: 'hourly', minute } : custom;
  const at = { ...custom, time: `${hour!.padStart(2, '0')}:${minute.padStart(2, '0')}` };
  if (date === '1') return week === '*' ? { ...at, preset: 'monthly' } : custom;
  if (week === '*') return { ...at, preset: 'daily' };
  if (['1-5', 'mon-fri'].includes(week!.toLowerCase())) return { ...at, preset: 'weekdays' };
  const day = /\d/.test(week!) ? DAYS[(Number(week) + 6) % 7] : DAYS.find((name) => name === week!.toLowerCase());
  return day ? { ...at, preset: 'weekly', day } : custom;
}
