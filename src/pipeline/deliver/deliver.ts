import { Inject, Injectable } from '@nestjs/common';
import type { OnApplicationShutdown } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { Dispatcher } from '../../dispatcher/dispatcher.js';
import { DISPATCHERS } from '../../dispatcher/dispatcher.module.js';
import { Database } from '../../prisma/database.js';
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
import { outlasted, skipped } from '../outcome/result.js';
import { LONGEST_SCHEDULE_MS } from '../outcome/retry.js';
import { Pause } from '../steer/pause.js';
import { prepareChunk } from './chunk.js';
import type { Chunk, SharedRow, Unusable } from './chunk.js';
import { Circuit } from './circuit.js';
import type { CircuitState } from './circuit.js';
import {
  COME_BACK,
  GIVE_UP_CHUNK,
  LOAD_PEOPLE,
  LOAD_SHARED,
  MAY_GO_ON,
  PEOPLE_AT_ONCE,
  SKIP_CHUNK,
} from './deliver.sql.js';
import { DeliveryWatch } from './delivery-watch.js';
import { InFlight } from './in-flight.js';
import { LONGEST_WAIT_MS, Pace } from './pace.js';
import { Turn } from './turn.js';

interface Delivered {
  /** How long what is left must wait, at least. */
  waitMs: number;
  /** How many came to their end. */
  settled: number;
}

