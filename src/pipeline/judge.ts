import type { Outcome } from '../dispatcher/dispatcher.js';
import type { Result } from './outcomes.js';
import { nextAttemptAt } from './retry.js';

interface Attempted {
  id: string;
  attempts: number;
  at: Date;
  durationMs: number;
}

/** What an attempt means for its delivery: sent, again later, or given up. */
export function judge(
  { id, attempts, at, durationMs }: Attempted,
  outcome: Outcome,
  now: Date,
  jitter: number,
): Result {
  const attempt = { at, durationMs, outcome: outcome.kind, answer: outcome.answer };
  const result = { id, attempts, attempt, gate: null, nextAttemptAt: null, reason: null, shown: null };
  if (outcome.kind === 'sent') return { ...result, status: 'sent' };
  if (outcome.kind === 'rejected') return { ...result, status: 'dead', reason: `refused for good: ${outcome.answer}` };
  const again = nextAttemptAt(attempts + 1, now, jitter, outcome.afterSeconds);
  if (again) return { ...result, status: 'pending', nextAttemptAt: again };
  return { ...result, status: 'dead', reason: `given up after ${attempts + 1} attempts: ${outcome.answer}` };
}

/** A delivery that no provider was asked about: it could not even be written. */
export function stillborn(id: string, attempts: number, reason: string): Result {
  return { id, attempts, status: 'dead', gate: null, nextAttemptAt: null, reason, attempt: null, shown: null };
}

/** A delivery that a gate stopped after it had been made: the person was locked meanwhile, or it is too late. */
export function skipped(id: string, attempts: number, gate: NonNullable<Result['gate']>): Result {
  return { id, attempts, status: 'skipped', gate, nextAttemptAt: null, reason: null, attempt: null, shown: null };
}
