import { Inject, Injectable } from '@nestjs/common';
import { compileAudience } from '../condition/audience.js';
import type { Audience } from '../condition/audience.js';
import type { StoredConfig } from '../dispatcher/channel-config.js';
import type { Dispatcher } from '../dispatcher/dispatcher.js';
import { DISPATCHERS } from '../dispatcher/dispatcher.module.js';
import { uuidV7 } from '../field/uuid-v7.js';
import type { Gate } from '../generated/prisma/enums.js';
import { prepareChunk } from '../pipeline/deliver/chunk.js';
import type { Chunk } from '../pipeline/deliver/chunk.js';
import { onlyTo } from '../pipeline/expand/expand.js';
import { Database } from '../prisma/database.js';
import { TrialRenderer } from '../render/trial-renderer.js';
import { addressKindOf, decide, targetsOf } from '../ruleset/decide.js';
import type { RuleChannel, Target } from '../ruleset/decide.js';
import { isExpired, renderContexts } from '../ruleset/message.js';
import type { Person, Subject } from '../ruleset/message.js';
import { FIRST_FREE_PARAMETER, peopleValues } from '../ruleset/people.sql.js';
import type { PeopleQuery } from '../ruleset/people.sql.js';
import type { Rule } from '../ruleset/rule.js';
import { SecretBox } from '../secret/secret-box.js';
import { noted, unsendable } from './simulate-message.js';
import type { Origin, SimulatedMessage } from './simulate-message.js';
import { countOf, simulationOf } from './simulate-result.js';
import type { Against, SimulatedTarget, Simulation } from './simulate-result.js';
import { optionWarnings, railWarnings, sentence, templateWarnings, verdictWarnings, warn } from './simulate-warning.js';
import type { Warning } from './simulate-warning.js';
import { LOAD_CHANNELS, LOAD_EVENT, countPeople, firstPeople } from './simulate.sql.js';

/** Messages that are shown. */
const MOST_MESSAGES = 20;

/** People who are counted in one statement, at some 13 us each: one over millions would take longer than a statement may. */
const COUNTED_AT_ONCE = 20_000;

export interface SimulateInput {
  organizationId: number;
  eventId: number;
  context: Record<string, unknown>;
  options: { channels?: string[]; limit_to?: string[]; expires_at?: string };
  /** When it would be triggered. */
  at: Date;
  /** Aborted when nobody waits for the answer any more. */
  signal: AbortSignal;
}

interface EventRow extends Omit<Subject, 'occurrence' | 'createdAt' | 'channel'> {
  rules: Rule[];
  /** `max_recipients`. */
  ceiling: number | null;
  /** What of its way is switched off. */
  off: string[];
}

interface ChannelRow extends RuleChannel {
  name: string;
  config: StoredConfig;
  projectId: number | null;
}

/** An occurrence that never was. */
interface Imagined extends SimulateInput, EventRow {
  id: string;
  context: Record<string, unknown>;
  channels: Map<number, ChannelRow>;
  /** The users that `limit_to` leaves; null is everyone. */
  only: number[] | null;
}

interface JudgedCount {
  gate: Gate | null;
  people: number;
  /** The last of them. */
  last: number;
}

interface Rendered {
  messages: SimulatedMessage[];
  warnings: Warning[];
}

/** Trigger, expand and deliver without storing or sending anything: what would be said is only noted. */
@Injectable()
export class Simulate {
  constructor(
    private readonly database: Database,
    @Inject(DISPATCHERS) private readonly dispatchers: ReadonlyMap<string, Dispatcher>,
    private readonly secrets: SecretBox,
    private readonly renderer: TrialRenderer,
  ) {}

  /** None when there is no such event. */
  async run(input: SimulateInput): Promise<Simulation | null> {
    const imagined = await this.imagine(input);
    if (!imagined) return null;
    const { rules, context, options, channels, only, at, off, ceiling } = imagined;
    const decisions = decide(rules, context, options.channels, channels);
    const targets: SimulatedTarget[] = [];
    let left = MOST_MESSAGES;
    for (const target of targetsOf(decisions)) {
      // One of each at least, to find what is wrong with its template.
      const simulated = await this.simulate(imagined, target, Math.max(1, left));
      left -= simulated.messages.length;
      targets.push(simulated);
    }
    const warnings = [
      ...railWarnings(off, ceiling, targets),
      ...verdictWarnings(decisions),
      ...optionWarnings(options, only, at),
    ];
    return simulationOf(decisions, targets, warnings, MOST_MESSAGES);
  }

