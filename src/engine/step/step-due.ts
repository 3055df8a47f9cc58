import type { StepSurvey, StepTimes } from '../../platform/queue/task.js';
import type { LaterStep } from '../../rules/step/later-steps.js';

/** What a step with its own users waits for: it is due at `at`, or the messages before are looked at again then. In milliseconds since 1970. */
type StepDue = { at: number; isKnown: boolean };

/** The seconds that the steps up to one take at least: who gets nothing gets no repetitions. */
export const leastSeconds = (later: LaterStep[], place: number): number =>
  later.slice(0, place + 1).reduce((sum, { after, repeats }) => sum + (repeats > 0 ? 0 : after), 0);

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
  const { at, isKnown } = dueOf(later, previous, { isProven: false, channels }, expandedAt);
  const [next] = later.slice(previous + 1);
  const repetitions = next && next.repeats > 0 ? next.repeats * next.after : 0;
  return add({ at: at + repetitions * 1000, isKnown });
}

/** Null: the step has no messages. */
function startOf(times: StepTimes[]): StepDue | null {
  const all = (of: keyof StepTimes) => times.flatMap((each) => each[of] ?? []);
  const [sent, next, decided] = [all('sent'), all('next'), all('decided')];
  if (sent.length > 0) return { at: Math.min(...sent), isKnown: true };
  if (next.length > 0) return { at: Math.min(...next), isKnown: false };
  return decided.length > 0 ? { at: Math.max(...decided), isKnown: true } : null;
}
