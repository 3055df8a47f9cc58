import { emailKey } from '../../platform/field/email.js';
import { firstSendTime, localTimeOf } from '../../platform/send-at.js';
import type { SendAt } from '../../platform/send-at.js';
import { canceled, expired, hasExpired, waitsForLocal, zoneOf } from './explain-delivery.js';
import { audienceOf, found, notSent, paused, userGate } from './explain-finding.js';
import type { Case, Finding, Judged } from './explain-finding.js';
import { limitEvidence, whenEvidence } from './explain-rule.js';
import { clipped, counted, listed, moment } from './explain-sentence.js';

/** Why an occurrence has no recipients yet; each is the end of a sentence. */
export const HELD =
  'the occurrence is held until someone approves it, because it would reach more users than its event allows';
export const RESOLVING = 'the recipients are being resolved';
export const NOT_RESOLVED = 'the recipients have not been resolved yet';
export const scheduled = (sendAt: SendAt) =>
  typeof sendAt === 'object'
    ? `the occurrence is scheduled for ${sendAt.local.replace('T', ' ')} on the clock of each user`
    : `the occurrence is scheduled for ${moment(sendAt)}`;
export const notResolvable = (problem: string | null) =>
  `the recipients could not be resolved: ${clipped(problem ?? 'the reason is unknown')}`;

/** Why a user has no delivery although the rule and the channel allow one. */
export function ofUser(about: Case): Finding {
  const { occurrence, judged } = about;
  if (isLimited(about)) return limited(about);
  if (!judged) return notRecipient(about);
  if (occurrence.expandedAt) return cameLater(about, judged, occurrence.expandedAt);
  if (occurrence.status === 'canceled') return canceled(about);
  if (occurrence.status === 'failed') return occurrenceFailed(about);
  return { ...notYet(about, judged), evaluated: 'now' };
}

function isLimited({ occurrence: { options }, user }: Case): boolean {
  return options.limit_to !== undefined && !options.limit_to.some((name) => emailKey(name) === emailKey(user.email));
}

function limited({ occurrence: { options } }: Case): Finding {
  const names = options.limit_to ?? [];
  const users = names.length === 1 ? 'one other user' : `${counted(names.length)} other users`;
  return notSent('limited', `the trigger was limited to ${users}`, {
    evidence: limitEvidence(options),
  });
}

function notRecipient(about: Case): Finding {
  const chosen = about.lists.flatMap(({ memberships }) => memberships).flatMap(({ channel }) => channel ?? []);
  if (chosen.length > 0) {
    const channels = [...new Set(chosen)];
    const why = `the user chose to be reached over ${listed(channels)}`;
    return notSent('other_channel', why, { evidence: { channels }, evaluated: 'now' });
  }
  return notSent('not_meant', audienceOf(about).why, { evidence: audienceOf(about).evidence, evaluated: 'now' });
}

/** The user is a recipient now. Everyone who was a recipient at the time of the expansion has a delivery. */
function cameLater(about: Case, { gate }: Judged, expandedAt: Date): Finding {
  const { createdAt } = about.user;
  const then = moment(expandedAt);
  const isNew = createdAt > expandedAt;
  const why = isNew
    ? `the user was created at ${moment(createdAt)}, after the recipients were resolved at ${then}`
    : `the user was not a recipient when the recipients were resolved at ${then}, but is one now`;
  return notSent('came_later', gate === null ? why : `${why}; also, ${userGate(gate, 'now', about).why}`, {
    evidence: { user_created_at: createdAt, expanded_at: expandedAt, gate_now: gate },
    evaluated: 'now',
  });
}

function occurrenceFailed({ occurrence: { problem } }: Case): Finding {
  return notSent('occurrence_failed', notResolvable(problem), { evidence: { problem } });
}

/** The finding while the recipients are not resolved yet. */
function notYet(about: Case, { gate }: Judged): Finding {
  const { occurrence, decision, rule, now } = about;
  const { options, status } = occurrence;
  if (gate) return userGate(gate, 'now', about);
  if (decision.verdict === 'failed') {
    const evidence = { reason: decision.reason ?? null, ...whenEvidence(rule, occurrence.context) };
    return notSent('failed', clipped(decision.reason ?? 'the condition failed'), { evidence });
  }
  if (hasExpired(about)) return expired(about);
  if (status === 'held') {
    return found('waiting', HELD, { evidence: { status, max_recipients: occurrence.maxRecipients } });
  }
  if (occurrence.off) return paused(occurrence.off[0], { status });
  if (about.isOff) return paused('channel', { status });
  const { send_at: sendAt } = options;
  if (status === 'pending' && sendAt !== undefined && firstSendTime(sendAt) > now.getTime()) {
    const local = localTimeOf(sendAt);
    const zone = zoneOf(about);
    return found('waiting', local ? waitsForLocal(local, zone) : scheduled(sendAt), {
      evidence: { status: 'scheduled', send_at: sendAt, ...(local && { time_zone: zone }) },
    });
  }
  return found('waiting', status === 'pending' ? NOT_RESOLVED : RESOLVING, { evidence: { status } });
}
