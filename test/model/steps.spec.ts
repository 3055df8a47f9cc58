import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { TestApp } from '../support/app/app.js';
import { useApp, useSink } from '../support/app/use.js';
import { startWorker } from '../support/app/worker.js';
import { isLong, sized } from '../support/long.js';
import { HttpSink } from '../support/sinks/http-sink.js';
import { until } from '../support/until.js';
import { passMinutes, quiet } from '../support/world/steps.js';
import { Tenant, inbox, webhook } from '../support/world/tenant.js';
import { PEOPLE, USERS, newWorld, step } from './steps.js';
import type { Acknowledge, Answer, Command, Step, Unless } from './steps.js';

const RUNS = Number(process.env.MODEL_RUNS ?? sized(20, 2000));
const SEED = process.env.MODEL_SEED === undefined ? (isLong ? undefined : 1) : Number(process.env.MODEL_SEED);
const TIMEOUT_MS = 3_600_000;
const PATIENCE_MS = 30_000;
const TICK = 10;

let app: TestApp;
let sink: HttpSink;
useApp({ ROLE: 'all' }, (started) => (app = started));
useSink(
  () => HttpSink.start(),
  (started) => (sink = started),
);

const NAMES = Array.from({ length: PEOPLE }, (_, n) => `user-${n}@acme.test`);
const minutes = (ticks: number) => `${ticks * TICK}m`;

/** A provider that asks for an hour is not tried again before. */
const ANSWERS = {
  ok: { status: 200 },
  later: { status: 500, headers: { 'Retry-After': '3600' } },
  never: { status: 400 },
};

/** The same commands against the service. */
class RealWorld {
  private readonly taken: string[] = [];

  private constructor(
    private readonly tenant: Tenant,
    private readonly occurrence: string,
  ) {}

  static async create(steps: Step[], { by, for: lapse }: Acknowledge): Promise<RealWorld> {
    sink.reply = () => ANSWERS.ok;
    const slugs = steps.map((_, i) => `step-${i}`);
    const tenant = await Tenant.create(app, {
      channels: slugs.map((slug, i) => (i === 0 ? inbox(slug) : webhook(slug, sink.url()))),
      users: NAMES.map((email) => ({ email })),
      lists: [
        { name: 'Staff', members: NAMES.slice(0, USERS) },
        { name: 'Managers', members: NAMES.slice(2) },
      ],
      notifications: [
        {
          name: 'Tell',
          distribution_list: 'Staff',
          steps: steps.map(({ after, unless, repeat, toManagers }, i) => ({
            channels: [slugs[i]!],
            ...(i > 0 && { after: minutes(after) }),
            ...((i > 0 || repeat) && unless && { unless }),
            ...(repeat && { repeat: { every: minutes(repeat.every), times: repeat.times } }),
            ...(toManagers && { to: { distribution_list: 'Managers' } }),
          })),
          acknowledge: { by, ...(lapse !== null && { for: minutes(lapse) }) },
          templates: slugs.map((channel) => ({ channel, text: 'Hi' })),
        },
      ],
    });
    const occurrence = await tenant.trigger();
    await quiet(app.pool, occurrence);
    const world = new RealWorld(tenant, occurrence);
    world.answer('ok');
    return world;
  }

  async step(command: Command): Promise<void> {
    await this.act(command);
    await quiet(app.pool, this.occurrence);
    // The model has no circuit.
    await app.pool.query(
      `delete from channel_states where channel_id in (select id from channels where organization_id = ${OWN})`,
      [this.tenant.org],
    );
  }

  private async act(command: Command): Promise<unknown> {
    switch (command.do) {
      case 'time passes':
        for (let tick = 0; tick < command.ticks; tick++) await passMinutes(app, this.occurrence, TICK);
        return;
      case 'answer':
        return this.answer(command.answer);
      case 'inbox':
        return this.update(
          `inbox_messages set seen_at = now()${command.what === 'read' ? ', read_at = now()' : ''}
           where delivery_id in (select d.id from deliveries d where d.occurrence_id = $2 and d.user_id = ${OF_USER})`,
          [this.occurrence, NAMES[command.user]],
        );
      case 'report':
        return this.update(
          `deliveries d set report = greatest(report, $4::report_state)
           from channels c where c.id = d.channel_id and c.slug = $5 and c.type = 'webhook' and d.occurrence_id = $2 and d.user_id = ${OF_USER} and status = 'sent'`,
          [this.occurrence, NAMES[command.user], command.what, `step-${command.step}`],
        );
      case 'acknowledge':
        return app
          .as(this.tenant.key)
          .post(`/api/o/${this.tenant.org}/occurrences/${this.occurrence}/acknowledge/`)
          .send({ user: NAMES[command.user] })
          .expect(200);
      case 'lock':
      case 'unlock':
        return this.update(`users set locked = $2 where organization_id = ${OWN} and email = $3`, [
          command.do === 'lock',
          NAMES[command.user],
        ]);
      case 'cancel':
        return app.as(this.tenant.key).post(`/api/o/${this.tenant.org}/occurrences/${this.occurrence}/cancel/`);
      default:
        return this.turn(command.do === 'switch on');
    }
  }

  private answer(answer: Answer): void {
    sink.reply = ({ headers }) => {
      if (answer === 'ok') this.taken.push(String(headers['webhook-id']));
      return ANSWERS[answer];
    };
  }

