import { Inject, Injectable } from '@nestjs/common';
import type { StoredConfig } from '../../dispatcher/channel-config.js';
import type { Dispatcher } from '../../dispatcher/dispatcher.js';
import { DISPATCHERS } from '../../dispatcher/dispatcher.module.js';
import { Outbound } from '../../dispatcher/outbound/outbound.js';
import { invalid } from '../../platform/http/problem.js';
import { unfitRecipients } from '../occurrence/occurrence-store.js';
import { uuidV7 } from '../../platform/field/uuid-v7.js';
import type { Gate } from '../../platform/database/generated/prisma/enums.js';
import { prepareChunk } from '../../engine/deliver/chunk.js';
import type { Chunk, SharedRow } from '../../engine/deliver/chunk.js';
import { countDistinct } from '../../engine/expand/ceiling.js';
import type { UserPage } from '../../engine/expand/ceiling.js';
import { findNamed } from '../../engine/expand/named-users.js';
import type { NamedUsers } from '../../engine/expand/named-users.js';
import { Database } from '../../platform/database/database.js';
import { localTimeOf } from '../../platform/send-at.js';
import type { TriggerOptions } from '../../platform/queue/trigger-options.js';
import { renderMessages } from '../../rules/render/render-messages.js';
import { TemplateInspector } from '../../rules/render/template-inspector.js';
import { TrialRenderer } from '../../rules/render/trial-renderer.js';
import { choicesOf, isGathered } from '../../rules/ruleset/choices.js';
import type { Frequency } from '../../rules/frequency/category-digests.js';
import type { Choices } from '../../rules/ruleset/choices.js';
import { decide, targetsOf } from '../../rules/ruleset/decide.js';
import type { Decision, RuleChannel, Target } from '../../rules/ruleset/decide.js';
import { DIGEST_TIMES } from '../../rules/ruleset/digest-time.sql.js';
import { NO_READER, isExpired, openCategoryOf, renderContexts } from '../../rules/ruleset/message.js';
import type { MessageRecipient, Subject } from '../../rules/ruleset/message.js';
import { userQuery } from '../../rules/ruleset/user-query.js';
import type { UserQuery, UserQueryText } from '../../rules/ruleset/users.sql.js';
import { ROOM, isRoomPost, ruleOf } from '../../rules/ruleset/rule.js';
import type { Rule } from '../../rules/ruleset/rule.js';
import { SecretBox } from '../../platform/secret/secret-box.js';
import { UnsubscribeLinks } from '../../engine/unsubscribe/unsubscribe-links.js';
import { isMutable } from '../../rules/thread/thread.js';
import type { Draft } from '../notification/notification-changes.js';
import { UnreachedSteps } from '../notification/step/unreached-steps.js';
import { ResolveThreads } from '../occurrence/resolve/resolve-threads.js';
import { ruleOfStep, usersOfStep } from '../../rules/step/later-steps.js';
import { laterTargets } from './step/time-line.js';
import { simulatedMessage, unsendable } from './simulate-message.js';
import type { Origin, SimulatedUser } from './simulate-message.js';
import { countOf, postOf, simulationOf } from './simulate-result.js';
import type { Obstacle, SimulatedTarget } from './simulate-result.js';
import {
  optionWarnings,
  resolveWarnings,
  waitWarnings,
  sentence,
  stopWarnings,
  templateWarnings,
  verdictWarnings,
  warn,
} from './simulate-warning.js';
import type { SimulateWarningDto, SimulatedMessageDto, SimulationDto } from './simulate.dto.js';
import { LOAD_CHANNELS, LOAD_EVENT, LOCAL_INSTANT, firstUsers, usersByGate } from './simulate.sql.js';

/** The number of messages that are shown. */
const MAX_MESSAGES = 20;

/** Users counted in one statement, at about 13 us each: a statement over millions would exceed the statement timeout. */
const COUNT_BATCH = 20_000;
/** Ids of users in memory while the users of all rules and channels are counted, about 8 bytes each. */
const MOST_IDS = 400_000;

