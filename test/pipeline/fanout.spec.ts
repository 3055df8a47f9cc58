import { afterAll, afterEach, beforeAll, expect, it, jest } from '@jest/globals';
import { Database } from '../../src/platform/database/database.js';
import { TestApp } from '../support/app/app.js';
import { HttpSink } from '../support/sinks/http-sink.js';
import { until } from '../support/until.js';
import { Tenant, queueIsEmpty, travelToNextAttempt, webhook } from '../support/world/tenant.js';

const PEOPLE = 10_000;

let app: TestApp;
let sink: HttpSink;
let arrivals: number[] = [];
beforeAll(async () => {
  app = await TestApp.start({ ROLE: 'all' });
  sink = await HttpSink.start();
  sink.reply = () => {
    arrivals.push(Date.now());
    return { status: 200 };
  };
});
afterEach(() => void jest.restoreAllMocks());
afterAll(async () => {
  await app.stop();
  await sink.close();
});

const tenantOf = (people: number) =>
  Tenant.create(app, {
    channels: [webhook('hook', sink.url())],
    lists: [{ name: 'Everyone', members: Array.from({ length: people }, (_, i) => `user-${i}@acme.test`) }],
    notifications: [{ name: 'Tell', distribution_list: 'Everyone', templates: [{ channel: 'hook', text: 'Hi' }] }],
  });

/** Writes down when each occurrence was expanded, by the clock of this machine. */
async function watchExpansions(): Promise<void> {
  await app.pool.query(`create table expansions (occurrence uuid, at timestamptz)`);
  await app.pool.query(
    `create function note_expansion() returns trigger language plpgsql as
     $$ begin insert into expansions values (new.id, clock_timestamp()); return new; end $$`,
  );
  await app.pool.query(
    `create trigger note_expansion after update on occurrences
     for each row when (new.status = 'expanded') execute function note_expansion()`,
  );
}

it('ten thousand people get one message each, and the first does not wait until all are worked out', async () => {
  await watchExpansions();
  const tenant = await tenantOf(PEOPLE);
  const occurrence = await tenant.trigger();
  await until(60_000, async () => {
    const left = await app.pool.query(
      `select from occurrences o where o.id = $1 and (o.status <> 'expanded'
         or exists (select from deliveries d where d.occurrence_id = o.id and d.status = 'pending'))`,
      [occurrence],
    );
    return left.rowCount === 0;
  });
  await queueIsEmpty(app);
  const { rows } = await app.pool.query(
    `select count(*)::int rows, count(distinct user_id)::int people, count(*) filter (where status = 'sent')::int sent,
            max(attempts) attempts, (select count(*)::int from attempts a join deliveries e on e.id = a.delivery_id
                                     where e.occurrence_id = $1) tries
     from deliveries where occurrence_id = $1`,
    [occurrence],
  );
  expect(rows).toEqual([{ rows: PEOPLE, people: PEOPLE, sent: PEOPLE, attempts: 1, tries: PEOPLE }]);
  expect(sink.requests).toHaveLength(PEOPLE);
  const users = sink.requests.map(({ body }) => (JSON.parse(body) as { data: { user: string } }).data.user);
  expect(new Set(users).size).toBe(PEOPLE);
  expect(new Set(sink.requests.map(({ headers }) => headers['webhook-id'])).size).toBe(PEOPLE);
  const expanded = await app.pool.query<{ at: Date }>('select at from expansions where occurrence = $1', [occurrence]);
  const first = Math.min(...arrivals);
  const end = expanded.rows[0]!.at.getTime();
  expect(first).toBeLessThan(end);
});

it('an occurrence that takes longer to load than a worker has at a time is expanded all the same', async () => {
  const tenant = await tenantOf(1500);
  const [now, query] = [Date.now, Database.prototype.query];
  let loads = 0;
  jest.spyOn(Date, 'now').mockImplementation(() => now() + loads * 3_000);
  jest.spyOn(Database.prototype, 'query').mockImplementation(function (this: Database, ...statement) {
    return query.apply(this, statement).finally(() => {
      if (statement[0] === 'load-occurrence') loads += 1;
    });
  });
  const occurrence = await tenant.trigger();
  expect(await tenant.settled(occurrence, 60_000)).toHaveLength(1500);
  expect(loads).toBeLessThanOrEqual(3); // one for each chunk at most
});

it('a message with a time to be sent at does not leave before it', async () => {
  const tenant = await tenantOf(1);
  arrivals = [];
  const sendAt = new Date(Date.now() + 3_600_000);
  const later = await tenant.trigger({}, { send_at: sendAt.toISOString() });
  const now = await tenant.trigger();
  expect(await tenant.settled(now)).toMatchObject([{ status: 'sent' }]);
  expect(arrivals).toHaveLength(1);
  // The jobs of the message that was sent may still be there: they end a moment after it.
  const due = await app.pool.query<{ at: Date }>(
    `select run_at at from jobs where run_at > now() + interval '1 minute'`,
  );
  expect(due.rows).toEqual([{ at: sendAt }]);
  await travelToNextAttempt(app);
  expect(await tenant.settled(later)).toMatchObject([{ status: 'sent', attempts: 1 }]);
  expect(arrivals).toHaveLength(2);
});
