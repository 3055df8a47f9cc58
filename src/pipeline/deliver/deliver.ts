import { Inject, Injectable } from '@nestjs/common';
import type { OnApplicationShutdown } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { Dispatcher } from '../../dispatcher/dispatcher.js';
import { DISPATCHERS } from '../../dispatcher/dispatcher.module.js';
import type { Gate } from '../../generated/prisma/enums.js';
import { Database } from '../../prisma/database.js';
import { rangeValues, targetValues } from '../../queue/deliver-job.js';
import type { DeliverPayload } from '../../queue/task.js';
import { Renderer } from '../../render/renderer.js';
import { isExpired } from '../../ruleset/message.js';
import type { Person } from '../../ruleset/message.js';
import { SecretBox } from '../../secret/secret-box.js';
import { report } from '../../status-webhook/report.sql.js';
import type { Span } from '../../watch/traces.js';
import { Watch } from '../../watch/watch.js';
import { judge } from '../outcome/judge.js';
import { Outcomes } from '../outcome/outcomes.js';
import { fallBack } from '../outcome/outcomes.sql.js';
import { gaveUpWaiting, skipped } from '../outcome/result.js';
import { LONGEST_SCHEDULE_MS } from '../outcome/retry.js';
import { Pause } from '../steer/pause.js';
import { ChannelRateLimit } from './channel-rate-limit.js';
import { MAX_WAIT_MS } from './channel-state.sql.js';
import { prepareChunk } from './chunk.js';
import type { Chunk, SharedRow, UnusableChunk } from './chunk.js';
import { ChunkSender } from './chunk-sender.js';
import { Circuit } from './circuit.js';
import type { CircuitState } from './circuit.js';
import {
  GIVE_UP_CHUNK,
  LOAD_PEOPLE,
  LOAD_SHARED,
  MAY_GO_ON,
  PEOPLE_AT_ONCE,
  REQUEUE_REST,
  SKIP_CHUNK,
} from './deliver.sql.js';
import { DeliveryWatch } from './delivery-watch.js';
import { InFlight } from './in-flight.js';

interface Delivered {
  /** The shortest time that the rest of the chunk must wait. */
  waitMs: number;
  /** How many deliveries are finished. */
  settled: number;
}

/** Sends the messages of a chunk: load, render, send, write the outcomes. */
@Injectable()
export class Deliver implements OnApplicationShutdown {
  private readonly renderer = new Renderer();
  private readonly inFlight = new InFlight();
  private readonly writers = new LRUCache<string, Outcomes>({ max: 1000 });

  constructor(
    private readonly database: Database,
    @Inject(DISPATCHERS) private readonly dispatchers: ReadonlyMap<string, Dispatcher>,
    private readonly secrets: SecretBox,
    private readonly watch: Watch,
    private readonly pause: Pause,
  ) {}

  async onApplicationShutdown(): Promise<void> {
    await this.renderer.close();
  }

  /** `fresh`: all people of the chunk, if it has just been created and has at most one page of them. */
  async run(payload: DeliverPayload, stopping: AbortSignal, fresh?: Person[]): Promise<void> {
    const { traces } = this.watch;
    const work = (span?: Span) => this.runChunk(payload, stopping, fresh, span);
    return traces ? traces.during('deliver', payload.occurrence, work) : work();
  }

  private async runChunk(payload: DeliverPayload, stopping: AbortSignal, fresh?: Person[], span?: Span): Promise<void> {
    const shared = await this.load(payload);
    if (!shared) return; // the occurrence was deleted with its deliveries
    span?.add({ 'carillon.organization': shared.organization.slug, 'carillon.channel.type': shared.type });
    const watch = new DeliveryWatch(shared.type, this.watch.meters, span);
    if (shared.status === 'canceled') return this.skip(payload, 'canceled', watch);
    if (shared.off) return this.pause.deliver(payload, shared.off);
    if (shared.slug === null) return this.skip(payload, 'channel_disabled', watch); // the channel was deleted
    const target = { ...payload, template: payload.template ?? payload.channel };
    const chunk = prepareChunk(target, shared, this.dispatchers, this.secrets);
    const { waitMs, settled } =
      'problem' in chunk
        ? await this.postpone(payload, chunk, shared, watch)
        : await this.deliver(payload, chunk, shared, watch, stopping, fresh);
    if (settled === fresh?.length) return; // nothing is left, and nobody else knows of these rows yet
    await this.database.query('requeue-rest', REQUEUE_REST, [...rangeValues(payload), payload.priority, waitMs]);
  }

  /** The job failed at every attempt: its deliveries become dead instead of waiting forever. */
  async giveUp(payload: DeliverPayload): Promise<void> {
    const reason = 'given up: the job failed at every attempt; see the worker log';
    const values = [...rangeValues(payload), reason];
    const { rows } = await this.database.query<{ type: string }>('give-up-chunk', GIVE_UP_CHUNK, values);
    for (const { type } of rows) this.watch.meters?.delivered(type, 'dead');
  }

  private async load(payload: DeliverPayload): Promise<(SharedRow & CircuitState) | undefined> {
    const { rows } = await this.database.query<SharedRow & CircuitState>(
      'load-shared',
      LOAD_SHARED,
      targetValues(payload),
    );
    return rows[0];
  }

