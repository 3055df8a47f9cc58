import { Inject, Injectable } from '@nestjs/common';
import type { Dispatcher } from '../../dispatcher/dispatcher.js';
import { DISPATCHERS } from '../../dispatcher/dispatcher.module.js';
import { emailKey } from '../../platform/field/email.js';
import { Database } from '../../platform/database/database.js';
import { choicesOf } from '../../rules/ruleset/choices.js';
import { addressKindOf, channelsById, decide } from '../../rules/ruleset/decide.js';
import type { RuleChannel, Decision } from '../../rules/ruleset/decide.js';
import { DIGEST_TIME } from '../../rules/ruleset/digest-time.sql.js';
import { namesOf } from '../../rules/ruleset/named.js';
import { userQuery } from '../../rules/ruleset/user-query.js';
import { isRoomPost, ruleOf } from '../../rules/ruleset/rule.js';
import type { Rule } from '../../rules/ruleset/rule.js';
import { resolutionValues } from '../../rules/thread/resolution.js';
import type { Resolution } from '../../rules/thread/resolution.js';
import { LOAD_RESOLUTIONS } from '../../rules/thread/resolution.sql.js';
import { UnreachedSteps } from '../notification/step/unreached-steps.js';
import { laterSteps, ruleOfStep, stepOf, usersOfStep } from '../../rules/step/later-steps.js';
import { answerWithoutRules, explainedUser } from './explain-answer.js';
import type { ExploredChannel, ExploredRule } from './explain-answer.js';
import type { ExplainedUserDto, ExplainedTotalsDto } from './explain.dto.js';
import { NOTHING_CHOSEN, storedChoice } from './explain-choice.js';
import type { ChoiceFacts } from './explain-choice.js';
import { bestOf, canceled, expired, hasExpired, inDigest, ofDelivery, ofRoom } from './explain-delivery.js';
import { ofNobodyYet, ofOwnUsers } from './step/of-own-users.js';
import { ofStep, withRepetitions } from './step/of-step.js';
import { FIRST_OF_CHANNELS, findProof, proofValues } from './step/step-proof.sql.js';
import type { StepProof } from './step/step-proof.sql.js';
import type {
  AcknowledgementFacts,
  DeliveryFacts,
  DigestTime,
  ListFacts,
  OccurrenceFacts,
  UserFacts,
} from './explain-facts.js';
import { paused } from './explain-finding.js';
import type { Case, Finding, Judged } from './explain-finding.js';
import { ofUser } from './explain-user.js';
import { ofChannel, ofRule } from './explain-rule.js';
import { nameOf } from './explain-sentence.js';
import { totalsOf } from './explain-totals.js';
import type { DeliveryCount } from './explain-totals.js';
import {
  COUNT_DELIVERIES,
  FIND_USER,
  LOAD_ACKNOWLEDGEMENTS,
  LOAD_CHOICE,
  LOAD_DELIVERIES,
  LOAD_FACTS,
  LOAD_LISTS,
  judgeNow,
} from './explain.sql.js';

/** The facts about a user and an occurrence, for all its rules. */
interface Known {
  occurrence: OccurrenceFacts;
  decisions: Decision[];
  channels: Map<number, RuleChannel>;
  user: UserFacts;
  lists: ListFacts[];
  deliveries: DeliveryFacts[];
  acknowledgements: AcknowledgementFacts[];
  /** The triggers that ended the steps of notifications. */
  resolutions: Resolution[];
  now: Date;
}

/** Explains why a user was or was not sent a message. Stored rows decide; where there are none, the pinned rules are applied now. */
@Injectable()
export class Explain {
  constructor(
    private readonly database: Database,
    @Inject(DISPATCHERS) private readonly dispatchers: ReadonlyMap<string, Dispatcher>,
    private readonly unreached: UnreachedSteps,
  ) {}

  /** Null when there is no such occurrence. */
  async forUser(organizationId: number, occurrenceId: string, username: string): Promise<ExplainedUserDto | null> {
    const occurrence = await this.occurrence(organizationId, occurrenceId);
    if (!occurrence) return null;
    const [user] = await this.rows<UserFacts>(FIND_USER, [organizationId, emailKey(username)]);
    if (!user)
      return answerWithoutRules(occurrence, username, 'no_user', `${username} is not a user of the organization`);
    if (occurrence.rules.length === 0) {
      const why = 'the event had no notifications when it was triggered';
      const sentence = `${nameOf(user)} was not sent anything, because ${why}`;
      return answerWithoutRules(occurrence, user.email, 'no_rules', sentence);
    }
    const known = await this.loadFacts(occurrence, user);
    const rules: ExploredRule[] = [];
    for (const decision of known.decisions) {
      rules.push({ decision, channels: await this.exploreChannels(decision, known) });
    }
    return explainedUser(occurrence, user, rules);
  }