  private async turn(on: boolean): Promise<void> {
    await this.update(`notifications set enabled = $2 where organization_id = ${OWN}`, [on]);
    const paused = `select from jobs where organization_id = ${OWN} and state = 'paused'`;
    if (on) await until(PATIENCE_MS, async () => (await app.pool.query(paused, [this.tenant.org])).rowCount === 0);
  }

  private update(sql: string, values: unknown[]) {
    return app.pool.query(`with org as (select $1::text) update ${sql}`, [this.tenant.org, ...values]);
  }

  /** Of each user, the messages in the order of their steps, and how often each was repeated. */
  async look(): Promise<string[]> {
    const { rows } = await app.pool.query<{ line: string }>(
      `select concat_ws(' ', u.email, c.slug, coalesce(d.gate::text, d.status::text), d.repetition) line
       from deliveries d join users u on u.id = d.user_id join channels c on c.id = d.channel_id where d.occurrence_id = $1`,
      [this.occurrence],
    );
    return rows.map(({ line }) => line).toSorted();
  }

  /** How many messages the provider took twice. */
  get twice(): number {
    return this.taken.length - new Set(this.taken).size;
  }
}

const OWN = '(select id from organizations where slug = $1)';
const OF_USER = `(select id from users where organization_id = ${OWN} and email = $3)`;

const given = <Name extends Command['do']>(name: Name) => fc.constant(name);
const user = fc.nat({ max: PEOPLE - 1 });
const unless = fc.constantFrom<Unless>(
  null,
  'sent',
  'delivered',
  'seen',
  'read',
  'read',
  'acknowledged',
  'acknowledged',
);
const repeat = fc.option(fc.record({ every: fc.constantFrom(1, 2, 3), times: fc.constantFrom(1, 2) }), {
  freq: 2,
  nil: undefined,
});
const toManagers = fc.constantFrom(false, false, true);
const steps = fc
  .tuple(
    fc.record({ after: fc.constant(0), unless, repeat }),
    fc.array(fc.record({ after: fc.constantFrom(1, 1, 2, 6), unless, repeat, toManagers }), {
      minLength: 1,
      maxLength: 3,
    }),
  )
  .map(([first, later]): Step[] => [first.repeat ? first : { after: 0, unless: null }, ...later]);
const acknowledge = fc.record({
  by: fc.constantFrom<Acknowledge['by']>('anyone', 'anyone', 'each'),
  for: fc.constantFrom(null, 2, 4),
});
const command: fc.Arbitrary<Command> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ do: given('time passes'), ticks: fc.constantFrom(1, 1, 2, 5) }) },
  { weight: 3, arbitrary: fc.record({ do: given('answer'), answer: fc.constantFrom<Answer>('ok', 'later', 'never') }) },
  { weight: 4, arbitrary: fc.record({ do: given('inbox'), user, what: fc.constantFrom('seen', 'read') }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: given('report'),
      user,
      step: fc.integer({ min: 1, max: 3 }),
      what: fc.constantFrom('delivered', 'seen'),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: given('acknowledge'), user }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('lock', 'unlock'), user }) },
  { weight: 1, arbitrary: fc.record({ do: given('cancel') }) },
  { weight: 1, arbitrary: fc.record({ do: given('switch off') }) },
  { weight: 2, arbitrary: fc.record({ do: given('switch on') }) },
) as fc.Arbitrary<Command>;

const FIRST: Step = { after: 0, unless: null };
const always = (after: number): Step => ({ after, unless: null });

/** Tried first, whatever the seed. */
const EXAMPLES: [Step[], Acknowledge, Command[]][] = [
  // The users go through the steps at different times: whoever is due takes nobody along.
  [
    [FIRST, always(1), always(6), always(6)],
    { by: 'anyone', for: null },
    [
      { do: 'lock', user: 0 },
      { do: 'answer', answer: 'later' },
      { do: 'time passes', ticks: 1 },
      { do: 'answer', answer: 'ok' },
      { do: 'time passes', ticks: 12 },
      { do: 'time passes', ticks: 1 },
    ],
  ],
];

it(
  'agrees with the model of steps, whatever happens in whatever order, with two workers',
  async () => {
    const workers = [await startWorker(app)];
    const property = fc.asyncProperty(
      steps,
      acknowledge,
      fc.array(command, { minLength: 4, maxLength: 10, size: 'max' }),
      async (of, asked, sequence) => {
        // Users of their own are told about the occurrence as a whole.
        const ending: Acknowledge = of.some(({ toManagers }) => toManagers) ? { ...asked, by: 'anyone' } : asked;
        const model = newWorld(of, ending);
        const real = await RealWorld.create(of, ending);
        for (const [i, each] of sequence.entries()) {
          step(model, each);
          await real.step(each);
          const expected = model.users
            .flatMap(({ messages }, n) =>
              messages.flatMap((message, place) =>
                message ? `${NAMES[n]} step-${place} ${message.status} ${message.repetition}` : [],
              ),
            )
            .toSorted();
          const seen = { after: i + 1, messages: await real.look(), twice: real.twice };
          expect(seen).toEqual({ after: i + 1, messages: expected, twice: 0 });
        }
      },
    );
    try {
      await fc.assert(property, { numRuns: RUNS, seed: SEED, examples: EXAMPLES, endOnFailure: true });
    } finally {
      for (const worker of workers) await worker.stop();
    }
  },
  TIMEOUT_MS,
);
