import { readDuration } from '../../platform/field/duration.js';
import type { Rule } from '../ruleset/rule.js';

export const MAX_FOR_SECONDS = 30 * 86_400;

/** The seconds after which an acknowledgement lapses; null: it never does. */
export function lapseOf({ acknowledge }: Pick<Rule, 'acknowledge'>): number | null {
  if (acknowledge?.for === undefined) return null;
  const read = readDuration(acknowledge.for, MAX_FOR_SECONDS);
  return 'seconds' in read ? read.seconds : null;
}
