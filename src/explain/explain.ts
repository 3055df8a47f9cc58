import { Inject, Injectable } from '@nestjs/common';
import { compileAudience } from '../condition/audience.js';
import type { Audience } from '../condition/audience.js';
import type { Dispatcher } from '../dispatcher/dispatcher.js';
import { DISPATCHERS } from '../dispatcher/dispatcher.module.js';
import { emailKey } from '../field/email.js';
import { Database } from '../prisma/database.js';
import { addressKindOf, channelsById, decide } from '../ruleset/decide.js';
import type { RuleChannel, Decision } from '../ruleset/decide.js';
import { FIRST_FREE_PARAMETER, peopleValues } from '../ruleset/people.sql.js';
import { explainedPerson, nothingFor } from './explain-answer.js';
import type { ExplainedPerson, ExploredRule, Way } from './explain-answer.js';
import { ofDelivery } from './explain-delivery.js';
import type { DeliveryFacts, ListFacts, OccurrenceFacts, UserFacts } from './explain-facts.js';
import type { Case, Finding, Judged } from './explain-finding.js';
import { ofPerson } from './explain-person.js';
import { ofChannel, ofRule } from './explain-rule.js';
import { nameOf } from './explain-sentence.js';
import { totalsOf } from './explain-totals.js';
import type { DeliveryCount, ExplainedTotals } from './explain-totals.js';
import { COUNT_DELIVERIES, FIND_USER, LOAD_DELIVERIES, LOAD_FACTS, LOAD_LISTS, judgeNow } from './explain.sql.js';

/** What is known of a person and an occurrence, for all its rules. */
interface Known {
  occurrence: OccurrenceFacts;
  decisions: Decision[];
  channels: Map<number, RuleChannel>;
  user: UserFacts;
  lists: ListFacts[];
  deliveries: DeliveryFacts[];
  now: Date;
}

/** Says why a person was sent something or nothing. What is stored decides; what is not, the pinned rules say, applied now. */
@Injectable()
export class Explain {
  constructor(
    private readonly database: Database,
    @Inject(DISPATCHERS) private readonly dispatchers: ReadonlyMap<string, Dispatcher>,
  ) {}

  /** None when there is no such occurrence. */
  async person(organizationId: number, occurrenceId: string, username: string): Promise<ExplainedPerson | null> {
    const occurrence = await this.occurrence(organizationId, occurrenceId);
    if (!occurrence) return null;
    const [user] = await this.rows<UserFacts>(FIND_USER, [organizationId, emailKey(username)]);
    if (!user) return nothingFor(username, 'no_user', `${username} is not a user of the organization`);
    if (occurrence.rules.length === 0) {
      const why = 'the event had no notifications when it was triggered';
      return nothingFor(user.email, 'no_rules', `${nameOf(user)} was sent nothing, because ${why}`);
    }
    const known = await this.known(occurrence, user);
    const rules: ExploredRule[] = [];
    for (const decision of known.decisions) rules.push({ decision, ways: await this.waysOf(decision, known) });
    return explainedPerson(user, rules);
  }

  /** None when there is no such occurrence. */
  async totals(organizationId: number, occurrenceId: string): Promise<ExplainedTotals | null> {
    const occurrence = await this.occurrence(organizationId, occurrenceId);
    if (!occurrence) return null;
    const counts = await this.rows<DeliveryCount>(COUNT_DELIVERIES, [organizationId, occurrenceId]);
    const channels = channelsById(occurrence.channels);
    return totalsOf(occurrence, decisionsOf(occurrence, channels), channels, counts, new Date());
  }

  private async occurrence(organizationId: number, id: string): Promise<OccurrenceFacts | undefined> {
    return (await this.rows<OccurrenceFacts>(LOAD_FACTS, [organizationId, id]))[0];
  }

  private async known(occurrence: OccurrenceFacts, user: UserFacts): Promise<Known> {
    const { organizationId, id, rules } = occurrence;
    const channels = channelsById(occurrence.channels);
    const ruleIds = rules.map((rule) => rule.id);
    const channelIds = rules.flatMap(({ templates }) => templates.map(({ channel }) => channel));
    const listIds = rules.flatMap((rule) => rule.lists);
    const [deliveries, lists] = await Promise.all([
      this.rows<DeliveryFacts>(LOAD_DELIVERIES, [organizationId, id, user.id, ruleIds, channelIds]),
      this.rows<ListFacts>(LOAD_LISTS, [organizationId, listIds, user.id]),
    ]);
    return {
      ...{ occurrence, channels, user, lists, deliveries },
      decisions: decisionsOf(occurrence, channels),
      now: new Date(),
    };
  }

