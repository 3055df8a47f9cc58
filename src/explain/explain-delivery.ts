import { isExpired } from '../ruleset/message.js';
import type { Off } from '../ruleset/switch.sql.js';
import type { DeliveryFacts } from './explain-facts.js';
import { found, notSent, paused, personGate } from './explain-finding.js';
import type { Case, Finding } from './explain-finding.js';
import { whenEvidence } from './explain-rule.js';
import { clipped, moment } from './explain-sentence.js';
import type { Outcome } from './explain-sentence.js';

/** The finding of a stored delivery. */
export function ofDelivery(delivery: DeliveryFacts, about: Case): Finding {
  if (delivery.status === 'sent') return sent(delivery);
  if (delivery.status === 'dead') return dead(delivery, about);
  return delivery.status === 'skipped' ? skipped(delivery, about) : pending(delivery, about);
}

const POSTED: Record<Outcome, string> = {
  sent: 'was sent ',
  waiting: 'is waiting: ',
  dead: 'was given up: ',
  not_sent: 'was not sent: ',
};

/** The finding for a person, from the finding of the post to the room: the person is sent nothing of their own. */
export function ofRoom({ outcome, why, detail, evidence, evaluated }: Finding): Finding {
  return notSent('room', `the channel gets one post for everyone, which ${POSTED[outcome]}${why}`.trimEnd(), {
    evidence: { ...evidence, post: outcome },
    detail,
    evaluated,
  });
}

function sent({ attempt, attemptAt: at, answer }: DeliveryFacts): Finding {
  const words = answer ? `; the provider answered "${clipped(answer)}"` : '';
  return found('sent', at ? `at ${moment(at)}` : '', {
    detail: attempt === null ? '' : ` on attempt ${attempt}${words}`,
    evidence: { at, attempt, answer },
  });
}

function dead(
  { reason, attempts, attemptAt: at, answer }: DeliveryFacts,
  { decision, rule, occurrence }: Case,
): Finding {
  const why = clipped(reason ?? 'it was given up');
  // No attempt was made: the rule itself failed.
  if (decision.verdict === 'failed' && attempts === 0) {
    return found('dead', why, { gate: 'failed', evidence: { reason, ...whenEvidence(rule, occurrence.context) } });
  }
  return found('dead', why, { evidence: { reason, attempts, at, answer } });
}

function skipped(delivery: DeliveryFacts, about: Case): Finding {
  const { gate, attempts, enabled } = delivery;
  switch (gate) {
    case 'channel_disabled':
      return notSent(gate, enabled === null ? 'the channel was deleted' : 'the channel was switched off', {
        evidence: { attempts, enabled_now: enabled ?? false },
        detail: enabled ? '; it is switched on now' : '',
      });
    case 'expired':
      return expired(about);
    case 'inactive':
    case 'locked':
    case 'no_address':
      return personGate(gate, 'stored', about);
    default:
      return canceled(about);
  }
}

function pending(delivery: DeliveryFacts, about: Case): Finding {
  const { attempts, nextAttemptAt, answer, failingSince, probeAt } = delivery;
  // A worker will mark the delivery as canceled; it is not sent any more.
  if (about.occurrence.status === 'canceled') return canceled(about);
  if (hasExpired(about)) return { ...expired(about), evaluated: 'now' };
  const evidence = { attempts, next_attempt_at: nextAttemptAt, answer };
  const off = offOf(delivery, about);
  if (off) return paused(off, evidence);
  if (probeAt) {
    const failing = failingSince ? `has been failing since ${moment(failingSince)}` : 'is failing';
    return found('waiting', `the channel ${failing} and is tried again at ${moment(probeAt)}`, {
      evidence: { ...evidence, failing_since: failingSince, probe_at: probeAt },
    });
  }
  if (!nextAttemptAt) return found('waiting', 'it is about to be sent', { evidence });
  const last = answer === null ? '' : `; the last answer was "${clipped(answer)}"`;
  return found('waiting', `attempt ${attempts + 1} is due at ${moment(nextAttemptAt)}${last}`, { evidence });
}

function offOf({ enabled, notificationEnabled }: DeliveryFacts, { occurrence }: Case): Off[0] | null {
  if (occurrence.off) return occurrence.off[0];
  if (notificationEnabled === false) return 'notification';
  return enabled === false ? 'channel' : null;
}

export function canceled({ occurrence: { canceledAt } }: Case): Finding {
  const at = canceledAt ? ` at ${moment(canceledAt)}` : '';
  return notSent('canceled', `the occurrence was canceled${at}`, { evidence: { canceled_at: canceledAt } });
}

export function expired({ occurrence: { options } }: Case): Finding {
  const { expires_at: at } = options;
  return notSent('expired', `it expired${at ? ` at ${moment(at)}` : ''} before it could be sent`, {
    evidence: { expires_at: at ?? null },
  });
}

export function hasExpired({ occurrence: { options }, now }: Case): boolean {
  return isExpired(options.expires_at === undefined ? null : new Date(options.expires_at), now);
}