interface SimulateInput {
  organizationId: number;
  eventId: number;
  context: Record<string, unknown>;
  options: TriggerOptions;
  /** Instead of the event's rules. */
  drafted?: Draft;
  /** The time of the simulated trigger. */
  at: Date;
  /** Aborted when the client has left. */
  signal: AbortSignal;
  /** Whether to name users and render their messages. If not, there are only numbers: a template can show every field of a user. */
  showsUsers: boolean;
}

interface EventRow extends Omit<Subject, 'occurrence' | 'createdAt' | 'channel'> {
  rules: Rule[];
  /** `max_recipients`. */
  ceiling: number | null;
  resolvesEvent: string | null;
  /** Names of the event and its parents that are switched off. */
  off: string[];
}

interface ChannelRow extends RuleChannel {
  name: string;
  config: StoredConfig;
  projectId: number | null;
}

/** The occurrence that a trigger would create. */
interface SimulatedOccurrence extends SimulateInput, EventRow {
  id: string;
  createdAt: Date;
  context: Record<string, unknown>;
  channels: Map<number, ChannelRow>;
  named: NamedUsers;
}

/** A rule over a channel, and how many of its users each gate keeps back. A room is one that no gate keeps back. */
interface CountedTarget extends Target {
  isRoom: boolean;
  judged: { gate: Gate | null; people: number }[];
}

interface UsersOfGate {
  gate: Gate | null;
  /** Ids of users. */
  users: number[];
}

interface Rendered {
  messages: SimulatedMessageDto[];
  warnings: SimulateWarningDto[];
}

/** Triggers, expands and delivers without storing or sending anything: it returns the messages instead. */
@Injectable()
export class Simulate {
  constructor(
    private readonly database: Database,
    @Inject(DISPATCHERS) private readonly dispatchers: ReadonlyMap<string, Dispatcher>,
    private readonly secrets: SecretBox,
    private readonly renderer: TrialRenderer,
    private readonly inspector: TemplateInspector,
    private readonly outbound: Outbound,
    private readonly links: UnsubscribeLinks,
    private readonly threads: ResolveThreads,
    private readonly unreached: UnreachedSteps,
  ) {}

  /** Null when there is no such event. */
  async run(input: SimulateInput): Promise<SimulationDto | null> {
    const occurrence = await this.load(input);
    if (!occurrence) return null;
    const { rules, context, options, channels, named, at, off, ceiling } = occurrence;
    const decisions = decide(rules, context, options, channels);
    const { people: users, counted } = await this.count(occurrence, targetsOf(decisions));
    const targets: SimulatedTarget[] = [];
    let left = MAX_MESSAGES;
    for (const target of counted) {
      // At least one message of each target, to find problems of its template.
      const simulated = await this.simulate(occurrence, target, Math.max(1, left));
      left -= simulated.messages.length;
      targets.push(simulated);
    }
    targets.push(...(await this.later(occurrence, decisions, left)));
    const unreached = await this.unreachedSteps(occurrence, decisions);
    const warnings = [
      ...(input.showsUsers ? [] : [warn('not_checked', NOT_SHOWN)]),
      ...stopWarnings(off, ceiling, users, targets),
      ...verdictWarnings(decisions, channels),
      ...optionWarnings(options, named.unknown, at),
      ...resolveWarnings(occurrence.resolvesEvent, await this.threads.ofEvent(occurrence)),
      ...unreached,
    ];
    const simulated = simulationOf(rules, decisions, { people: users, targets }, warnings, MAX_MESSAGES, at);
    return { ...simulated, ends: await this.threads.toEnd({ ...occurrence, thread: options.resolves_thread }) };
  }

