import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { DAYS } from '../../src/platform/field/weekly-range.js';
import type { TestApp } from '../support/app/app.js';
import { useApp, useSink } from '../support/app/use.js';
import { startWorker } from '../support/app/worker.js';
import { isLong, sized } from '../support/long.js';
import { HttpSink } from '../support/sinks/http-sink.js';
import { until } from '../support/until.js';
import { Tenant, webhook } from '../support/world/tenant.js';
import { at, newWorld, step } from './limit.js';
import type { Answer, Command, Status, World } from './limit.js';

const RUNS = Number(process.env.MODEL_RUNS ?? sized(8, 150));
const SEED = process.env.MODEL_SEED === undefined ? (isLong ? undefined : 1) : Number(process.env.MODEL_SEED);
const TIMEOUT_MS = 3_600_000;
const PATIENCE_MS = 30_000;

let app: TestApp;
let sink: HttpSink;
useApp({ ROLE: 'all' }, (started) => (app = started));
useSink(
  () => HttpSink.start(),
  (started) => (sink = started),
);

const ANN = 'ann@acme.test';
const HOUR = 3_600_000;

/** A range of every day, by the clock of UTC, in hours from now. */
function hours(from: number, to: number) {
  const clock = (offset: number) => new Date(Date.now() + offset * HOUR).toISOString().slice(11, 16);
  return JSON.stringify([{ days: DAYS, from: clock(from), to: clock(to) }]);
}

/** The same commands against the service. */
class RealWorld {
  private readonly occurrences: string[] = [];

  private constructor(private readonly tenant: Tenant) {}

  static async create(count: number): Promise<RealWorld> {
    const tenant = await Tenant.create(app, {
      channels: [webhook('hook', sink.url())],
      users: [{ email: ANN }],
      lists: [{ name: 'Staff', members: [ANN] }],
      notifications: [
        {
          name: 'Tell',
          distribution_list: 'Staff',
          limit: { count, per: 'week' },
          templates: [{ channel: 'hook', text: '{{ n }}' }],
        },
      ],
    });
    sink.reply = () => ({ status: 200 });
    return new RealWorld(tenant);
  }

  async step(command: Command, { isNight }: World): Promise<void> {
    await this.act(command, isNight);
    const open = `select from jobs where organization_id = ${OWN} and (state <> 'scheduled' or run_at < now() + interval '1 minute')`;
    await until(PATIENCE_MS, async () => (await this.query(open)).length === 0);
    // The model has no circuit.
    await this.query(
      `delete from channel_states where channel_id in (select id from channels where organization_id = ${OWN})`,
    );
  }

  private async act(command: Command, isNight: boolean): Promise<void> {
    switch (command.do) {
      case 'trigger':
        this.occurrences.push(await this.tenant.trigger({ n: this.occurrences.length }));
        return;
      case 'night':
        return void (await this.setQuietHours(hours(-2, 2)));
      case 'morning':
        await this.setQuietHours(hours(2, 3));
        return this.makeDue(`d.waits_for = 'quiet'`);
      case 'a week passes':
        return void (await this.query(
          `update message_places set since = since - interval '1 week' where organization_id = ${OWN}`,
        ));
      case 'retries are due':
        return isNight ? undefined : this.makeDue('d.waits_for is null and d.attempts > 0');
      case 'answer':
        sink.reply = () => ANSWERS[command.answer];
        return;
      default:
        return this.steer(command);
    }
  }

  private async steer(command: { do: 'cancel' | 'retry'; message: number }): Promise<void> {
    const occurrence = at(this.occurrences, command.message);
    const path = `/api/o/${this.tenant.org}/occurrences/${occurrence}/${command.do}/`;
    if (occurrence) await app.as(this.tenant.key).post(path);
  }

  private setQuietHours(quiet: string) {
    return app.pool.query('update organizations set quiet_hours = $2 where slug = $1', [this.tenant.org, quiet]);
  }