  /** The channels of a rule, and those that stood in for them. */
  private async waysOf(decision: Decision, known: Known): Promise<Way[]> {
    const ways: Way[] = [];
    const mine = known.deliveries.filter(({ notification }) => notification === decision.notification);
    for (const decided of decision.channels) {
      const delivery = mine.find(({ channel }) => channel === decided.channel);
      const finding = await this.explore(decision, decided, delivery, known);
      const slug = delivery?.slug ?? known.channels.get(decided.channel)?.slug ?? (decided.slug || null);
      ways.push(wayOf(slug, delivery, mine, finding));
    }
    for (const delivery of mine) {
      if (decision.channels.some(({ channel }) => channel === delivery.channel)) continue;
      const finding = ofDelivery(delivery, this.caseOf(decision, delivery, null, known));
      ways.push(wayOf(delivery.slug, delivery, mine, finding));
    }
    return ways;
  }

  private async explore(
    decision: Decision,
    decided: Decision['channels'][number],
    delivery: DeliveryFacts | undefined,
    known: Known,
  ): Promise<Finding> {
    const { occurrence, channels } = known;
    const rule = ruleOf(decision, known);
    const state = channels.get(decided.channel);
    if (!delivery) {
      const gate = ofRule(decision, rule, occurrence) ?? ofChannel(decided, state, occurrence);
      if (gate) return gate;
    }
    const judged = !delivery || delivery.gate ? await this.judge(decision, decided.channel, known) : null;
    const about = this.caseOf(decision, delivery ?? state, judged, known);
    return delivery ? ofDelivery(delivery, about) : ofPerson(about);
  }

  private caseOf(
    decision: Decision,
    channel: { type: string | null; config: Record<string, unknown> | null } | undefined,
    judged: Judged | null,
    known: Known,
  ): Case {
    const { occurrence, user, lists, now } = known;
    const rule = ruleOf(decision, known);
    return {
      ...{ occurrence, rule, decision, user, judged, now },
      lists: lists.filter(({ id }) => rule.lists.includes(id)),
      addressKind: addressKindOf({ type: channel?.type ?? '', config: channel?.config ?? {} }, this.dispatchers),
    };
  }

  /** The same statement as an expansion, for this person alone. */
  private async judge(decision: Decision, channelId: number, known: Known): Promise<Judged | null> {
    const { occurrence, channels, user } = known;
    const { lists, audience: filter } = ruleOf(decision, known);
    const audience = filter ? compileAudience(filter as Audience, FIRST_FREE_PARAMETER) : null;
    const addressKind = addressKindOf(channels.get(channelId), this.dispatchers);
    const { organizationId } = occurrence;
    const people = { organizationId, channelId, addressKind, lists, after: 0, limit: null, only: [user.id] };
    const values = [...peopleValues(people), ...(audience?.values ?? [])];
    return (await this.rows<Judged>(judgeNow(audience?.sql ?? null), values))[0] ?? null;
  }

  private async rows<Row extends object>(sql: string, values: unknown[]): Promise<Row[]> {
    return (await this.database.pool.query<Row>(sql, values)).rows;
  }
}

/** As they were decided; before that, as they would be now. */
function decisionsOf(occurrence: OccurrenceFacts, channels: Map<number, RuleChannel>): Decision[] {
  const { decisions, rules, context, options } = occurrence;
  return decisions ?? decide(rules, context, options.channels, channels);
}

const ruleOf = ({ notification }: Decision, { occurrence }: Known) =>
  occurrence.rules.find(({ id }) => id === notification)!;

function wayOf(
  channel: string | null,
  delivery: DeliveryFacts | undefined,
  all: DeliveryFacts[],
  finding: Finding,
): Way {
  const before = all.find(({ id }) => id === delivery?.fallbackOf);
  return {
    channel,
    delivery: delivery ? Number(delivery.id) : null,
    inPlaceOf: before ? (before.slug ?? 'a deleted channel') : null,
    finding,
  };
}