  /** Null when there is no such occurrence. */
  async totals(organizationId: number, occurrenceId: string): Promise<ExplainedTotalsDto | null> {
    const occurrence = await this.occurrence(organizationId, occurrenceId);
    if (!occurrence) return null;
    const counts = await this.rows<DeliveryCount>(COUNT_DELIVERIES, [organizationId, occurrenceId]);
    const channels = channelsById(occurrence.channels);
    const decisions = decisionsOf(occurrence, channels);
    const nobody = await this.reachedByNobody(occurrence, decisions, channels);
    return totalsOf(occurrence, decisions, channels, counts, nobody, new Date());
  }

  /** For each rule, what is wrong now with steps that have users of their own. */
  private async reachedByNobody(
    occurrence: OccurrenceFacts,
    decisions: Decision[],
    channels: Map<number, RuleChannel>,
  ): Promise<Map<number, string[]>> {
    const { organizationId, rules } = occurrence;
    const found = new Map<number, string[]>();
    for (const decision of decisions) {
      const rule = rules.find(({ id }) => id === decision.notification);
      const taken = laterSteps(rule, decision).map(({ number }) => number);
      const unreached = await this.unreached.of({ organizationId, steps: rule?.steps ?? [], channels });
      const sentences = unreached.filter(({ step }) => taken.includes(step)).map(({ sentence }) => sentence);
      if (rule && sentences.length > 0) found.set(rule.id, sentences);
    }
    return found;
  }

  private async occurrence(organizationId: number, id: string): Promise<OccurrenceFacts | undefined> {
    return (await this.rows<OccurrenceFacts>(LOAD_FACTS, [organizationId, id]))[0];
  }

  private async loadFacts(occurrence: OccurrenceFacts, user: UserFacts): Promise<Known> {
    const { organizationId, id, rules } = occurrence;
    const channels = channelsById(occurrence.channels);
    const ruleIds = rules.map((rule) => rule.id);
    const channelIds = rules.flatMap(({ templates }) => templates.map(({ channel }) => channel));
    const listIds = rules.flatMap((rule) => rule.lists);
    const resolution = resolutionValues(id, rules, occurrence.context);
    const [deliveries, lists, acknowledgements, resolutions] = await Promise.all([
      this.rows<DeliveryFacts>(LOAD_DELIVERIES, [organizationId, id, user.id, ruleIds, channelIds]),
      this.rows<ListFacts>(LOAD_LISTS, [organizationId, listIds, user.id]),
      this.rows<AcknowledgementFacts>(LOAD_ACKNOWLEDGEMENTS, [id, user.id]),
      resolution ? this.rows<Resolution>(LOAD_RESOLUTIONS, resolution) : [],
    ]);
    return {
      ...{ occurrence, channels, user, lists, deliveries, acknowledgements, resolutions },
      decisions: decisionsOf(occurrence, channels),
      now: new Date(),
    };
  }

  /** The channels of a rule, and their fallbacks. */
  private async exploreChannels(decision: Decision, known: Known): Promise<ExploredChannel[]> {
    const explored: ExploredChannel[] = [];
    const ruleDeliveries = known.deliveries.filter(({ notification }) => notification === decision.notification);
    for (const decided of decision.channels) {
      const delivery = ruleDeliveries.find(({ channel }) => channel === decided.channel);
      const finding = await this.findingOf(decision, decided, delivery, known);
      const slug = delivery?.slug ?? known.channels.get(decided.channel)?.slug ?? (decided.slug || null);
      const step = stepOf(ruleOf(known.occurrence.rules, decision), decided.channel);
      explored.push(exploredChannel(slug, delivery, ruleDeliveries, finding, step));
    }
    for (const delivery of ruleDeliveries) {
      if (decision.channels.some(({ channel }) => channel === delivery.channel)) continue;
      const chosen = storedChoice(delivery.evidence);
      const finding = ofDelivery(delivery, this.caseOf(decision, delivery, null, known, chosen));
      const own = delivery.isRoom ? ofRoom(finding) : finding;
      explored.push(exploredChannel(delivery.slug, delivery, ruleDeliveries, own));
    }
    return explored;
  }

