import { Inject, Injectable } from '@nestjs/common';
import type { OnApplicationShutdown } from '@nestjs/common';
import { SecretBox } from '../common/secret-box.js';
import { openConfig } from '../dispatcher/channel-config.js';
import type { StoredConfig } from '../dispatcher/channel-config.js';
import { DISPATCHERS } from '../dispatcher/dispatcher.module.js';
import type { ChannelConfig, Dispatcher, Message } from '../dispatcher/dispatcher.js';
import { Renderer } from '../notification/renderer.js';
import type { RenderResult, TemplateSource } from '../notification/render-result.js';
import { templateKey } from '../notification/template.js';
import { Database } from '../prisma/database.js';
import { jobPriority } from '../queue/priority.js';
import type { Priority } from '../queue/priority.js';
import type { DeliverPayload } from '../queue/task.js';
import { COME_BACK, LOAD_PEOPLE, LOAD_SHARED, SKIP_CHUNK } from './deliver.sql.js';
import { judge } from './judge.js';
import { Limit } from './limit.js';
import { lateGate, messageFor, missing, renderContexts } from './message.js';
import type { Person, Subject } from './message.js';
import { Outcomes } from './outcomes.js';
import { skipped, stillborn } from './result.js';
import type { Result } from './result.js';
import type { Rule } from './rule.js';

/** Messages in flight, over one channel and over all of a worker: what may repeat after a kill. */
export const IN_FLIGHT_PER_CHANNEL = 50;
export const IN_FLIGHT = 200;

/** After so long a chunk goes to the end of the line: a slow provider must not hold the workers for itself. */
const TURN_MS = 5000;

/** Messages that are rendered at a time. */
const SLICE = 50;

interface SharedRow extends Omit<Subject, 'occurrence' | 'channel'> {
  options: { priority?: Priority; expires_at?: string };
  rules: Rule[];
  /** None when the channel was deleted. */
  slug: string | null;
  name: string;
  type: string;
  enabled: boolean | null;
  config: StoredConfig;
  projectId: number | null;
  organizationId: number;
}

/** What the messages of a chunk share, made ready. */
interface Chunk {
  channelId: number;
  expiresAt: Date | null;
  subject: Subject;
  dispatcher: Dispatcher;
  config: ChannelConfig;
  template: TemplateSource;
}

/** Sends the messages of a chunk: load, render, send, write what became of each. */
@Injectable()
export class Deliver implements OnApplicationShutdown {
  private readonly renderer = new Renderer();
  private readonly worker = new Limit(IN_FLIGHT);
  private readonly perChannel = new Map<number, Limit>();

  constructor(
    private readonly database: Database,
    @Inject(DISPATCHERS) private readonly dispatchers: ReadonlyMap<string, Dispatcher>,
    private readonly secrets: SecretBox,
  ) {}

  async onApplicationShutdown(): Promise<void> {
    await this.renderer.close();
  }

  async run(payload: DeliverPayload, stopping: AbortSignal): Promise<void> {
    const { occurrence, notification, channel, after, last } = payload;
    const range = [occurrence, notification, channel, after, last];
    const { rows } = await this.database.query<SharedRow>('load-shared', LOAD_SHARED, [occurrence, channel]);
    const [shared] = rows;
    if (!shared) return; // the occurrence is gone, and its deliveries with it
    if (!shared.enabled) return void (await this.database.query('skip-chunk', SKIP_CHUNK, range));
    const { rows: people } = await this.database.query<Person>('load-people', LOAD_PEOPLE, range);
    const outcomes = new Outcomes(this.database);
    const chunk = this.prepare(payload, shared);
    if ('problem' in chunk) {
      await Promise.all(people.map((person) => outcomes.add(postponed(person, chunk.problem))));
    } else {
      const until = Date.now() + TURN_MS;
      for (let start = 0; start < people.length && !stopping.aborted && Date.now() < until; start += SLICE) {
        await this.sendSlice(chunk, people.slice(start, start + SLICE), outcomes, stopping);
      }
    }
    await this.database.query('come-back', COME_BACK, [...range, jobPriority(shared.options.priority)]);
  }

  private prepare(
    { occurrence, notification, channel: channelId }: DeliverPayload,
    shared: SharedRow,
  ): Chunk | { problem: string } {
    const { name, type, context, createdAt, event, application, project, organization } = shared;
    const slug = shared.slug ?? '';
    const dispatcher = this.dispatchers.get(type);
    const rule = shared.rules.find(({ id }) => id === notification);
    const parts = rule?.templates.find(({ channel }) => channel === channelId)?.parts;
    if (!dispatcher || !parts) return { problem: `there is no dispatcher for ${type}, or no template for ${slug}` };
    try {
      const config = openConfig(shared.config, { ...shared, slug }, this.secrets);
      const channel = { slug, name, type };
      const subject = { occurrence, createdAt, context, event, application, project, organization, channel };
      const { expires_at: expires } = shared.options;
      const expiresAt = expires === undefined ? null : new Date(expires);
      return { channelId, expiresAt, subject, dispatcher, config, template: { key: templateKey(parts), parts } };
    } catch (error) {
      return { problem: `the settings of ${slug} cannot be read: ${(error as Error).message}` };
    }
  }

  private async sendSlice(chunk: Chunk, people: Person[], outcomes: Outcomes, stopping: AbortSignal): Promise<void> {
    const rendered = await this.renderer.render(chunk.template, renderContexts(chunk.subject, people));
    const sendOne = async (person: Person, result: RenderResult): Promise<void> => {
      if (stopping.aborted) return;
      const gate = lateGate(person, chunk.expiresAt, new Date());
      if (gate) return outcomes.add(skipped(person.id, person.attempts, gate));
      const problem =
        missing(person, chunk.dispatcher.addressKind) ?? (result.ok ? null : `the template failed: ${result.error}`);
      if (problem !== null || !result.ok) await outcomes.add(stillborn(person.id, person.attempts, problem ?? ''));
      else await this.send(chunk, person, messageFor(chunk.subject, person, result.message), outcomes);
    };
    await Promise.all(people.map((person, i) => this.limited(chunk.channelId, () => sendOne(person, rendered[i]!))));
  }

  private limited(channel: number, work: () => Promise<void>): Promise<void> {
    let limit = this.perChannel.get(channel);
    if (!limit) this.perChannel.set(channel, (limit = new Limit(IN_FLIGHT_PER_CHANNEL)));
    return limit.run(() => this.worker.run(work));
  }

  private async send(
    { dispatcher, config }: Chunk,
    { id, attempts }: Person,
    message: Message,
    outcomes: Outcomes,
  ): Promise<void> {
    const at = new Date();
    const outcome = await dispatcher.send(message, config);
    const now = new Date();
    const result = judge({ id, attempts, at, durationMs: now.getTime() - at.getTime() }, outcome, now, Math.random());
    const { subject, text, html } = message;
    const shown = dispatcher.type === 'inbox' && outcome.kind === 'sent' ? { subject, text, html } : null;
    await outcomes.add({ ...result, shown });
  }
}

/** A channel that cannot be used as it stands, by this worker at least: its messages wait for it to be mended. */
function postponed({ id, attempts }: Person, answer: string): Result {
  const now = new Date();
  return judge({ id, attempts, at: now, durationMs: 0 }, { kind: 'retry', answer }, now, Math.random());
}
