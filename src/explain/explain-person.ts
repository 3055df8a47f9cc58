import { emailKey } from '../field/email.js';
import { canceled, expired, hasExpired } from './explain-delivery.js';
import { audienceOf, found, notSent, paused, personGate } from './explain-finding.js';
import type { Case, Finding, Judged } from './explain-finding.js';
import { whenEvidence } from './explain-rule.js';
import { clipped, counted, listed, moment } from './explain-sentence.js';

/** As the end of a sentence, and as one. */
export const HELD = 'it is held: it would reach more people than its event allows, and waits to be approved';

/** People of `limit_to` that are shown as evidence. */
const MAX_PEOPLE = 20;

/** Why there is no delivery for a person although the rule and the channel would have allowed one. */
export function ofPerson(about: Case): Finding {
  const { occurrence, judged } = about;
  if (isLimited(about)) return limited(about);
  if (!judged) return notAmongThem(about);
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
  const people = names.length === 1 ? 'one person' : `${counted(names.length)} people`;
  return notSent('limited', `the trigger was limited to ${people}, and they are not among them`, {
    evidence: { limit_to: names.slice(0, MAX_PEOPLE), people: names.length },
  });
}

function notAmongThem(about: Case): Finding {
  const chosen = about.lists.flatMap(({ memberships }) => memberships).flatMap(({ channel }) => channel ?? []);
  if (chosen.length > 0) {
    const channels = [...new Set(chosen)];
    const why = `they chose to be reached over ${listed(channels)}`;
    return notSent('other_channel', why, { evidence: { channels }, evaluated: 'now' });
  }
  return notSent('not_meant', audienceOf(about).why, { evidence: audienceOf(about).evidence, evaluated: 'now' });
}

/** They would be among the people now, and whoever was among them then has a delivery. */
function cameLater(about: Case, { gate }: Judged, expandedAt: Date): Finding {
  const { createdAt } = about.user;
  const then = moment(expandedAt);
  const isNew = createdAt > expandedAt;
  const why = isNew
    ? `they became a user at ${moment(createdAt)}, after its people had been worked out at ${then}`
    : `they were not among its people when these were worked out at ${then}, though they are now`;
  return notSent('came_later', gate === null ? why : `${why}; besides, ${personGate(gate, 'now', about).why}`, {
    evidence: { user_created_at: createdAt, expanded_at: expandedAt, gate_now: gate },
    evaluated: 'now',
  });
}

function occurrenceFailed({ occurrence: { problem } }: Case): Finding {
  const why = `its people could not be worked out: ${clipped(problem ?? 'nobody knows why')}`;
  return notSent('occurrence_failed', why, { evidence: { problem } });
}

/** As things stand: its people are still to be worked out. */
function notYet(about: Case, { gate }: Judged): Finding {
  const { occurrence, decision, rule, now } = about;
  const { options, status } = occurrence;
  if (gate) return personGate(gate, 'now', about);
  if (decision.verdict === 'failed') {
    const evidence = { reason: decision.reason ?? null, ...whenEvidence(rule, occurrence.context) };
    return notSent('failed', clipped(decision.reason ?? 'its condition failed'), { evidence });
  }
  if (hasExpired(about)) return expired(about);
  if (status === 'held') {
    return found('waiting', HELD, { evidence: { status, max_recipients: occurrence.maxRecipients } });
  }
  if (occurrence.off) return paused(occurrence.off[0], { status });
  const { send_at: sendAt } = options;
  if (status === 'pending' && sendAt !== undefined && new Date(sendAt) > now) {
    return found('waiting', `it is to be sent at ${moment(sendAt)}`, {
      evidence: { status: 'scheduled', send_at: sendAt },
    });
  }
  const why = status === 'pending' ? 'its people have not been worked out yet' : 'its people are being worked out';
  return found('waiting', why, { evidence: { status } });
}