  /** The later steps, each at its time, as if nothing came of the steps before. */
  private async later(
    occurrence: SimulatedOccurrence,
    decisions: Decision[],
    most: number,
  ): Promise<SimulatedTarget[]> {
    const found: SimulatedTarget[] = [];
    for (const { at, ofOthers, ...target } of laterTargets(occurrence.rules, decisions, occurrence.at)) {
      const own = ofOthers === null ? occurrence : await this.forOthers(occurrence, target);
      const { counted } = await this.count(own, [target]);
      const simulated = await this.simulate({ ...own, at }, counted[0]!, Math.max(1, most));
      if (ofOthers !== null) nameStep(simulated, ofOthers);
      const messages = simulated.messages.map((message) => ({ ...message, until: message.until ?? at.toISOString() }));
      most -= messages.length;
      const warnings = [...simulated.warnings, ...waitWarnings(simulated.messages)];
      found.push({ ...simulated, messages, warnings, isLater: true });
    }
    return found;
  }

  /** Warns of steps that tell nobody, of the rules that apply and of a draft, whomever the options limit the trigger to. */
  private async unreachedSteps(
    { organizationId, rules, channels, drafted }: SimulatedOccurrence,
    decisions: Decision[],
  ) {
    const warnings: SimulateWarningDto[] = [];
    for (const { notification, name, verdict } of decisions) {
      if (verdict !== 'matched' && notification !== drafted?.id) continue;
      const { steps = [] } = ruleOf(rules, { notification });
      for (const { channel, sentence: said } of await this.unreached.of({ organizationId, steps, channels }))
        warnings.push(warn('unreached_step', sentence(said), { notification: name, channel }));
    }
    return warnings;
  }

  /** The same occurrence, as if the rule meant the users of its step. */
  private async forOthers(
    occurrence: SimulatedOccurrence,
    { notification, channel }: Target,
  ): Promise<SimulatedOccurrence> {
    const { organizationId, context, options } = occurrence;
    const rules = occurrence.rules.map((rule) => {
      const to = rule.id === notification ? usersOfStep(rule, channel) : null;
      return to ? ruleOfStep(rule, to) : rule;
    });
    return { ...occurrence, rules, named: await findNamed(this.database, { organizationId, rules, context, options }) };
  }

  private async load(input: SimulateInput): Promise<SimulatedOccurrence | null> {
    const { organizationId, eventId, context, at } = input;
    const [event] = await this.rows<EventRow>(LOAD_EVENT, [organizationId, eventId, JSON.stringify(context)]);
    if (!event) return null;
    const rules = input.drafted?.rules ?? event.rules;
    requireRecipients(rules, input.options);
    const options = await this.withTold(input, rules, event.resolvesEvent);
    const ids = rules.flatMap(({ templates }) => templates.map(({ channel }) => channel));
    const channels = await this.rows<ChannelRow>(LOAD_CHANNELS, [organizationId, ids]);
    return {
      ...input,
      ...event,
      ...{ rules, options },
      id: uuidV7(at.getTime()),
      createdAt: at,
      channels: new Map(channels.map((channel) => [channel.id, channel])),
      named: await findNamed(this.database, { organizationId, rules, context, options }),
    };
  }

  /** Whom the trigger would find that had a message about what it resolves, if a rule means them. */
  private async withTold(input: SimulateInput, rules: Rule[], resolvesEvent: string | null): Promise<TriggerOptions> {
    const { eventId, context, options } = input;
    if (!rules.some(({ to }) => to === 'told')) return options;
    const thread = options.resolves_thread;
    return { ...options, told: await this.threads.told({ eventId, context, thread, resolvesEvent }) };
  }

