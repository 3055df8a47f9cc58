import { Cron } from 'croner';
import { fieldError } from '../../platform/field/error/field-error.js';
import type { FieldError } from '../../platform/field/error/field-error.js';

const FIVE_FIELDS = /^[\w*,/#-]+( +[\w*,/#-]+){4}$/;
const MAX_LENGTH = 100;
const NOT_CRON =
  'must have five fields: minute, hour, day of the month, month, day of the week, such as "0 9 * * mon" for Mondays at 9:00';

/** Two clock changes are handled by the library: a time that is left out runs right after the gap, one that comes twice runs once. */
const open = (cron: string, timeZone: string) => new Cron(cron, { timezone: timeZone, mode: '5-part', paused: true });

/** Returns the problem with a cron expression, or null. */
export function cronProblem(cron: unknown): FieldError | null {
  if (typeof cron !== 'string' || cron.length > MAX_LENGTH || !FIVE_FIELDS.test(cron))
    return fieldError('invalid_format', NOT_CRON);
  try {
    if (open(cron, 'UTC').nextRun()) return null;
  } catch (error) {
    const reason = (error as Error).message.replace(/^\w+: /, '');
    return fieldError('invalid_format', `${NOT_CRON}: ${reason.charAt(0).toLowerCase()}${reason.slice(1)}`);
  }
  return fieldError('invalid_format', 'never comes: no date matches it');
}

/** The next slots after a time. */
export const nextSlots = (cron: string, timeZone: string, after: Date, count: number): Date[] =>
  open(cron, timeZone).nextRuns(count, after);

/** A slot that came while no process ran is still run if it is younger than this. */
const LATEST_MS = 3_600_000;

/** What becomes of slots that have come. */
export interface DueSlots {
  /** The slot to run: the latest one; null: it came too long ago. */
  run: Date | null;
  /** Slots that are not run. */
  missed: Date[];
  next: Date | null;
}

/** Of the slots from `planned` until now, only the latest is run, and only if it is less than an hour old. */
export function dueSlots(cron: string, timeZone: string, planned: Date, now: Date): DueSlots {
  const since = new Date(Math.max(planned.getTime() - 1, now.getTime() - LATEST_MS));
  const slots: Date[] = [];
  let next = nextSlots(cron, timeZone, since, 1)[0] ?? null;
  for (; next && next <= now; next = nextSlots(cron, timeZone, next, 1)[0] ?? null) slots.push(next);
  const run = slots.pop() ?? null;
  // Of many slots that came long ago, the history names the first.
  const isOld = planned.getTime() <= now.getTime() - LATEST_MS;
  return { run, missed: [...(isOld ? [planned] : []), ...slots], next };
}