  private async imagine(input: SimulateInput): Promise<Imagined | null> {
    const { organizationId, eventId, context, at } = input;
    const [event] = await this.rows<EventRow>(LOAD_EVENT, [organizationId, eventId, JSON.stringify(context)]);
    if (!event) return null;
    const ids = event.rules.flatMap(({ templates }) => templates.map(({ channel }) => channel));
    const channels = await this.rows<ChannelRow>(LOAD_CHANNELS, [organizationId, ids]);
    return {
      ...input,
      ...event,
      id: uuidV7(at.getTime()),
      channels: new Map(channels.map((channel) => [channel.id, channel])),
      only: await onlyTo(this.database, input),
    };
  }

  private async simulate(imagined: Imagined, target: Target, most: number): Promise<SimulatedTarget> {
    const { notification, channel } = target;
    const rule = imagined.rules.find(({ id }) => id === notification)!;
    const origin = { notification: rule.name, channel: imagined.channels.get(channel)!.slug };
    const chunk = this.chunkOf(imagined, target);
    const against = 'problem' in chunk ? chunk : isExpired(chunk.expiresAt, imagined.at) ? EXPIRED : null;
    const judged = await this.count(imagined, rule, channel);
    const count = countOf(judged, against);
    const isOpen = judged.some(({ gate }) => gate === null) && against !== EXPIRED;
    const people = isOpen ? await this.people<Person>(imagined, rule, channel, firstPeople, ALL, [most]) : [];
    const rendered =
      'problem' in chunk
        ? problemOf(origin, people, chunk.problem, target)
        : await this.render(imagined, origin, chunk, people);
    if (count.people === 0) rendered.warnings.push(warn('empty_audience', 'It means nobody', origin));
    return { notification, channel, count, ...rendered };
  }

  private async render(imagined: Imagined, origin: Origin, chunk: Chunk, people: Person[]): Promise<Rendered> {
    if (people.length === 0) return { messages: [], warnings: [] };
    const contexts = renderContexts(chunk.subject, people);
    const results = await this.renderer.render(chunk.template, contexts);
    const messages = people.flatMap((person, i) => noted(origin, chunk, person, results[i]!, imagined.at) ?? []);
    return { messages, warnings: templateWarnings(chunk.template.parts, contexts, messages, origin) };
  }

  /** What a worker would make ready to send, or why it could not. */
  private chunkOf(imagined: Imagined, { notification, channel, reason }: Target): Chunk | { problem: string } {
    if (reason !== undefined) return { problem: reason };
    const { id: occurrence, at: createdAt } = imagined;
    const place = { occurrence, notification, channel, template: channel };
    const shared = {
      ...imagined,
      ...imagined.channels.get(channel)!,
      createdAt,
      status: 'expanded',
      off: null,
      fallback: null,
      statusWebhook: null,
    };
    return prepareChunk(place, shared, this.dispatchers, this.secrets);
  }

  private async count(imagined: Imagined, rule: Rule, channel: number): Promise<JudgedCount[]> {
    const counts: JudgedCount[] = [];
    for (let after = 0, isMore = true; isMore;) {
      const part = { after, limit: COUNTED_AT_ONCE };
      const rows = await this.people<JudgedCount>(imagined, rule, channel, countPeople, part);
      counts.push(...rows);
      after = Math.max(after, ...rows.map(({ last }) => last));
      isMore = rows.reduce((sum, { people }) => sum + people, 0) === COUNTED_AT_ONCE;
    }
    return counts;
  }

  /** Asks about the people of a rule over a channel, in the words of an expansion. */
  private async people<Row extends object>(
    { organizationId, channels, only, signal }: Imagined,
    { lists, audience: filter }: Rule,
    channelId: number,
    sqlFor: (audience: string | null) => string,
    part: Pick<PeopleQuery, 'after' | 'limit'>,
    more: unknown[] = [],
  ): Promise<Row[]> {
    signal.throwIfAborted();
    const audience = filter ? compileAudience(filter as Audience, FIRST_FREE_PARAMETER + more.length) : null;
    const addressKind = addressKindOf(channels.get(channelId), this.dispatchers);
    const query = { organizationId, channelId, addressKind, lists, only, ...part };
    return this.rows(sqlFor(audience?.sql ?? null), [...peopleValues(query), ...more, ...(audience?.values ?? [])]);
  }

  private async rows<Row extends object>(sql: string, values: unknown[]): Promise<Row[]> {
    return (await this.database.pool.query<Row>(sql, values)).rows;
  }
}

const ALL = { after: 0, limit: null };

const EXPIRED: Against = { gate: 'expired' };

/** Messages that cannot even be written. That a rule failed is said once, for all its channels. */
function problemOf(origin: Origin, people: Person[], problem: string, { reason }: Target): Rendered {
  return {
    messages: people.map((person) => unsendable(origin, person, problem)),
    warnings: reason === undefined ? [warn('channel_problem', sentence(problem), origin)] : [],
  };
}