  private async findingOf(
    decision: Decision,
    decided: Decision['channels'][number],
    delivery: DeliveryFacts | undefined,
    known: Known,
  ): Promise<Finding> {
    const { occurrence, channels } = known;
    const rule = ruleOf(occurrence.rules, decision);
    const state = channels.get(decided.channel);
    if (!delivery) {
      const gate = ofRule(decision, rule, occurrence) ?? ofChannel(decided, state, occurrence);
      if (gate) return gate;
    }
    const isLater = !delivery && decided.verdict === 'later';
    const others = isLater ? usersOfStep(rule, decided.channel) : null;
    if (others) return this.ofOthers(decision, decided.channel, ruleOfStep(rule, others), known);
    const waiting = isLater ? this.ofStep(decision, decided.channel, known) : null;
    if (waiting) return waiting;
    if (isRoomPost(occurrence.rules, { ...decision, channel: decided.channel })) {
      const about = this.caseOf(decision, delivery ?? state, OPEN, known, NOTHING_CHOSEN);
      return ofRoom(delivery ? ofDelivery(delivery, about) : ofUser(about));
    }
    const judged = !delivery || delivery.gate ? await this.judge(decision, decided.channel, known) : null;
    const isChoice =
      !delivery && (judged?.gate === 'suppressed' || judged?.gate === 'opted_out' || judged?.gate === 'muted');
    const chosen = isChoice ? await this.chosen(decision, state!, known) : storedChoice(delivery?.evidence ?? null);
    const about = this.caseOf(decision, delivery ?? state, judged, known, chosen);
    if (!delivery) return ofUser(about);
    if (delivery.gate === 'digested') return this.ofDigest(delivery, known);
    const finding = ofDelivery({ ...delivery, digestTime: await this.digestTime(decision, delivery, known) }, about);
    return rule.steps ? withRepetitions(finding, delivery, this.stepsOf(decision, known)) : finding;
  }

  /** What is known of the steps of a rule for the user. */
  private stepsOf(decision: Decision, { occurrence, deliveries, acknowledgements, resolutions }: Known) {
    const { canceledAt } = occurrence;
    return {
      rule: ruleOf(occurrence.rules, decision),
      ...{ decision, acknowledgements },
      deliveries: deliveries.filter(({ notification }) => notification === decision.notification),
      isOpen: occurrence.openSteps?.includes(decision.notification) ?? false,
      resolution: resolutions.find(
        (each) => each.notification === decision.notification && !(canceledAt && canceledAt <= each.at),
      ),
    };
  }

  /** A user whom a step with its own users means, or does not. */
  private async ofOthers(decision: Decision, channel: number, own: Rule, known: Known): Promise<Finding> {
    const { occurrence, user, channels } = known;
    const { organizationId, id } = occurrence;
    const lists = await this.rows<ListFacts>(LOAD_LISTS, [organizationId, own.lists, user.id]);
    const about = { ...known, lists, occurrence: { ...occurrence, rules: [own] } };
    const judged = await this.judge(decision, channel, about);
    const of = this.caseOf(decision, channels.get(channel), judged, about, NOTHING_CHOSEN);
    const facts = this.stepsOf(decision, known);
    const step = laterSteps(facts.rule, decision).find((each) => each.channels.includes(channel));
    const values = [id, decision.notification, step?.channels ?? []];
    const [taken] = await this.rows<{ at: Date }>(FIRST_OF_CHANNELS, values);
    if (!judged || !step || (taken && step.to))
      return ofUser({ ...of, occurrence: { ...of.occurrence, expandedAt: taken?.at ?? null } });
    // The step after one with its own users goes on with those.
    const [proof] =
      step.to && step.unless ? await this.rows<StepProof>(findProof(step.unless), proofValues(id, step, facts)) : [];
    const finding = step.to
      ? ofOwnUsers(step, proof ?? null, facts)
      : (ofStep(channel, facts) ?? ofNobodyYet(step, facts));
    if (finding.gate === 'step_ended' && isProven(finding)) return finding;
    if (occurrence.status === 'canceled') return canceled(of);
    if (hasExpired(of)) return expired(of);
    return occurrence.off && finding.outcome === 'waiting' ? paused(occurrence.off[0], finding.evidence) : finding;
  }

  /** A user who has got the first step. */
  private ofStep(decision: Decision, channel: number, known: Known): Finding | null {
    const { occurrence, channels } = known;
    const finding = ofStep(channel, this.stepsOf(decision, known));
    const about = this.caseOf(decision, channels.get(channel), null, known, NOTHING_CHOSEN);
    if (!finding || (finding.gate === 'step_ended' && isProven(finding))) return finding;
    if (occurrence.status === 'canceled') return canceled(about);
    if (hasExpired(about)) return expired(about);
    if (finding.outcome === 'waiting' && occurrence.off) return paused(occurrence.off[0], finding.evidence);
    return finding;
  }

  private caseOf(
    decision: Decision,
    channel: { type: string | null; config: Record<string, unknown> | null; enabled: boolean | null } | undefined,
    judged: Judged | null,
    known: Known,
    chosen: ChoiceFacts,
  ): Case {
    const { occurrence, user, lists, now } = known;
    const rule = ruleOf(occurrence.rules, decision);
    return {
      ...{ occurrence, rule, decision, user, judged, chosen, now },
      lists: lists.filter(({ id }) => rule.lists.includes(id)),
      addressKind: addressKindOf({ type: channel?.type ?? '', config: channel?.config ?? {} }, this.dispatchers),
      isOff: channel?.enabled === false,
    };
  }

