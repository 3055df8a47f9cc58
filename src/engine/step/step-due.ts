import type { StepSurvey, StepTimes } from '../../platform/queue/task.js';
import type { LaterStep } from '../../rules/step/later-steps.js';

/** What a step with its own users waits for: it is due at `at`, or the messages before are looked at again then. In milliseconds since 1970. */
export type StepDue = { at: number; isKnown: boolean };

/** Seconds from one step to the next, with all repetitions. */
const lengthOf = ({ after, repeats }: LaterStep) => after * Math.max(repeats, 1);

/** The seconds that the steps up to one take at least. */
export const leastSeconds = (later: LaterStep[], place: number): number =>
  later.slice(0, place + 1).reduce((sum, step) => sum + lengthOf(step), 0);

/**
 * When a step with its own users is due: so long after the first message of the step before was sent. If none was, it counts from the decision about
 * the last of them; without any messages, from the time when the step before was due; and before the first step, from `expandedAt`.
 */
export function dueOf(later: LaterStep[], place: number, { channels }: StepSurvey, expandedAt: number): StepDue {
  const { after, before } = later[place]!;
  const add = ({ at, isKnown }: StepDue): StepDue => ({ at: at + after * 1000, isKnown });
  const times = before.flatMap((channel) => channels[channel] ?? []);
  const own = startOf(times);
  if (own) return add(own);
  // Repetitions have the users of their step.
  const previous = later.slice(0, place).findLastIndex(({ repeats }) => repeats === 0);
  if (previous < 0) return add({ at: expandedAt, isKnown: true });
  return add(dueOf(later, previous, { isProven: false, channels }, expandedAt));
}

/** Null: the step has no messages. */
function startOf(times: StepTimes[]): StepDue | null {
  const all = (of: keyof StepTimes) => times.flatMap((each) => each[of] ?? []);
  const [sent, next, decided] = [all('sent'), all('next'), all('decided')];
  if (sent.length > 0) return { at: Math.min(...sent), isKnown: true };
  if (next.length > 0) return { at: Math.min(...next), isKnown: false };
  return decided.length > 0 ? { at: Math.max(...decided), isKnown: true } : null;
}