/** Sends the messages of a chunk: load, render, send, write what became of each. */
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

  /** `fresh`: all people of the chunk, when they have just been made and are no more than a page. */
  async run(payload: DeliverPayload, stopping: AbortSignal, fresh?: Person[]): Promise<void> {
    const { traces } = this.watch;
    const work = (span?: Span) => this.runChunk(payload, stopping, fresh, span);
    return traces ? traces.during('deliver', payload.occurrence, work) : work();
  }

  private async runChunk(payload: DeliverPayload, stopping: AbortSignal, fresh?: Person[], span?: Span): Promise<void> {
    const shared = await this.load(payload);
    if (!shared) return; // the occurrence is gone, and its deliveries with it
    span?.add({ 'carillon.organization': shared.organization.slug, 'carillon.channel.type': shared.type });
    const watch = new DeliveryWatch(shared.type, this.watch.meters, span);
    if (shared.status === 'canceled') return this.skip(payload, 'canceled', watch);
    if (shared.off) return this.pause.deliver(payload, shared.off);
    if (shared.slug === null) return this.skip(payload, 'channel_disabled', watch); // it was deleted
    const place = { ...payload, template: payload.template ?? payload.channel };
    const chunk = prepareChunk(place, shared, this.dispatchers, this.secrets);
    const { waitMs, settled } =
      'problem' in chunk
        ? await this.postpone(payload, chunk, shared, watch)
        : await this.deliver(payload, chunk, shared, watch, stopping, fresh);
    if (settled === fresh?.length) return; // nothing is left of it: nobody else knows of these rows yet
    await this.database.query('come-back', COME_BACK, [...rangeOf(payload), payload.priority, waitMs]);
  }

  /** Whatever it was, it failed at every attempt: the deliveries say so rather than wait for ever. */
  async giveUp(payload: DeliverPayload): Promise<void> {
    const reason = 'given up: it could not be worked on; the log of the workers says why';
    const values = [...rangeOf(payload), reason];
    const { rows } = await this.database.query<{ type: string }>('give-up-chunk', GIVE_UP_CHUNK, values);
    for (const { type } of rows) this.watch.meters?.delivered(type, 'dead');
  }

  private async load(payload: DeliverPayload): Promise<(SharedRow & CircuitState) | undefined> {
    const { rows } = await this.database.query<SharedRow & CircuitState>('load-shared', LOAD_SHARED, placeOf(payload));
    return rows[0];
  }

  /** Sends what is due. */
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
      await this.giveUpLate(payload, chunk.expiresAt, circuit.reason, outcomes, watch);
      return { waitMs: restMs + aLittle(), settled: 0 };
    }
    const pace = new Pace(this.database, channel, chunk.rate);
    if (!(await pace.opens())) return { waitMs: aLittle(), settled: 0 };
    const turn = new Turn({
      chunk,
      nextPeople: fresh ? once(fresh) : this.people(payload),
      isCritical: priority === 'critical',
      isProbe,
      renderer: this.renderer,
      inFlight: this.inFlight,
      pace,
      circuit,
      outcomes,
      mayGoOn: () => this.mayGoOn(payload),
      stopping,
      watch,
    });
    try {
      await turn.run();
      return { waitMs: turn.tooFast ? aLittle() : 0, settled: turn.settled };
    } finally {
      await circuit.tell();
    }
  }

  /** Chunks that want the same done with their outcomes have them written together: 20 a statement, and not 2 or 3. */
  private outcomes({ fallback }: Pick<Chunk, 'fallback'>, { priority }: DeliverPayload, shared: SharedRow): Outcomes {
    const additions = [...(fallback ? [fallBack(fallback, priority)] : []), ...reportTo(shared)];
    const key = JSON.stringify(additions.map(({ name, values }) => [name, values]));
    const outcomes = this.writers.get(key) ?? new Outcomes(this.database, additions);
    this.writers.set(key, outcomes);
    return outcomes;
  }

  /** Those of the chunk whose message is due, some at a time: what is known of a person may be large. */
  private people(payload: DeliverPayload): () => Promise<Person[]> {
    let { after } = payload;
    return async () => {
      if (after >= payload.last) return [];
      const range = rangeOf({ ...payload, after });
      const { rows } = await this.database.query<Person>('load-people', LOAD_PEOPLE, [...range, PEOPLE_AT_ONCE]);
      after = rows.length < PEOPLE_AT_ONCE ? payload.last : rows.at(-1)!.userId;
      return rows;
    };
  }

  private async isDue(payload: DeliverPayload): Promise<boolean> {
    const { rows } = await this.database.query<Person>('load-people', LOAD_PEOPLE, [...rangeOf(payload), 1]);
    return rows.length > 0;
  }

  private async mayGoOn(payload: DeliverPayload): Promise<boolean> {
    return (await this.database.query('may-go-on', MAY_GO_ON, placeOf(payload))).rowCount === 1;
  }

  private async skip(
    payload: DeliverPayload,
    gate: 'canceled' | 'channel_disabled',
    watch: DeliveryWatch,
  ): Promise<void> {
    const { rowCount } = await this.database.query('skip-chunk', SKIP_CHUNK, [...rangeOf(payload), gate]);
    watch.skipped(rowCount!);
  }

  /** A channel that cannot be used as it stands, by this worker at least: its messages wait for it to be mended. */
  private async postpone(
    payload: DeliverPayload,
    { problem, ...chunk }: Unusable,
    shared: SharedRow,
    watch: DeliveryWatch,
  ): Promise<Delivered> {
    const outcomes = this.outcomes(chunk, payload, shared);
    await this.each(payload, async (person, now) => {
      const became = isExpired(chunk.expiresAt, now) ? expired(person) : postponed(person, problem, now);
      await outcomes.add(became);
      watch.became(became);
    });
    return { waitMs: 0, settled: 0 };
  }

  /** While its channel rests a message has no attempts; it does not wait longer for all that than they would have taken. */
  private async giveUpLate(
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
      const became = isLate ? expired(person) : outlasted(person.id, person.attempts, reason);
      await outcomes.add(became);
      watch.became(became);
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

const placeOf = ({ occurrence, channel, notification }: DeliverPayload) => [occurrence, channel, notification];

const rangeOf = ({ occurrence, notification, channel, after, last, template, lot }: DeliverPayload) => [
  ...[occurrence, notification, channel, after, last, template, lot],
];

/** A single page. */
function once(people: Person[]): () => Promise<Person[]> {
  let left = people;
  return () => {
    const page = left;
    left = [];
    return Promise.resolve(page);
  };
}

const reportTo = ({ statusWebhook }: SharedRow) => (statusWebhook ? [report(statusWebhook)] : []);

/** A spread, in milliseconds: chunks that wait for the same thing do not all come at once. */
const aLittle = () => LONGEST_WAIT_MS * (0.25 + Math.random() / 2);

const expired = ({ id, attempts }: Person) => skipped(id, attempts, 'expired');

const postponed = (person: Person, answer: string, now: Date) =>
  judge({ ...person, at: now, durationMs: 0 }, { kind: 'retry', answer }, now, Math.random());
