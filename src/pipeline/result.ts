/** What became of one delivery in one attempt. */
export interface Result {
  id: string;
  /** How many attempts there had been before. */
  attempts: number;
  status: 'pending' | 'sent' | 'skipped' | 'dead';
  /** With `skipped`: what decided it. */
  gate: 'locked' | 'expired' | null;
  nextAttemptAt: Date | null;
  reason: string | null;
  /** None when no provider was called. */
  attempt: { at: Date; durationMs: number; outcome: 'sent' | 'rejected' | 'retry'; answer: string } | null;
  /** What an inbox shows. */
  shown: { subject: string; text: string; html: string } | null;
}

/** A delivery that no provider was asked about: it could not even be written. */
export function stillborn(id: string, attempts: number, reason: string): Result {
  return { id, attempts, status: 'dead', gate: null, nextAttemptAt: null, reason, attempt: null, shown: null };
}

/** A delivery that a gate stopped after it had been made: the person was locked meanwhile, or it is too late. */
export function skipped(id: string, attempts: number, gate: NonNullable<Result['gate']>): Result {
  return { id, attempts, status: 'skipped', gate, nextAttemptAt: null, reason: null, attempt: null, shown: null };
}
