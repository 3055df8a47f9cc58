import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { RENEW_RULESET } from '../../src/api/notification/notification.sql.js';
import { BUILT_IN } from '../../src/api/notification/renew-ruleset.js';
import { POSTPONE } from '../../src/engine/digest/close.sql.js';
import { Purge } from '../../src/engine/purge/purge.js';
import { limitAnswers } from '../../src/platform/database/connection/session-client.js';
import { TestApp } from '../support/app/app.js';
import { createDatabase } from '../support/app/database.js';
import type { TestDatabase } from '../support/app/database.js';
import { isLong } from '../support/long.js';
import { ForgetfulProxy } from '../support/sinks/forgetful-proxy.js';
import { HttpSink } from '../support/sinks/http-sink.js';
import { until } from '../support/until.js';
import { createCrowd, withClient } from '../support/world/crowd.js';

const PEOPLE = 3;
const PATIENCE_MS = 60_000;

let database: TestDatabase;
let proxy: ForgetfulProxy;
let sink: HttpSink;
let app: TestApp;
let key: string;
let trigger: string;

beforeAll(async () => {
  limitAnswers(1000);
  database = await createDatabase();
  [proxy, sink] = [await ForgetfulProxy.start(database.url), await HttpSink.start()];
  ({ key, trigger } = await createCrowd(database.url, sink.url('/in'), PEOPLE));
  app = await TestApp.start({ ROLE: 'all', LOG_LEVEL: 'error' }, { url: proxy.url, drop: async () => undefined });
});
afterAll(async () => {
  await app.stop();
  await proxy.close();
  await sink.close();
  await database.drop();
  limitAnswers(Infinity);
});
beforeEach(() => void (sink.requests.length = 0));

