import type { AttemptOutcome, DeliveryStatus, Gate } from '../../generated/prisma/enums.js';
import type { RenderedMessage } from '../../template/template.js';

/** What became of one delivery in one attempt. */
export interface Result {
  id: string;
  /** How many attempts there had been before. */
  attempts: number;
  status: DeliveryStatus;
  /** With `skipped`: what decided it. */
  gate: Extract<Gate, 'locked' | 'expired'> | null;
  nextAttemptAt: Date | null;
  reason: string | null;
  /** None when no provider was called. */
  attempt: { at: Date; durationMs: number; outcome: AttemptOutcome; answer: string } | null;
  /** What was said, and to which address; kept once the delivery has come to its end. */
  message: (RenderedMessage & { recipient: string }) | null;
  /** Whether an inbox shows it. */
  inbox: boolean;
  /** With `dead`: whether the channel's fallback may take over. */
  fallsBack: boolean;
}

const NOTHING = { nextAttemptAt: null, attempt: null, message: null, inbox: false, fallsBack: false };

/** A delivery that no provider was asked about: it could not even be written. */
export function stillborn(id: string, attempts: number, reason: string): Result {
  return { ...NOTHING, id, attempts, status: 'dead', gate: null, reason };
}

/** A delivery whose channel rested for too long. */
export function outlasted(id: string, attempts: number, reason: string): Result {
  return { ...stillborn(id, attempts, reason), fallsBack: true };
}

/** A delivery that a gate stopped after it had been made: the person was locked meanwhile, or it is too late. */
export function skipped(id: string, attempts: number, gate: NonNullable<Result['gate']>): Result {
  return { ...NOTHING, id, attempts, status: 'skipped', gate, reason: null };
}