  /** When the open digest that gathers a message is sent; null: none does. */
  private async digestTime(decision: Decision, delivery: DeliveryFacts, known: Known): Promise<DigestTime | null> {
    const { waitsFor, digestDueAt, digestFrequency, type } = delivery;
    if (waitsFor !== 'digest' || !digestDueAt) return null;
    const digest = digestFrequency ? { frequency: digestFrequency } : null;
    const choices = this.choicesOf(decision, { type: type ?? '', id: delivery.channel }, known.occurrence, digest);
    const values = [known.user.id, JSON.stringify(choices ?? {}), digestDueAt];
    return (await this.rows<DigestTime>(DIGEST_TIME, values))[0] ?? null;
  }

  /** What became of the digest that carried a message, or of its fallback. */
  private async ofDigest(delivery: DeliveryFacts, known: Known): Promise<Finding> {
    const { organizationId } = known.occurrence;
    const occurrence = delivery.carrier && (await this.occurrence(organizationId, delivery.carrier.occurrence));
    if (!occurrence) return inDigest(null, delivery);
    const ofCarrier = await this.loadFacts(occurrence, known.user);
    // That of a category was made by the last of its messages, whose notification may be another.
    const [decision] = ofCarrier.decisions;
    return inDigest(decision ? bestOf(await this.exploreChannels(decision, ofCarrier)) : null, delivery);
  }

  /** What this user has chosen by now, with the same SQL as an expansion. For a message that is not decided yet. */
  private async chosen(decision: Decision, channel: RuleChannel, { occurrence, user }: Known): Promise<ChoiceFacts> {
    const choices = this.choicesOf(decision, channel, occurrence);
    if (!choices) return NOTHING_CHOSEN;
    const addressKind = addressKindOf(channel, this.dispatchers);
    const values = [occurrence.organizationId, user.id, addressKind, JSON.stringify(choices)];
    return (await this.rows<ChoiceFacts>(LOAD_CHOICE, values))[0]!;
  }

  private choicesOf(
    decision: Decision,
    { type: channelType, id }: Pick<RuleChannel, 'type' | 'id'>,
    occurrence: OccurrenceFacts,
    digest: { frequency: string } | null = null,
  ) {
    const { eventId, rules, recipients, context, options } = occurrence;
    const rule = ruleOf(rules, decision);
    // Only the window of a step depends on the channel itself.
    const channel = rule.steps && id;
    return choicesOf(recipients, { eventId, channelType, channel, rule, context, options, digest });
  }

  /** Judges this user with the same SQL as an expansion. */
  private async judge(decision: Decision, channelId: number, known: Known): Promise<Judged | null> {
    const { occurrence, channels, user } = known;
    const { organizationId, rules } = occurrence;
    const { dispatchers } = this;
    const rule = ruleOf(rules, decision);
    const choices = this.choicesOf(decision, channels.get(channelId) ?? { type: '', id: channelId }, occurrence);
    const only = isNamed(rule, occurrence, user) ? [user.id] : [];
    const users = { organizationId, rule, channelId, channels, dispatchers, only, choices };
    const { text, values } = userQuery(users, { after: 0, limit: null }, judgeNow);
    return (await this.rows<Judged>(text, values))[0] ?? null;
  }

  private async rows<Row extends object>(sql: string, values: unknown[]): Promise<Row[]> {
    return (await this.database.pool.query<Row>(sql, values)).rows;
  }
}

/** Whether it is known what ended the steps. */
const isProven = ({ evidence }: Finding) => 'unless' in evidence || 'resolved_by' in evidence;

/** No gate of a user keeps back a post to a room. */
const OPEN: Judged = { gate: null };

/** The stored decisions. If the occurrence is not expanded yet, the rules are decided now. */
function decisionsOf(occurrence: OccurrenceFacts, channels: Map<number, RuleChannel>): Decision[] {
  const { decisions, rules, context, options } = occurrence;
  return decisions ?? decide(rules, context, options, channels);
}

/** Whether a rule with `to` names the user; a rule without it names nobody, and excludes nobody. */
function isNamed(rule: Rule, { context, options: { recipients } }: OccurrenceFacts, { email }: UserFacts): boolean {
  return namesOf(rule, context, { recipients })?.includes(emailKey(email)) ?? true;
}

function exploredChannel(
  channel: string | null,
  delivery: DeliveryFacts | undefined,
  all: DeliveryFacts[],
  finding: Finding,
  step: number | null = null,
): ExploredChannel {
  const before = all.find(({ id }) => id === delivery?.fallbackOf);
  return {
    channel,
    delivery: delivery ? Number(delivery.id) : null,
    step,
    inPlaceOf: before ? (before.slug ?? 'a deleted channel') : null,
    finding,
  };
}