const request = (method: string, path: string, body?: object) =>
  fetch(app.url + path, {
    method,
    headers: { authorization: `Key ${key}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });

const LEFT = `
  select (select count(*) from jobs) + (select count(*) from occurrences where status in ('pending', 'expanding'))
       + (select count(*) from deliveries where status = 'pending') "left"`;

const nothingIsLeft = () =>
  withClient(database.url, (client) =>
    until(
      PATIENCE_MS,
      async () => (await client.query<{ left: string }>(LEFT)).rows[0]!.left === '0',
      () => `no job, occurrence or delivery is left`,
    ),
  );

/** A message at once, and one a little later. A request that is answered with 503 is sent again, as a client would do it. */
async function work(): Promise<void> {
  const later = () => ({ options: { send_at: new Date(Date.now() + 2000).toISOString() } });
  for (const body of [() => ({}), later])
    await until(PATIENCE_MS, async () => {
      const response = await request('POST', trigger, body());
      if (response.status !== 503) expect(await response.json()).toMatchObject({ occurrence: expect.any(String) });
      return response.status === 201;
    });
}

/** The statements that loops and jobs of a worker wait for. */
const NAMED: [string, RegExp][] = [
  ['the deletion of finished jobs', /delete from jobs where id = any/],
  ['the update that makes due jobs ready', /update jobs set state = 'ready' where id = any\(array/],
  ['the statement that takes jobs to expand', /task = 'expand'[^]*update jobs j set state = 'running'/],
  ['the search for dead workers', /pg_try_advisory_xact_lock\(worker\)/],
  ['the statement that frees unknown jobs', /update jobs set state = 'ready', worker = null[^]*<> all/],
  ['the check that the lock of a worker is held', /^select 1$/],
  ['the insert of occurrences', /insert into occurrences/],
  ['the expansion of a batch', /insert into deliveries/],
  ['the outcomes of messages', /insert into attempts/],
];

describe('one lost answer leaves nothing behind', () => {
  it.each(NAMED)('of %s', async (_what, statement) => {
    const lost = proxy.loseAnswerTo(statement);
    await work();
    await lost;
    await work();
    await nothingIsLeft();
    expect((await request('GET', '/health/ready')).status).toBe(200);
  });

  it('of the lock that seals the audit log', async () => {
    const lost = proxy.loseAnswerTo(/pg_advisory_xact_lock\(7261006\)/);
    expect((await request('POST', '/api/o/crowd/u/', { email: `sealed@crowd.test` })).status).toBe(201);
    await lost;
    const sql = `select count(*) "left" from audit_entries where seal is null`;
    await withClient(database.url, (client) =>
      until(PATIENCE_MS, async () => (await client.query<{ left: string }>(sql)).rows[0]!.left === '0'),
    );
  });
});

describe('one lost answer of a digest loses and repeats nothing', () => {
  const gather = (digest: object | null) =>
    withClient(database.url, async (client) => {
      await client.query('update notifications set digest = $1', [digest]);
      const { rows } = await client.query<{ id: number }>('select id from events');
      await client.query(RENEW_RULESET, [rows[0]!.id, BUILT_IN]);
    });
  beforeAll(() => gather({ window: 1, max_items: 100, first: 'wait' }));
  afterAll(() => gather(null));

  it.each([
    ['the lock on digests that are due', /from digests where[^]*for update skip locked/],
    ['the items', /from deliveries d join occurrences[^]*for update of d skip locked/],
    ['the statement that sends them', /jsonb_to_recordset[^]*insert into occurrences/],
  ])('of %s', async (_what, statement) => {
    const lost = proxy.loseAnswerTo(statement);
    expect((await request('POST', trigger, {})).status).toBe(201);
    await lost;
    await nothingIsLeft();
    const people = sink.requests.map(({ body }) => body);
    expect([people.length, new Set(people).size]).toEqual([PEOPLE, PEOPLE]);
  });

  it('nor is a single digest put off as if it were to blame', async () => {
    const before = proxy.statements.length;
    const lost = proxy.loseAnswerTo(/jsonb_to_recordset[^]*insert into occurrences/);
    const options = { limit_to: ['user1@crowd.test'] };
    expect((await request('POST', trigger, { options })).status).toBe(201);
    await lost;
    await nothingIsLeft();
    expect(proxy.statements.slice(before)).not.toContain(POSTPONE);
    expect(sink.requests).toHaveLength(1);
  }, 90_000);
});

describe('one lost answer of the purge', () => {
  const keepFor = (days: number | null) =>
    withClient(database.url, (client) => client.query('update events set retention_days = $1', [days]));
  beforeAll(() => keepFor(0));
  afterAll(() => keepFor(null));

  it.each([
    ['its lock', /^select pg_try_advisory_lock\(\$1\) locked$/],
    ['a deletion', /delete from idempotency_keys/],
    ['the events to purge', /make_interval\(hours => 24 \* coalesce\(retention_days/],
    ['the deletion of occurrences', /delete from occurrences/],
  ])('ends it, and the next one does the work: of %s', async (_what, statement) => {
    await work();
    await nothingIsLeft();
    const purge = app.app.get(Purge);
    const lost = proxy.loseAnswerTo(statement);
    await expect(purge.run()).rejects.toThrow();
    await lost;
    await until(PATIENCE_MS, async () => (await purge.run()) !== null);
    const sql = 'select count(*)::int "left" from occurrences';
    const { rows } = await withClient(database.url, (client) => client.query<{ left: number }>(sql));
    expect(rows).toEqual([{ left: 0 }]);
  });
});

describe('a request whose answer from the database is lost', () => {
  it.each([
    ['a list', 'GET', '/api/o/crowd/u/', /from "?users/i, 200],
    ['a change', 'POST', '/api/o/crowd/u/', /insert into "?(public"?."?)?users/i, 201],
  ] as const)('is answered with 503 and Retry-After: %s', async (_what, method, path, statement, status) => {
    const lost = proxy.loseAnswerTo(statement);
    const send = () => request(method, path, method === 'POST' ? { email: 'new@crowd.test' } : undefined);
    const response = await send();
    await lost;
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1']);
    // The change may have been made.
    expect([status, 400]).toContain((await send()).status);
  });
});

// A statement is known by its beginning: lists of columns and conditions vary.
const kindOf = (statement: string) => statement.replace(/\s+/g, ' ').trim().slice(0, 60);
const inLongRuns = isLong ? it : it.skip;

inLongRuns('one lost answer leaves nothing behind, whatever the statement is', async () => {
  for (const kind of new Set(proxy.statements.map(kindOf))) {
    const lost = proxy.loseAnswerTo({ test: (statement) => kindOf(statement) === kind });
    await work();
    await Promise.race([lost, work()]);
    await nothingIsLeft();
  }
});
