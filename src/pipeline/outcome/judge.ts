import type { Outcome } from '../../dispatcher/dispatcher.js';
import type { Result } from './result.js';
import { nextAttemptAt } from './retry.js';

interface Attempted {
  id: string;
  attempts: number;
  /** Attempts before the last retry by hand: they do not count towards the limit. */
  attemptsBefore: number;
  at: Date;
  durationMs: number;
}

/** Turns the outcome of an attempt into the result for its delivery: sent, retried later, or given up. */
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
  if (outcome.kind === 'rejected')
    return { ...result, status: 'dead', reason: `rejected by the provider: ${outcome.answer}` };
  const again = nextAttemptAt(attempts - attemptsBefore + 1, now, jitter, outcome.afterSeconds);
  if (again) return { ...result, status: 'pending', nextAttemptAt: again };
  return { ...result, status: 'dead', reason: `given up after ${attempts + 1} attempts: ${outcome.answer}` };
}