  private async simulate(
    occurrence: SimulatedOccurrence,
    target: CountedTarget,
    most: number,
  ): Promise<SimulatedTarget> {
    const { notification, channel, isRoom, judged } = target;
    const rule = ruleOf(occurrence.rules, target);
    const origin = { notification: rule.name, channel: occurrence.channels.get(channel)!.slug };
    const chunk = this.chunkOf(occurrence, target);
    const obstacle = 'problem' in chunk ? chunk : isExpired(chunk.expiresAt, occurrence.at) ? EXPIRED : null;
    const count = isRoom ? postOf(obstacle) : countOf(judged, obstacle);
    const isOpen = occurrence.showsUsers && judged.some(({ gate }) => gate === null) && obstacle !== EXPIRED;
    const first = () => this.usersOf<SimulatedUser>(occurrence, rule, channel, firstUsers, ALL, [most, occurrence.at]);
    const found: SimulatedUser[] = !isOpen ? [] : isRoom ? [await this.room(occurrence)] : await first();
    const users = isRoom ? found : await this.gather(occurrence, target, found);
    const rendered =
      'problem' in chunk
        ? problemOf(origin, users, chunk.problem, target)
        : await this.render(occurrence, origin, chunk, users);
    const refusal = 'problem' in chunk ? null : this.outbound.refusalOf(chunk.config);
    if (refusal !== null) rendered.warnings.push(warn('channel_problem', sentence(refusal), origin));
    if (count.people === 0 && !isRoom)
      rendered.warnings.push(warn('empty_audience', 'The notification has no recipients', origin));
    return { notification, channel, per: isRoom ? 'room' : 'person', count, ...rendered };
  }

  /** A post to a room may wait for a time on the clock of the organization. */
  private async room({ at, options, recipients }: SimulatedOccurrence): Promise<SimulatedUser> {
    const local = localTimeOf(options.send_at);
    if (local === null) return roomAt(at);
    const [time] = await this.rows<{ until: Date }>(LOCAL_INSTANT, [local, recipients.timeZone ?? 'UTC']);
    return time!.until > at ? { ...roomAt(at), waitsFor: 'send_at', until: time!.until } : roomAt(at);
  }

  /** A message that would be gathered waits for its digest. */
  private async gather(
    occurrence: SimulatedOccurrence,
    target: Target,
    users: SimulatedUser[],
  ): Promise<SimulatedUser[]> {
    const rule = ruleOf(occurrence.rules, target);
    const choices = this.choicesOf(occurrence, rule, target.channel);
    if (!isGathered(choices)) return users;
    const ids = users.map(({ userId }) => userId);
    const values = [ids, JSON.stringify(choices), occurrence.at, target.notification, target.channel];
    type Row = { userId: number; isOpen: boolean; waits: boolean; sentAt: Date; frequency: Frequency | null };
    const digests = new Map((await this.rows<Row>(DIGEST_TIMES, values)).map((row) => [row.userId, row]));
    return users.map((user) => {
      const digest = digests.get(user.userId);
      if (!digest || !(digest.isOpen || digest.waits)) return user;
      return { ...user, waitsFor: 'digest', until: digest.sentAt, frequency: digest.frequency };
    });
  }

  private async render(
    { at, organizationId }: SimulatedOccurrence,
    origin: Origin,
    chunk: Chunk,
    users: SimulatedUser[],
  ): Promise<Rendered> {
    if (users.length === 0) return { messages: [], warnings: [] };
    const canOptOut = openCategoryOf(chunk.subject) !== null;
    const links = this.links.sample({
      canOptOut,
      canAcknowledge: chunk.canAcknowledge,
      canMute: canOptOut && isMutable(chunk.subject.thread),
    });
    for (const user of users) if (user.userId !== ROOM) user.links = links;
    const { template, subject } = chunk;
    const results = await renderMessages(
      this.renderer,
      users.map((reader) => ({ template, subject, reader })),
    );
    const messages = users.flatMap((user, i) => simulatedMessage(origin, chunk, user, results[i]!, at) ?? []);
    const inspect = () => this.inspector.inspect(organizationId, template.parts, renderContexts(subject, users));
    return { messages, warnings: await templateWarnings(messages, inspect, origin) };
  }

  /** The chunk that a worker would send, or why it could not. */
  private chunkOf(
    occurrence: SimulatedOccurrence,
    { notification, channel, reason }: Target,
  ): Chunk | { problem: string } {
    if (reason !== undefined) return { problem: reason };
    const target = { occurrence: occurrence.id, notification, channel, template: channel };
    const shared: SharedRow = {
      ...occurrence,
      ...occurrence.channels.get(channel)!,
      digest: null,
      status: 'expanded',
      off: null,
      fallback: null,
      statusWebhook: null,
    };
    return prepareChunk(target, shared, this.dispatchers, this.secrets);
  }

