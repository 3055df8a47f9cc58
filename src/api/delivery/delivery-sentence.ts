import { storedChoice } from '../explain/explain-choice.js';
import { explainedChannel } from '../explain/explain-answer.js';
import { inDigest, ofDelivery } from '../explain/explain-delivery.js';
import type { DeliveryFacts, OccurrenceFacts, UserFacts } from '../explain/explain-facts.js';
import type { Case, Finding } from '../explain/explain-finding.js';
import { nameOf } from '../explain/explain-sentence.js';

/** A user as a list of deliveries knows them. Times are texts here and in `ListedFacts`: PostgreSQL answers JSON. */
export type ListedUser = UserFacts & { organizationTimeZone: string | null };

/** What a list knows of a delivery: what is stored with it, and neither the rules nor the lists of its time. */
export type ListedFacts = DeliveryFacts & {
  /** For a fallback: the channel that had given up before. */
  inPlaceOf: string | null;
  trigger: Pick<OccurrenceFacts, 'id' | 'status' | 'canceledAt' | 'off'> & { expiresAt: string | null };
};

interface Listed {
  /** The name of the notification. */
  notification: string;
  recipient: ListedUser;
  facts: ListedFacts;
  /** Of the delivery of the digest that carried it, or of its fallback if that did better. */
  carrierFacts: ListedFacts | null;
}

/** What became of a delivery, in the words of `explain`, which can say more: it also looks at rules and lists. */
export function sentenceOf(
  { notification, recipient: user, facts, carrierFacts }: Listed,
  addressKindOf: (channel: DeliveryFacts) => string | null,
  now: Date,
): string {
  const findingOf = (known: ListedFacts) => ofDelivery(known, caseOf(known, user, addressKindOf(known), now));
  const sent = carrierFacts && {
    channel: carrierFacts.slug,
    inPlaceOf: carrierFacts.inPlaceOf,
    finding: findingOf(carrierFacts),
  };
  const finding: Finding = facts.gate === 'digested' ? inDigest(sent, facts) : findingOf(facts);
  const explored = { channel: facts.slug, delivery: null, step: null, inPlaceOf: facts.inPlaceOf, finding };
  return explainedChannel(nameOf(user), notification, explored).sentence;
}

function caseOf(
  { notification, trigger, enabled, evidence }: ListedFacts,
  user: ListedUser,
  addressKind: string | null,
  now: Date,
): Case {
  const { id, status, canceledAt, off, expiresAt } = trigger;
  return {
    occurrence: {
      ...{ id, status, canceledAt, off, organizationId: 0, eventId: 0, context: {}, rules: [], channels: null },
      openSteps: null,
      options: expiresAt === null ? {} : { expires_at: expiresAt },
      ...{ decisions: null, problem: null, expandedAt: null, maxRecipients: null, schedule: null },
      recipients: {
        ...{
          projectId: 0,
          applicationId: 0,
          hasMuted: false,
          category: null,
          hasSuppressions: false,
          quietHours: null,
          locale: null,
          hasOwnQuietHours: false,
          limit: null,
        },
        timeZone: user.organizationTimeZone,
      },
    },
    rule: { id: notification, name: '', enabled: true, when: null, audience: null, lists: [], templates: [] },
    decision: { notification, name: '', verdict: 'matched', channels: [] },
    ...{
      user,
      lists: [],
      addressKind,
      isOff: enabled === false,
      judged: null,
      chosen: storedChoice(evidence),
      now,
    },
  };
}
