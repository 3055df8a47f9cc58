import type { Outcome } from '../../dispatcher/dispatcher.js';
import type { Result } from './result.js';
import { nextAttemptAt } from './retry.js';

interface Attempted {
  id: string;
  attempts: number;
  /** Those before it was retried by hand: they do not count against it. */
  attemptsBefore: number;
  at: Date;
  durationMs: number;
}

/** What an attempt means for its delivery: sent, again later, or given up. */
export function judge(
  { id, attempts, attemptsBefore, at, durationMs }: Attempted,
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
  };
  if (outcome.kind === 'sent') return result;
  if (outcome.kind === 'rejected') return { ...result, status: 'dead', reason: `refused for good: ${outcome.answer}` };
  const again = nextAttemptAt(attempts - attemptsBefore + 1, now, jitter, outcome.afterSeconds);
  if (again) return { ...result, status: 'pending', nextAttemptAt: again };
  return { ...result, status: 'dead', reason: `given up after ${attempts + 1} attempts: ${outcome.answer}` };
}