  /** Counts the users of each target, and those of all targets together, each user once. */
  private async count(occurrence: SimulatedOccurrence, targets: Target[]) {
    const counted = targets.map((target): CountedTarget => {
      const isRoom = isRoomPost(occurrence.rules, target);
      return { ...target, isRoom, judged: isRoom ? [{ gate: null, people: 1 }] : [] };
    });
    const limit = Math.min(COUNT_BATCH, Math.ceil(MOST_IDS / targets.length));
    const pages = counted
      .filter(({ isRoom }) => !isRoom)
      .map((target) => async (after: number): Promise<UserPage> => {
        const { judged, channel } = target;
        const page = { after, limit };
        const rule = ruleOf(occurrence.rules, target);
        const rows = await this.usersOf<UsersOfGate>(occurrence, rule, channel, usersByGate, page);
        judged.push(...rows.map(({ gate, users }) => ({ gate, people: users.length })));
        const reached = rows.flatMap(({ users }) => users);
        const last = reached.reduce((most, id) => Math.max(most, id), after);
        return { last: reached.length === limit ? last : null, reached };
      });
    return { people: await countDistinct(pages), counted };
  }

  /** Queries the users of a rule over a channel with the same SQL as an expansion. */
  private async usersOf<Row extends object>(
    occurrence: SimulatedOccurrence,
    rule: Rule,
    channelId: number,
    textFor: UserQueryText,
    page: Pick<UserQuery, 'after' | 'limit'>,
    more: unknown[] = [],
  ): Promise<Row[]> {
    const { organizationId, channels, named, signal } = occurrence;
    signal.throwIfAborted();
    const choices = this.choicesOf(occurrence, rule, channelId);
    const users = {
      organizationId,
      rule,
      channelId,
      channels,
      dispatchers: this.dispatchers,
      only: named.only(rule),
      choices,
    };
    const { text, values } = userQuery(users, page, textFor, more);
    return this.rows(text, values);
  }

  private choicesOf(occurrence: SimulatedOccurrence, rule: Rule, channelId: number): Choices | null {
    const { recipients, eventId, channels, context, options } = occurrence;
    const channelType = channels.get(channelId)?.type ?? '';
    return choicesOf(recipients, { eventId, channelType, channel: channelId, rule, context, options });
  }

  private async rows<Row extends object>(sql: string, values: unknown[]): Promise<Row[]> {
    return (await this.database.pool.query<Row>(sql, values)).rows;
  }
}

/** As the trigger does. */
function requireRecipients(rules: Rule[], { recipients }: TriggerOptions): void {
  const hasRecipients = recipients !== undefined;
  if (rules.some(({ to }) => to === 'recipients') === hasRecipients) return;
  throw invalid({ 'options.recipients': [unfitRecipients(hasRecipients)] });
}

function nameStep({ warnings }: SimulatedTarget, step: number): void {
  for (const warning of warnings)
    if (warning.kind === 'empty_audience') warning.detail = `Step ${step} has no recipients.`;
}

const roomAt = (pendingSince: Date): MessageRecipient => ({
  ...NO_READER,
  ...{ id: '', userId: ROOM, attempts: 0, attemptsBefore: 0, pendingSince, address: null, locked: false },
});

const ALL = { after: 0, limit: null };

const NOT_SHOWN = 'Messages are neither rendered nor shown: the API key lacks the permission user:read';

const EXPIRED: Obstacle = { gate: 'expired' };

/** Messages that could not be rendered. A rule that failed has one warning for all its channels, so there is none here. */
function problemOf(origin: Origin, users: MessageRecipient[], problem: string, { reason }: Target): Rendered {
  return {
    messages: users.map((user) => unsendable(origin, user, problem)),
    warnings: reason === undefined ? [warn('channel_problem', sentence(problem), origin)] : [],
  };
}
