import { languageSentence } from '../../rules/language/language-sentence.js';
import { isExpired } from '../../rules/ruleset/message.js';
import { localTimeOf } from '../../platform/send-at.js';
import type { ReportState } from '../../platform/database/generated/prisma/enums.js';
import type { Off } from '../../rules/ruleset/switch.sql.js';
import type { DeliveryFacts } from './explain-facts.js';
import { shownDevices } from '../device/device-result.dto.js';
import { found, notSent, paused, userGate } from './explain-finding.js';
import type { Case, Finding } from './explain-finding.js';
import { whenEvidence } from './explain-rule.js';
import { OUTCOMES, clipped, counted, moment } from './explain-sentence.js';
import type { ExplainedOutcome } from './explain-sentence.js';

/** The finding of a stored delivery. */
export function ofDelivery(delivery: DeliveryFacts, about: Case): Finding {
  const finding = withoutDevices(delivery, about);
  const devices = shownDevices(delivery.devices ?? null, delivery.status);
  return devices ? { ...finding, evidence: { ...finding.evidence, devices } } : finding;
}

function withoutDevices(delivery: DeliveryFacts, about: Case): Finding {
  if (delivery.status === 'sent') return sent(delivery);
  if (delivery.status === 'dead') return dead(delivery, about);
  return delivery.status === 'skipped' ? skipped(delivery, about) : pending(delivery, about);
}

const POSTED: Record<ExplainedOutcome, string> = {
  sent: 'was sent ',
  waiting: 'is waiting: ',
  dead: 'was given up: ',
  not_sent: 'was not sent: ',
};

/** The finding for a user, from the finding of the post to the room: the user is sent nothing of their own. */
export function ofRoom({ outcome, why, detail, evidence, evaluated }: Finding): Finding {
  return notSent('room', `the channel gets one post for everyone, which ${POSTED[outcome]}${why}`.trimEnd(), {
    evidence: { ...evidence, post: outcome },
    detail,
    evaluated,
  });
}

function sent(delivery: DeliveryFacts): Finding {
  const { attempt, attemptAt: at, answer, language, report, reportAt, reportDetail } = delivery;
  const words = answer ? `; the provider answered "${clipped(answer)}"` : '';
  const written = language ? `; it was written ${languageSentence(language)}` : '';
  const how = attempt === null ? '' : ` on attempt ${attempt}${words}`;
  const reported = report ? { report, reported_at: reportAt, report_detail: reportDetail } : {};
  const said = reportOf(delivery);
  const isBad = report ? !GOOD.includes(report) : false;
  return found('sent', `${at ? `at ${moment(at)}` : ''}${isBad ? `, but ${said}` : ''}`, {
    detail: `${isBad ? '' : how}${said && !isBad ? `, and ${said}` : ''}${written}`,
    evidence: { at, attempt, answer, ...reported, ...(language && { language }) },
  });
}

const GOOD: ReportState[] = ['delivered', 'seen', 'delayed'];

const REPORTED: Record<ReportState, string> = {
  delayed: 'that the receiver had not accepted it yet',
  soft_bounced: 'that the receiver did not accept it',
  delivered: 'that it was delivered',
  seen: 'that it was opened',
  bounced: 'that the address does not exist',
  complained: 'that the user marked it as spam',
};

/** What the provider reported after it had accepted the message. */
function reportOf({ report, reportAt, reportDetail }: DeliveryFacts): string {
  if (!report) return '';
  const words = GOOD.includes(report) || !reportDetail ? '' : `: "${clipped(reportDetail)}"`;
  return `the provider reported${reportAt ? ` at ${moment(reportAt)}` : ''} ${REPORTED[report]}${words}`;
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
      // Only deleted channels since messages wait for one that is switched off.
      return notSent(gate, enabled === null ? 'the channel was deleted' : 'the channel was switched off', {
        evidence: { attempts, enabled_now: enabled ?? false },
        detail: enabled ? '; it is switched on now' : '',
      });
    case 'expired':
      return ofWaiting(delivery) ?? expired(about);
    case 'inactive':
    case 'locked':
    case 'no_address':
    case 'suppressed':
    case 'opted_out':
    case 'muted':
      return userGate(gate, 'stored', about);
    case 'capped':
      return capped(delivery, about);
    default:
      return ofWaiting(delivery) ?? canceled(about);
  }
}

/** The finding for a message that ended while its channel was switched off; null: it ended otherwise. */
function ofWaiting({ gate, evidence }: DeliveryFacts): Finding | null {
  if (!gate || !evidence || !('switched_off' in evidence)) return null;
  const { discarded_at: at } = evidence;
  const why =
    typeof at === 'string'
      ? `it was discarded at ${moment(at)} while the channel was switched off`
      : 'it had waited for seven days: the channel was switched off';
  return notSent(gate, why, { evidence });
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
  const waiting = waits(delivery, about);
  if (waiting) return waiting;
  if (!nextAttemptAt) return found('waiting', 'it is about to be sent', { evidence });
  const last = answer === null ? '' : `; the last answer was "${clipped(answer)}"`;
  return found('waiting', `attempt ${attempts + 1} is due at ${moment(nextAttemptAt)}${last}`, { evidence });
}

function offOf({ notificationEnabled }: DeliveryFacts, { occurrence, isOff }: Case): Off[0] | null {
  if (occurrence.off) return occurrence.off[0];
  if (notificationEnabled === false) return 'notification';
  return isOff ? 'channel' : null;
}

