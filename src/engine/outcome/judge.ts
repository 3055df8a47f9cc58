import type { Outcome, Suppresses } from '../../dispatcher/dispatcher.js';
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
  /** How long it is tried, before the fallback sends it; null: until its attempts are used up. */
  patienceMs: number | null;
}

/** Turns the outcome of an attempt into the result for its delivery: sent, retried later, or given up. */
export function judge(
  { id, attempts, attemptsBefore, pendingSince, at, durationMs, patienceMs }: Attempted,
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
    isUncounted: false,
  };
  if (outcome.kind === 'sent') return { ...result, ...idOf(outcome) };
  if (outcome.kind === 'rejected' && outcome.fault !== 'channel') return { ...result, ...refused(outcome) };
  if (outcome.kind === 'retry' && outcome.mayHaveArrived) result.mayHaveArrived = true;
  if (outcome.kind === 'retry' && outcome.about === 'recipient') result.isAboutRecipient = true;
  // The message is fine, but its channel is not: the provider wants fewer messages, or refuses all of them.
  const isUncounted = outcome.kind === 'rejected' || outcome.isSlowDown === true;
  const attempt = { ...result.attempt!, outcome: 'retry' as const };
  const waiting = { ...result, attempt, isUncounted };
  const afterSeconds = outcome.kind === 'retry' ? outcome.afterSeconds : undefined;
  // Such a message spends no attempts, but it does not wait forever.
  const isOld = now.getTime() - pendingSince.getTime() > LONGEST_SCHEDULE_MS;
  const again = !isUncounted
    ? nextAttemptAt(attempts - attemptsBefore + 1, now, jitter, afterSeconds, patienceMs)
    : isOld
      ? null
      : afterSlowDown(attempts, now, jitter, afterSeconds);
  if (again) return { ...waiting, status: 'pending', nextAttemptAt: again };
  return { ...waiting, status: 'dead', reason: `given up after ${attempts + 1} attempts: ${outcome.answer}` };
}

/** A longer id is not stored: cut, it would match no report. */
const MAX_PROVIDER_ID = 255;

const idOf = ({ providerId }: Extract<Outcome, { kind: 'sent' }>): Pick<Result, 'providerId'> =>
  providerId !== undefined && providerId !== '' && providerId.length <= MAX_PROVIDER_ID ? { providerId } : {};

/** A message that is dead, and what that says about its address. */
function refused({ answer, fault, cause, isLocal }: Extract<Outcome, { kind: 'rejected' }>): Partial<Result> {
  const dead = { status: 'dead', reason: isLocal ? answer : `rejected by the provider: ${answer}` } as const;
  if (fault === 'message') return dead;
  if (cause === 'soft_bounce') return { ...dead, isAboutRecipient: true };
  const suppresses: Suppresses = cause ?? 'hard_bounce';
  return { ...dead, suppresses };
}
