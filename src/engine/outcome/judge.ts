import type { Outcome } from '../../dispatcher/dispatcher.js';
import type { Result } from './result.js';
import { LONGEST_SCHEDULE_MS, afterSlowDown, nextAttemptAt } from './retry.js';

interface Attempted {
  id: string;
  attempts: number;
  /** Attempts that do not count towards the limit. */
  attemptsBefore: number;
  /** Since when the message waits to be sent. */
  pendingSince: Date;
  at: Date;
  durationMs: number;
}

/** Turns the outcome of an attempt into the result for its delivery: sent, retried later, or given up. */
export function judge(
  { id, attempts, attemptsBefore, pendingSince, at, durationMs }: Attempted,
  outcome: Outcome,
  now: Date,
  jitter: number,
): Result {
  const result: Result = {
    id,
    attempts,
    status: 'sent',
    gate: null,
    nextAttemptAt: null,
    reason: null,
    attempt: { at, durationMs, outcome: outcome.kind, answer: outcome.answer },
    message: null,
    inbox: false,
    fallsBack: outcome.kind !== 'sent',
    isUncounted: outcome.kind === 'retry' && outcome.isSlowDown === true,
    ...(outcome.kind === 'retry' && outcome.mayHaveArrived ? { mayHaveArrived: true as const } : {}),
  };
  if (outcome.kind === 'sent') return result;
  if (outcome.about === 'recipient') result.isAboutRecipient = true;
  if (outcome.kind === 'rejected') {
    const { suppresses, answer, about } = outcome;
    const reason = about === 'message' ? answer : `rejected by the provider: ${answer}`;
    const dead = { ...result, status: 'dead', reason } as const;
    return suppresses ? { ...dead, suppresses } : dead;
  }
  // A message that is refused because others are sent too spends no attempts, but it does not wait forever.
  const isOld = now.getTime() - pendingSince.getTime() > LONGEST_SCHEDULE_MS;
  const again = !outcome.isSlowDown
    ? nextAttemptAt(attempts - attemptsBefore + 1, now, jitter, outcome.afterSeconds)
    : isOld
      ? null
      : afterSlowDown(attempts, now, jitter, outcome.afterSeconds);
  if (again) return { ...result, status: 'pending', nextAttemptAt: again };
  return { ...result, status: 'dead', reason: `given up after ${attempts + 1} attempts: ${outcome.answer}` };
}
