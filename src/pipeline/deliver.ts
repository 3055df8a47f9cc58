import { Inject, Injectable } from '@nestjs/common';
import type { OnApplicationShutdown } from '@nestjs/common';
import { SecretBox } from '../common/secret-box.js';
import { DISPATCHERS } from '../dispatcher/dispatcher.module.js';
import type { Dispatcher } from '../dispatcher/dispatcher.js';
import { Renderer } from '../notification/renderer.js';
import { Database } from '../prisma/database.js';
import type { DeliverPayload } from '../queue/task.js';
import { prepareChunk } from './chunk.js';
import type { Chunk, SharedRow } from './chunk.js';
import { Circuit } from './circuit.js';
import type { CircuitState } from './circuit.js';
import { COME_BACK, GIVE_UP_CHUNK, LOAD_PEOPLE, LOAD_SHARED, MAY_GO_ON, SKIP_CHUNK } from './deliver.sql.js';
import { InFlight } from './in-flight.js';
import { judge } from './judge.js';
import { isExpired } from './message.js';
import type { Person } from './message.js';
import { Outcomes } from './outcomes.js';
import { fallBack } from './outcomes.sql.js';
import { LONGEST_WAIT_MS, Pace } from './pace.js';
import { report } from './report.sql.js';
import { outlasted, skipped } from './result.js';
import type { Result } from './result.js';
import { LONGEST_SCHEDULE_MS } from './retry.js';
import { Turn } from './turn.js';

/** Sends the messages of a chunk: load, render, send, write what became of each. */
@Injectable()
export class Deliver implements OnApplicationShutdown {
  private readonly renderer = new Renderer();
  private readonly inFlight = new InFlight();

  constructor(
    private readonly database: Database,
    @Inject(DISPATCHERS) private readonly dispatchers: ReadonlyMap<string, Dispatcher>,
    private readonly secrets: SecretBox,
  ) {}

  async onApplicationShutdown(): Promise<void> {
    await this.renderer.close();
  }

  async run(payload: DeliverPayload, stopping: AbortSignal): Promise<void> {
    const shared = await this.load(payload);
    if (!shared) return; // the occurrence is gone, and its deliveries with it
    const gate = shared.status === 'canceled' ? 'canceled' : shared.enabled ? null : 'channel_disabled';
    if (gate) return this.skip(payload, gate);
    const place = { ...payload, template: payload.template ?? payload.channel };
    const chunk = prepareChunk(place, shared, this.dispatchers, this.secrets);
    const notBefore =
      'problem' in chunk
        ? await this.postpone(payload, chunk.problem, shared)
        : await this.deliver(payload, chunk, shared, stopping);
    await this.comeBack(payload, notBefore);
  }

  /** Whatever it was, it failed at every attempt: the deliveries say so rather than wait for ever. */
  async giveUp(payload: DeliverPayload, { message }: Error): Promise<void> {
    await this.database.query('give-up-chunk', GIVE_UP_CHUNK, [...rangeOf(payload), `given up: ${message}`]);
  }

  private async load({ occurrence, channel }: DeliverPayload): Promise<(SharedRow & CircuitState) | undefined> {
    const { rows } = await this.database.query<SharedRow & CircuitState>('load-shared', LOAD_SHARED, [
      occurrence,
      channel,
    ]);
    return rows[0];
  }

  /** Sends what is due; the answer is when what is left may be tried again, at the earliest. */
  private async deliver(
    payload: DeliverPayload,
    chunk: Chunk,
    known: SharedRow & CircuitState,
    stopping: AbortSignal,
  ): Promise<Date> {
    const { priority, channel } = payload;
    const circuit = new Circuit(this.database, channel, known);
    const { restsUntil } = circuit;
    const isProbe = restsUntil !== null;
    const outcomes = new Outcomes(this.database, [
      ...(chunk.fallback ? [fallBack(chunk.fallback, priority)] : []),
      ...reportTo(known),
    ]);
    if (isProbe) {
      const waiting = await this.people(payload);
      if (restsUntil > new Date() || waiting.length === 0 || !(await circuit.claimProbe())) {
        await giveUpOld(waiting, chunk.expiresAt, circuit.reason, outcomes);
        return later(restsUntil);
      }
    }
    const pace = new Pace(this.database, channel, chunk.rate);
    if (!(await pace.opens())) return later(new Date());
    const people = await this.people(payload);
    const turn = new Turn({
      chunk,
      circuit,
      stopping,
      isCritical: priority === 'critical',
      renderer: this.renderer,
      inFlight: this.inFlight,
      pace,
      outcomes,
      mayGoOn: () => this.mayGoOn(payload),
    });
    try {
      const ended = await turn.send(isProbe ? people.slice(0, 1) : people);
      return ended === 'too fast' ? later(new Date()) : new Date();
    } finally {
      await circuit.tell();
    }
  }

  private async people(payload: DeliverPayload): Promise<Person[]> {
    const { rows } = await this.database.query<Person>('load-people', LOAD_PEOPLE, rangeOf(payload));
    return rows;
  }

  private async mayGoOn({ occurrence, channel }: DeliverPayload): Promise<boolean> {
    const { rows } = await this.database.query<{ status: string; enabled: boolean | null }>('may-go-on', MAY_GO_ON, [
      occurrence,
      channel,
    ]);
    return Boolean(rows[0]?.enabled) && rows[0]?.status !== 'canceled';
  }

  private async skip(payload: DeliverPayload, gate: 'canceled' | 'channel_disabled'): Promise<void> {
    await this.database.query('skip-chunk', SKIP_CHUNK, [...rangeOf(payload), gate]);
  }

  /** A channel that cannot be used as it stands, by this worker at least: its messages wait for it to be mended. */
  private async postpone(payload: DeliverPayload, problem: string, shared: SharedRow): Promise<Date> {
    const outcomes = new Outcomes(this.database, reportTo(shared));
    const people = await this.people(payload);
    await Promise.all(people.map((person) => outcomes.add(postponed(person, problem))));
    return new Date();
  }

  private async comeBack(payload: DeliverPayload, notBefore: Date): Promise<void> {
    await this.database.query('come-back', COME_BACK, [...rangeOf(payload), payload.priority, notBefore]);
  }
}

const rangeOf = ({ occurrence, notification, channel, after, last, template }: DeliverPayload) => [
  ...[occurrence, notification, channel, after, last, template],
];

const reportTo = ({ statusWebhook }: SharedRow) => (statusWebhook ? [report(statusWebhook)] : []);

/** A little spread: chunks that wait for the same thing do not all come at once. */
const later = (time: Date) =>
  new Date(Math.max(time.getTime(), Date.now()) + LONGEST_WAIT_MS * (0.25 + Math.random() / 2));

/** While its channel rests a message has no attempts; it does not wait longer for all that than they would have taken. */
async function giveUpOld(people: Person[], expiresAt: Date | null, reason: string, outcomes: Outcomes): Promise<void> {
  const now = new Date();
  const isOld = ({ pendingSince }: Person) => now.getTime() - pendingSince.getTime() > LONGEST_SCHEDULE_MS;
  const given = people.flatMap((person) => {
    if (isExpired(expiresAt, now)) return [skipped(person.id, person.attempts, 'expired')];
    return isOld(person) ? [outlasted(person.id, person.attempts, reason)] : [];
  });
  await Promise.all(given.map((result) => outcomes.add(result)));
}

function postponed(person: Person, answer: string): Result {
  const now = new Date();
  return judge({ ...person, at: now, durationMs: 0 }, { kind: 'retry', answer }, now, Math.random());
}
