import { dateTimeProblem } from '../../platform/field/date-time.js';
import { invalid, invalidField } from '../../platform/http/problem.js';
import type { Mark } from './inbox.dto.js';

const MAX_DAYS = 366;
const DAY_MS = 86_400_000;

/** How many messages a user can have snoozed. */
export const MAX_SNOOZED = 1000;

/** When snoozed messages return; null: they are not snoozed. */
export function readUntil(as: Mark, until: string | undefined): Date | null {
  if (as !== 'snoozed') {
    if (until !== undefined) throw invalidField('until', 'not_allowed', 'must be left out: only snoozed needs it');
    return null;
  }
  if (until === undefined) throw invalidField('until', 'required', 'must say when the messages return');
  const problem = dateTimeProblem(until);
  if (problem) throw invalid({ until: [problem] });
  const at = new Date(until);
  if (at.getTime() <= Date.now() || at.getTime() > Date.now() + MAX_DAYS * DAY_MS)
    throw invalidField('until', 'out_of_range', `must be in the future, and at most ${MAX_DAYS} days ahead`);
  return at;
}