  private async makeDue(which: string): Promise<void> {
    await this.query(
      `with due as (update deliveries d set next_attempt_at = now() where d.organization_id = ${OWN} and d.status = 'pending' and ${which} returning occurrence_id)
       update jobs set run_at = now() where organization_id = ${OWN} and payload->>'occurrence' in (select occurrence_id::text from due)`,
    );
  }

  /** What became of each message, and what the provider has accepted. */
  async look(): Promise<Status[]> {
    const rows = await this.query<{ status: string; gate: Status | null; waits: string | null }>(
      `select d.status, d.gate, d.waits_for waits from deliveries d where d.organization_id = ${OWN} order by d.id`,
    );
    return rows.map(({ status, gate, waits }) =>
      status === 'pending' ? (waits === null ? 'tried' : 'waits') : (gate ?? (status as Status)),
    );
  }

  private async query<Row extends object>(sql: string): Promise<Row[]> {
    return (await app.pool.query<Row>(sql, [this.tenant.org])).rows;
  }
}

const OWN = '(select id from organizations where slug = $1)';

/** A provider that asks for an hour is not tried again before the test says so. */
const ANSWERS = {
  ok: { status: 200 },
  later: { status: 500, headers: { 'Retry-After': '3600' } },
  never: { status: 400 },
};

const given = <Name extends Command['do']>(name: Name) => fc.constant(name);
const message = fc.nat({ max: 5 });
const answer = fc.constantFrom<Answer>('ok', 'ok', 'later', 'never');
const command: fc.Arbitrary<Command> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: given('trigger') }) },
  { weight: 2, arbitrary: fc.record({ do: given('night') }) },
  { weight: 3, arbitrary: fc.record({ do: given('morning') }) },
  { weight: 1, arbitrary: fc.record({ do: given('a week passes') }) },
  { weight: 2, arbitrary: fc.record({ do: given('retries are due') }) },
  { weight: 3, arbitrary: fc.record({ do: given('answer'), answer }) },
  { weight: 1, arbitrary: fc.record({ do: given('cancel'), message }) },
  { weight: 2, arbitrary: fc.record({ do: given('retry'), message }) },
);

/** Tried first, whatever the seed. */
const EXAMPLES: [number, Command[]][] = [
  // The first of the night dies, and the second takes its place.
  [
    1,
    [
      { do: 'night' },
      ...Array<Command>(3).fill({ do: 'trigger' }),
      { do: 'answer', answer: 'never' },
      { do: 'morning' },
      { do: 'answer', answer: 'ok' },
      { do: 'retry', message: 1 },
      { do: 'retry', message: 0 },
    ],
  ],
  // A retry waits for the morning, and comes before what was triggered later.
  [
    1,
    [
      { do: 'answer', answer: 'never' },
      { do: 'trigger' },
      { do: 'answer', answer: 'ok' },
      { do: 'night' },
      { do: 'trigger' },
      { do: 'retry', message: 0 },
      { do: 'morning' },
    ],
  ],
];

it(
  'agrees with the model of a limit, whatever happens in whatever order, with three workers',
  async () => {
    const workers = [await startWorker(app), await startWorker(app)];
    const property = fc.asyncProperty(
      fc.integer({ min: 1, max: 3 }),
      fc.array(command, { minLength: 4, maxLength: 14, size: 'max' }),
      async (count, sequence) => {
        const model = newWorld(count);
        const real = await RealWorld.create(count);
        for (const [i, each] of sequence.entries()) {
          await real.step(each, model);
          step(model, each);
          expect({ after: i + 1, messages: await real.look() }).toEqual({
            after: i + 1,
            messages: model.messages.map(({ status }) => status),
          });
        }
      },
    );
    try {
      await fc.assert(property, { seed: SEED, numRuns: RUNS, examples: EXAMPLES, unbiased: true });
    } finally {
      await Promise.all(workers.map((worker) => worker.stop()));
    }
  },
  TIMEOUT_MS,
);