/** The limit that kept a message back, as it was. */
interface StoredLimit {
  of: 'notification' | 'organization';
  count: number;
  per: string;
  since: string;
}

/** The finding for a message above a limit. An earlier release stored no evidence: then the limits of now are the best guess. */
function capped({ evidence }: DeliveryFacts, { rule, occurrence: { recipients } }: Case): Finding {
  const stored = evidence?.limit as StoredLimit | undefined;
  const limit = stored ?? rule.limit ?? recipients.limit;
  const of = stored?.of ?? (rule.limit ? 'notification' : 'organization');
  const why = limit
    ? `the user had already got ${counted(limit.count)} ${limit.count === 1 ? 'message' : 'messages'} in that ${limit.per}, which is the limit of the ${of}`
    : 'the user had got as many messages as a limit allowed';
  return notSent('capped', why, { evidence: { limit: limit ?? null } });
}

/** The finding for a message that a digest carried: what became of the digest. */
export function inDigest(sent: SentDigest | null, { carrier }: DeliveryFacts): Finding {
  if (!sent || !carrier) return notSent('digested', 'it went into a digest that was purged since');
  const { finding, channel, inPlaceOf } = sent;
  const { outcome, why } = finding;
  const evidence = {
    ...finding.evidence,
    ...(inPlaceOf === null ? {} : { fallback: channel }),
    digest: { occurrence: carrier.occurrence, delivery: Number(carrier.id), items: carrier.items },
  };
  const over = inPlaceOf === null ? '' : `, over ${channel ?? 'a deleted channel'} in place of ${inPlaceOf}`;
  const part = `in a digest of ${counted(carrier.items)}${over}`;
  if (outcome === 'sent') return { ...finding, why: `${why} ${part}`.trim(), evidence };
  return { ...finding, why: `it is ${part}: ${why}`, evidence };
}

/** The delivery of a digest, or its fallback, and what became of it. */
interface SentDigest {
  /** Null when the channel was deleted. */
  channel: string | null;
  /** For a fallback: the channel that had given up before. */
  inPlaceOf: string | null;
  finding: Finding;
}

/** A digest that fell back is what became of its fallback, unless that is worse. */
export const bestOf = <Sent extends SentDigest>(all: Sent[]): Sent | null =>
  OUTCOMES.flatMap((outcome) => all.filter(({ finding }) => finding.outcome === outcome))[0] ?? null;

const CLOCKS = {
  quiet: 'the user has quiet hours',
  window: 'it is outside the send window of the notification',
};

/** The finding for a message in an open digest. */
function gathered({ digestDueAt, digestItems, digestTime, digestFrequency: frequency }: DeliveryFacts): Finding {
  const sentAt = digestTime?.sentAt ?? digestDueAt;
  const evidence = {
    waits_for: 'digest',
    until: sentAt,
    items: digestItems,
    closes_at: digestDueAt,
    ...(frequency && { frequency }),
  };
  const gathers = frequency ? `it goes into the ${frequency} digest of the category` : 'it is gathered in a digest';
  if (!digestDueAt || !sentAt) return found('waiting', gathers, { evidence });
  if (!digestTime) return found('waiting', `${gathers} that is closed at ${moment(digestDueAt)}`, { evidence });
  const { waitsFor, zone, sentLocal } = digestTime;
  if (!waitsFor && frequency)
    return found('waiting', `${gathers} that is sent at ${sentLocal} in ${zone}`, {
      evidence: { ...evidence, time_zone: zone },
    });
  if (!waitsFor) return found('waiting', `${gathers} that is sent at ${moment(sentAt)}`, { evidence });
  const why = `because ${CLOCKS[waitsFor]} until then, by the clock of ${zone}`;
  return found('waiting', `${gathers} that is closed at ${moment(digestDueAt)} and sent at ${moment(sentAt)}, ${why}`, {
    evidence: { ...evidence, then_waits_for: waitsFor, time_zone: zone },
  });
}

/** The finding for a message that is not due yet, and that no failed attempt delays; null: it does not wait for anything else. */
function waits(delivery: DeliveryFacts, about: Case): Finding | null {
  const { waitsFor, waitsUntil, nextAttemptAt } = delivery;
  if (waitsFor === 'digest') return gathered(delivery);
  if (!waitsFor || !nextAttemptAt) return null;
  const zone = zoneOf(about, delivery);
  const until = waitsUntil ?? nextAttemptAt;
  const evidence = { waits_for: waitsFor, until, planned_at: nextAttemptAt, time_zone: zone };
  const detail = `; it is planned for ${moment(nextAttemptAt)}`;
  const local = localTimeOf(about.occurrence.options.send_at);
  if (waitsFor === 'send_at')
    return found('waiting', waitsForLocal(local ?? moment(until), zone), { detail, evidence: { ...evidence, local } });
  return found('waiting', `${CLOCKS[waitsFor]} until ${moment(until)}, by the clock of ${zone}`, { detail, evidence });
}

/** The zone whose clock a message goes by. A room has that of the organization. */
export const zoneOf = ({ occurrence: { recipients }, user }: Case, { isRoom = false } = {}): string =>
  (isRoom ? null : user.timeZone) ?? recipients.timeZone ?? 'UTC';

export const waitsForLocal = (local: string, zone: string) => `it waits for ${local.replace('T', ' ')} in ${zone}`;

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