  /** Sends the messages that are due. */
  private async deliver(
    payload: DeliverPayload,
    chunk: Chunk,
    shared: SharedRow & CircuitState,
    watch: DeliveryWatch,
    stopping: AbortSignal,
    fresh?: Person[],
  ): Promise<Delivered> {
    const { priority, channel } = payload;
    const circuit = new Circuit(this.database, channel, shared);
    const outcomes = this.outcomes(chunk, payload, shared);
    const { restMs } = circuit;
    const isProbe = restMs !== null;
    if (isProbe && !(restMs <= 0 && (await this.isDue(payload)) && (await circuit.claimProbe()))) {
      await this.giveUpOld(payload, chunk.expiresAt, circuit.reason, outcomes, watch);
      return { waitMs: restMs + jitterMs(), settled: 0 };
    }
    const rateLimit = new ChannelRateLimit(this.database, channel, chunk.rate);
    if (!(await rateLimit.reserveFirst())) return { waitMs: jitterMs(), settled: 0 };
    const sender = new ChunkSender({
      chunk,
      nextPeople: fresh ? once(fresh) : this.people(payload),
      isCritical: priority === 'critical',
      isProbe,
      renderer: this.renderer,
      inFlight: this.inFlight,
      rateLimit,
      circuit,
      outcomes,
      mayGoOn: () => this.mayGoOn(payload),
      stopping,
      watch,
    });
    try {
      await sender.run();
      return { waitMs: sender.isRateLimited ? jitterMs() : 0, settled: sender.settled };
    } finally {
      await circuit.save();
    }
  }

  /** Chunks with the same additions share a writer: 20 outcomes in a statement instead of 2 or 3. */
  private outcomes({ fallback }: Pick<Chunk, 'fallback'>, { priority }: DeliverPayload, shared: SharedRow): Outcomes {
    const additions = [...(fallback ? [fallBack(fallback, priority)] : []), ...reportTo(shared)];
    const key = JSON.stringify(additions.map(({ name, values }) => [name, values]));
    const outcomes = this.writers.get(key) ?? new Outcomes(this.database, additions);
    this.writers.set(key, outcomes);
    return outcomes;
  }

  /** Loads the people of the chunk whose message is due, a page at a time. */
  private people(payload: DeliverPayload): () => Promise<Person[]> {
    let { after } = payload;
    return async () => {
      if (after >= payload.last) return [];
      const range = rangeValues({ ...payload, after });
      const { rows } = await this.database.query<Person>('load-people', LOAD_PEOPLE, [...range, PEOPLE_AT_ONCE]);
      after = rows.length < PEOPLE_AT_ONCE ? payload.last : rows.at(-1)!.userId;
      return rows;
    };
  }

  private async isDue(payload: DeliverPayload): Promise<boolean> {
    const { rows } = await this.database.query<Person>('load-people', LOAD_PEOPLE, [...rangeValues(payload), 1]);
    return rows.length > 0;
  }

  private async mayGoOn(payload: DeliverPayload): Promise<boolean> {
    return (await this.database.query('may-go-on', MAY_GO_ON, targetValues(payload))).rowCount === 1;
  }

  private async skip(
    payload: DeliverPayload,
    gate: Extract<Gate, 'canceled' | 'channel_disabled'>,
    watch: DeliveryWatch,
  ): Promise<void> {
    const { rowCount } = await this.database.query('skip-chunk', SKIP_CHUNK, [...rangeValues(payload), gate]);
    watch.skipped(rowCount!);
  }

  /** The channel cannot be used, at least by this worker: its messages are retried until someone fixes the channel. */
  private async postpone(
    payload: DeliverPayload,
    { problem, ...chunk }: UnusableChunk,
    shared: SharedRow,
    watch: DeliveryWatch,
  ): Promise<Delivered> {
    const outcomes = this.outcomes(chunk, payload, shared);
    await this.each(payload, async (person, now) => {
      const result = isExpired(chunk.expiresAt, now) ? expired(person) : postponed(person, problem, now);
      await outcomes.add(result);
      watch.finished(result);
    });
    return { waitMs: 0, settled: 0 };
  }

  /** Gives up messages that waited for a failing channel longer than all their attempts would have taken. */
  private async giveUpOld(
    payload: DeliverPayload,
    expiresAt: Date | null,
    reason: string,
    outcomes: Outcomes,
    watch: DeliveryWatch,
  ): Promise<void> {
    await this.each(payload, async (person, now) => {
      const isOld = now.getTime() - person.pendingSince.getTime() > LONGEST_SCHEDULE_MS;
      const isLate = isExpired(expiresAt, now);
      if (!isLate && !isOld) return;
      const result = isLate ? expired(person) : gaveUpWaiting(person.id, person.attempts, reason);
      await outcomes.add(result);
      watch.finished(result);
    });
  }

  private async each(payload: DeliverPayload, work: (person: Person, now: Date) => Promise<void>): Promise<void> {
    const next = this.people(payload);
    for (let people = await next(); people.length > 0; people = await next()) {
      const now = new Date();
      await Promise.all(people.map((person) => work(person, now)));
    }
  }
}

/** Returns one page, then none. */
function once(people: Person[]): () => Promise<Person[]> {
  let left = people;
  return () => {
    const page = left;
    left = [];
    return Promise.resolve(page);
  };
}

const reportTo = ({ statusWebhook }: SharedRow) => (statusWebhook ? [report(statusWebhook)] : []);

/** A random delay: chunks that wait for the same channel do not all come back at once. */
const jitterMs = () => MAX_WAIT_MS * (0.25 + Math.random() / 2);

const expired = ({ id, attempts }: Person) => skipped(id, attempts, 'expired');

const postponed = (person: Person, answer: string, now: Date) =>
  judge({ ...person, at: now, durationMs: 0 }, { kind: 'retry', answer }, now, Math.random());
