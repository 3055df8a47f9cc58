import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { uuidV7 } from '../../src/common/uuid-v7.js';
import { TestApp } from '../support/app.js';
import { HttpSink } from '../support/http-sink.js';
import { Tenant, inbox, travelToNextAttempt, webhook } from '../support/tenant.js';
import { allBut } from './operations.js';
import { forbidden, invalid, notFound } from './problems.js';

let app: TestApp;
let hooks: HttpSink;
beforeAll(async () => {
  [app, hooks] = await Promise.all([TestApp.start({ ROLE: 'all' }), HttpSink.start()]);
});
afterAll(async () => {
  await app.stop();
  await hooks.close();
});

const ANN = 'ann@acme.test';
const BOB = 'Bob@acme.test';
const CLEO = 'cleo@acme.test';
const DAN = 'dan@acme.test';
const EVE = 'eve@acme.test';

const BAD_CURSOR = invalid({ after: ['must be taken from the Link header of the page before'] });
const BAD_STATUS = 'must be one of pending, expanding, expanded, canceled, failed';
const BAD_TIME = 'must be a time with its zone, such as 2030-01-01T08:00:00Z';
const NOT_ONCE = 'must be given once, as text';
const NO_COUNTS = { total: 0, pending: 0, sent: 0, skipped: 0, dead: 0 };

type Item = Record<string, unknown> & { id: string };

const inTenant = (tenant: Tenant, path: string, key = tenant.key) => app.as(key).get(`/api/o/${tenant.org}/${path}`);
const EVENT = 'p/shop/a/web/e/order-paid/o/';

async function read(tenant: Tenant, path: string): Promise<unknown> {
  const { status, body } = await inTenant(tenant, path);
  expect({ path, status, body: body as unknown }).toMatchObject({ path, status: 200 });
  return body;
}

const readList = async (tenant: Tenant, path: string) => (await read(tenant, path)) as Item[];

/** All of it, page by page, as the `Link` headers lead from one to the next. */
async function readPages(tenant: Tenant, path: string, limit: number): Promise<Item[][]> {
  const pages: Item[][] = [];
  let next: string | undefined = `/api/o/${tenant.org}/${path}${path.includes('?') ? '&' : '?'}limit=${limit}`;
  while (next) {
    const { status, body, headers } = await app.as(tenant.key).get(next);
    expect(status).toBe(200);
    pages.push(body as Item[]);
    next = headers.link?.match(/^<([^<>]+)>; rel="next"$/)?.[1]?.slice(app.url.length);
  }
  return pages;
}

/** Whole, by ones and by twos it is the same. */
async function expectPaged(tenant: Tenant, path: string): Promise<Item[]> {
  const all = await readList(tenant, path);
  expect(await readPages(tenant, path, 1)).toEqual(all.length === 0 ? [[]] : all.map((item) => [item]));
  const byTwos = await readPages(tenant, path, 2);
  expect(byTwos.flat()).toEqual(all);
  expect(byTwos.slice(0, -1).every(({ length }) => length === 2)).toBe(true);
  return all;
}

describe("the list of an event's occurrences", () => {
  let tenant: Tenant;
  const ids: string[] = [];
  const DAYS = ['2026-03-01T10:00:00.000Z', '2026-03-02T10:00:00.000Z', '2026-03-05T10:00:00.000Z'];

  beforeAll(async () => {
    tenant = await Tenant.create(app, {});
    const store = async (
      at: string,
      status: string,
      options: object,
      ends: { expanded?: string; canceled?: string },
    ) => {
      const id = uuidV7(Date.parse(at));
      ids.push(id);
      await app.pool.query(
        `insert into occurrences (id, organization_id, event_id, context, options, status, created_at, expanded_at, canceled_at)
         select $1, e.organization_id, e.id, '{}', $2, $3, $4, $5, $6
         from events e join organizations o on o.id = e.organization_id where o.slug = $7`,
        [id, options, status, at, ends.expanded, ends.canceled, tenant.org],
      );
    };
    await store(DAYS[0]!, 'expanded', {}, { expanded: '2026-03-01T10:00:01Z' });
    await store(DAYS[0]!, 'failed', { priority: 'bulk' }, {});
    await store(DAYS[1]!, 'canceled', {}, { canceled: '2026-03-02T11:00:00Z' });
    await store(DAYS[1]!, 'expanding', { send_at: '2026-03-02T12:00+02:00' }, {});
    await store(DAYS[2]!, 'pending', { expires_at: '2026-03-05T12:00:00Z', send_at: '2026-03-05T11:00:00.5Z' }, {});
    // Two of them are of the same millisecond: chance orders their ids.
    for (const start of [0, 2]) ids.splice(start, 2, ...ids.slice(start, start + 2).sort());
  });

  const idsOf = async (query: string) => (await expectPaged(tenant, `${EVENT}${query}`)).map(({ id }) => id);

  it('has all of them, newest first, whole or page by page', async () => {
    expect(await idsOf('')).toEqual([...ids].reverse());
  });

  it('shows of each its status, its times and its options', async () => {
    const items = await readList(tenant, EVENT);
    const bare = { priority: null, send_at: null, expires_at: null, expanded_at: null, canceled_at: null };
    const [one, two, three] = DAYS.map((day) => ({ ...bare, id: expect.any(String), created_at: day }));
    expect(items).toHaveLength(5);
    expect(items).toEqual(
      expect.arrayContaining([
        { ...three, status: 'pending', send_at: '2026-03-05T11:00:00.500Z', expires_at: '2026-03-05T12:00:00.000Z' },
        { ...two, status: 'expanding', send_at: '2026-03-02T10:00:00.000Z' },
        { ...two, status: 'canceled', canceled_at: '2026-03-02T11:00:00.000Z' },
        { ...one, status: 'failed', priority: 'bulk' },
        { ...one, status: 'expanded', expanded_at: '2026-03-01T10:00:01.000Z' },
      ]),
    );
  });

  it.each(['pending', 'expanding', 'expanded', 'canceled', 'failed'])('may be only those %s', async (status) => {
    expect(await readList(tenant, `${EVENT}?status=${status}`)).toMatchObject([{ status }]);
  });

  it('may be only those of a time: since is the first of it, until is not', async () => {
    expect(await idsOf('?since=2026-03-02T10:00:00Z')).toEqual(ids.slice(2).reverse());
    expect(await idsOf('?since=2026-03-02T10:00:00.001Z')).toEqual(ids.slice(4));
    expect(await idsOf('?until=2026-03-02T10:00:00Z')).toEqual(ids.slice(0, 2).reverse());
    expect(await idsOf('?until=2026-03-02T10:00:00.001Z')).toEqual(ids.slice(0, 4).reverse());
    expect(await idsOf('?since=2026-03-02T00:00:00Z&until=2026-03-03T00:00:00Z')).toEqual(ids.slice(2, 4).reverse());
    expect(await idsOf('?since=2026-03-02T12:30:00%2B02:30&until=2026-03-05T00:00:00Z')).toEqual(
      ids.slice(2, 4).reverse(),
    );
    expect(await idsOf('?since=2026-03-06T00:00:00Z')).toEqual([]);
    expect(await idsOf('?since=2026-03-05T00:00:00Z&until=2026-03-02T00:00:00Z')).toEqual([]);
    expect(await idsOf('?since=2026-03-02T00:00:00Z&status=failed')).toEqual([]);
  });

  it('takes the clock of the database for when it was, even if an id was made by one that is off', async () => {
    const { rows } = await app.pool.query<{ id: string }>(
      `update occurrences set created_at = '2026-03-04T20:00:00Z' where id = $1 returning id`,
      [ids[4]],
    );
    try {
      const [{ id }] = rows as [{ id: string }];
      expect(await idsOf('?since=2026-03-04T19:00:00Z&until=2026-03-04T21:00:00Z')).toEqual([id]);
      expect(await idsOf('?since=2026-03-05T00:00:00Z')).toEqual([]);
    } finally {
      await app.pool.query('update occurrences set created_at = $2 where id = $1', [ids[4], DAYS[2]]);
    }
  });

  it('may ask for the whole of time', async () => {
    const all = [...ids].reverse();
    expect(await idsOf('?since=0000-01-01T00:00:00%2B23:59&until=9999-12-31T23:59:59-23:59')).toEqual(all);
  });

  it.each([
    ['status=gone', { status: [BAD_STATUS] }],
    ['status=', { status: [BAD_STATUS] }],
    ['status=failed&status=failed', { status: [NOT_ONCE] }],
    ['status=%00', { status: [NOT_ONCE] }],
    ['since=yesterday', { since: [BAD_TIME] }],
    ['since=2026-03-01', { since: [BAD_TIME] }],
    ['since=2026-03-01T10:00:00', { since: [BAD_TIME] }],
    ['since=2026-02-30T10:00:00Z', { since: [BAD_TIME] }],
    ['until=2026-03-01T10:00:00+02:00', { until: [BAD_TIME] }], // a plus in a query is a blank
    ['status=x&since=y&until=z', { status: [BAD_STATUS], since: [BAD_TIME], until: [BAD_TIME] }],
  ])('refuses ?%s', async (query, errors) => {
    const { status, body } = await inTenant(tenant, `${EVENT}?${query}`);
    expect([status, body]).toEqual([400, invalid(errors)]);
  });

  it.each(['1', 'x', '', '019f4c7a-51d2-7b3e-9a54-3a5f0c7d1e2', "'"])('refuses ?after=%s', async (after) => {
    const { status, body } = await inTenant(tenant, `${EVENT}?after=${encodeURIComponent(after)}`);
    expect([status, body]).toEqual([400, BAD_CURSOR]);
  });

  it('is empty for an event that was never triggered', async () => {
    expect(await readList(await Tenant.create(app, {}), EVENT)).toEqual([]);
  });
});

/**
 * Ann gets everything; Bob is locked, Cleo is not active; Dan's webhook refuses for good, Eve's is busy. Over `quiet`, which is
 * switched off, nobody gets anything; two more rules do not speak, and one fails.
 */
const createStory = async () => {
  const templates = ['hook', 'box', 'quiet'].map((channel) => ({ channel, text: 'Hi' }));
  const boxOnly = [{ channel: 'box', text: 'Hi' }];
  const rule = (name: string, rest: object) => ({ name, distribution_list: 'Staff', templates: boxOnly, ...rest });
  hooks.reply = ({ body }) => {
    const { user } = (JSON.parse(body) as { data: { user: string } }).data;
    if (user === DAN) return { status: 400, body: 'no such person' };
    // An hour: she is not tried again while we look.
    if (user === EVE) return { status: 503, body: 'busy', headers: { 'retry-after': '3600' } };
    return { status: 200, body: 'welcome' };
  };
  return Tenant.create(app, {
    channels: [webhook('hook', hooks.url()), inbox('box'), { ...inbox('quiet'), enabled: false }],
    users: [{ email: ANN }, { email: BOB, locked: true }, { email: CLEO }, { email: DAN }, { email: EVE }],
    lists: [{ name: 'Staff', members: [ANN, BOB, { email: CLEO, active: false }, DAN, EVE] }],
    notifications: [
      rule('Tell', { templates }),
      rule('Large', { when: 'total > `1000`' }),
      rule('Off', { enabled: false }),
      rule('Broken', { when: 'length(total) > `1`' }),
    ],
  });
};

const FAILED = 'the condition of the rule failed: length() cannot take number.';

describe('an occurrence', () => {
  let tenant: Tenant;
  let id: string;
  const OPTIONS = { priority: 'critical', expires_at: '2099-01-01T00:00:00+01:00' };

  beforeAll(async () => {
    tenant = await createStory();
    id = await tenant.trigger({ total: 120 }, OPTIONS);
    await tenant.tried(id, 1);
  });

  const get = async (occurrence = id) => (await read(tenant, `occurrences/${occurrence}/`)) as Item & { rules: Item[] };

  it('shows what was asked for, and what became of every rule and channel', async () => {
    const { rules, expanded_at: _, ...rest } = await get();
    expect(rest).toEqual({
      id,
      status: 'expanded',
      created_at: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/),
      priority: 'critical',
      send_at: null,
      expires_at: '2098-12-31T23:00:00.000Z',
      canceled_at: null,
      event: 'order-paid',
      application: 'web',
      project: 'shop',
      context: { total: 120 },
      options: OPTIONS,
      problem: null,
      done: false,
      counts: { total: 15, pending: 1, sent: 4, skipped: 6, dead: 4 },
      gates: { locked: 3, inactive: 3 },
    });
    expect(rules).toHaveLength(4);
    expect(rules).toEqual(
      expect.arrayContaining([
        {
          notification: 'Tell',
          verdict: 'matched',
          reason: null,
          channels: [
            { channel: 'hook', verdict: 'open', counts: { total: 5, pending: 1, sent: 1, skipped: 2, dead: 1 } },
            { channel: 'box', verdict: 'open', counts: { total: 5, pending: 0, sent: 3, skipped: 2, dead: 0 } },
            { channel: 'quiet', verdict: 'disabled', counts: NO_COUNTS },
          ],
        },
        {
          notification: 'Large',
          verdict: 'filtered',
          reason: null,
          channels: [{ channel: 'box', verdict: 'open', counts: NO_COUNTS }],
        },
        {
          notification: 'Off',
          verdict: 'disabled',
          reason: null,
          channels: [{ channel: 'box', verdict: 'open', counts: NO_COUNTS }],
        },
        {
          notification: 'Broken',
          verdict: 'failed',
          reason: FAILED,
          channels: [
            { channel: 'box', verdict: 'open', counts: { total: 5, pending: 0, sent: 0, skipped: 2, dead: 3 } },
          ],
        },
      ]),
    );
  });

  it('is done when nothing is left to be sent', async () => {
    hooks.reply = () => ({ status: 200 });
    await travelToNextAttempt(app);
    await tenant.settled(id);
    expect(await get()).toMatchObject({ done: true, counts: { total: 15, pending: 0, sent: 5, skipped: 6, dead: 4 } });
  });

  it('has no rules, no deliveries and no end while it waits for its time', async () => {
    const waiting = await tenant.trigger({}, { send_at: '2099-01-01T00:00:00Z' });
    expect(await get(waiting)).toMatchObject({
      status: 'pending',
      send_at: '2099-01-01T00:00:00.000Z',
      done: false,
      counts: NO_COUNTS,
      gates: {},
      rules: [],
    });
    expect(await readList(tenant, `occurrences/${waiting}/deliveries/`)).toEqual([]);
  });

  it.each([
    ['canceled', { canceled_at: '2026-03-01T10:00:00.000Z', problem: null }],
    ['failed', { canceled_at: null, problem: 'the audience cannot be read' }],
  ])('is done when it is %s and nothing is on its way', async (status, rest) => {
    const ended = await tenant.trigger({ total: 1 }, { limit_to: [ANN] });
    await tenant.settled(ended);
    const set = 'update occurrences set status = $2, canceled_at = $3, problem = $4 where id = $1';
    await app.pool.query(set, [ended, status, rest.canceled_at, rest.problem]);
    expect(await get(ended)).toMatchObject({ ...rest, status, done: true });
    await app.pool.query(
      `update deliveries set status = 'pending' where id = (select min(id) from deliveries where occurrence_id = $1)`,
      [ended],
    );
    expect(await get(ended)).toMatchObject({ ...rest, status, done: false });
  });

  it('keeps the names of what was deleted since', async () => {
    const other = await createStory();
    const occurrence = await other.trigger({ total: 1 }, { limit_to: [ANN] });
    await other.settled(occurrence);
    const before = await readList(other, `occurrences/${occurrence}/deliveries/?channel=box`);
    const { rules } = (await read(other, `occurrences/${occurrence}/`)) as { rules: Item[] };
    const inOrg = 'organization_id = (select id from organizations where slug = $1)';
    await app.pool.query(`delete from notifications where ${inOrg}`, [other.org]);
    await app.pool.query(`delete from channels where ${inOrg} and slug = 'box'`, [other.org]);
    await app.pool.query(`delete from users where ${inOrg} and email = '${ANN}'`, [other.org]);
    expect(await read(other, `occurrences/${occurrence}/`)).toMatchObject({ rules });
    const path = `occurrences/${occurrence}/deliveries/`;
    const after = await readList(other, path);
    expect(new Set(before.map(({ notification }) => notification))).toEqual(new Set(['Broken', 'Tell']));
    expect(after).toEqual(expect.arrayContaining(before.map((row) => ({ ...row, channel: null, user: null }))));
    expect(after).toContainEqual(expect.objectContaining({ notification: 'Tell', channel: 'hook', user: null }));
    expect(await readList(other, `${path}?user=${ANN}`)).toEqual([]);
    expect(await readList(other, `${path}?channel=box`)).toEqual([]);
    expect(await read(other, `${path}${before[0]!.id}/`)).toMatchObject({ channel: null, user: null });
  });

  it('needs the permission occurrence:read', async () => {
    const key = await app.key({ org: tenant.org, permissions: allBut('occurrence:read') });
    for (const path of [
      EVENT,
      `occurrences/${id}/`,
      `occurrences/${id}/deliveries/`,
      `occurrences/${id}/deliveries/1/`,
    ]) {
      const { status, body } = await inTenant(tenant, path, key);
      expect([status, body]).toEqual([403, forbidden('occurrence:read')]);
    }
    const reader = await app.key({ org: tenant.org, permissions: ['occurrence:read'] });
    expect((await inTenant(tenant, `occurrences/${id}/`, reader)).status).toBe(200);
  });

  it.each(['1', 'x', '019f4c7a', '019f4c7a-51d2-7b3e-9a54-3a5f0c7d1e21', '%00', "'"])(
    'called %s does not exist',
    async (name) => {
      for (const rest of ['', 'deliveries/', 'deliveries/1/']) {
        const { status, body } = await inTenant(tenant, `occurrences/${name}/${rest}`);
        expect([status, body]).toEqual([404, notFound('occurrence')]);
      }
    },
  );
});

describe("the list of an occurrence's deliveries", () => {
  let tenant: Tenant;
  let path: string;

  beforeAll(async () => {
    tenant = await createStory();
    const id = await tenant.trigger({ total: 120 });
    await tenant.tried(id, 1);
    path = `occurrences/${id}/deliveries/`;
  });

  const brief = (rows: Item[]) =>
    rows.map(({ notification, channel, user, status }) => [notification, channel, user, status].join(' ')).sort();

  it('has all of them in a stable order, whole or page by page', async () => {
    const all = await expectPaged(tenant, path);
    expect(brief(all)).toEqual(
      [
        `Tell hook ${ANN} sent`,
        `Tell hook ${BOB} skipped`,
        `Tell hook ${CLEO} skipped`,
        `Tell hook ${DAN} dead`,
        `Tell hook ${EVE} pending`,
        `Tell box ${ANN} sent`,
        `Tell box ${BOB} skipped`,
        `Tell box ${CLEO} skipped`,
        `Tell box ${DAN} sent`,
        `Tell box ${EVE} sent`,
        ...[ANN, DAN, EVE].map((user) => `Broken box ${user} dead`),
        ...[BOB, CLEO].map((user) => `Broken box ${user} skipped`),
      ].sort(),
    );
    await app.pool.query(
      `update deliveries set user_id = user_id where id in (select min(id) from deliveries group by occurrence_id)`,
    );
    expect(await readList(tenant, path)).toEqual(all);
  });

  it('shows of each what decided, what the provider said, and when it is tried next', async () => {
    const rows = await readList(tenant, `${path}?channel=hook`);
    const shown = (user: string) => rows.find((row) => row.user === user);
    const attempt = {
      number: 1,
      at: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/),
      duration_ms: expect.any(Number),
    };
    const bare = {
      id: expect.any(Number),
      notification: 'Tell',
      channel: 'hook',
      gate: null,
      reason: null,
      next_attempt_at: null,
      fallback_of: null,
      attempts: [],
    };
    expect(shown(ANN)).toEqual({
      ...bare,
      user: ANN,
      status: 'sent',
      attempts: [{ ...attempt, outcome: 'sent', answer: '200 welcome' }],
    });
    expect(shown(BOB)).toEqual({ ...bare, user: BOB, status: 'skipped', gate: 'locked' });
    expect(shown(CLEO)).toEqual({ ...bare, user: CLEO, status: 'skipped', gate: 'inactive' });
    expect(shown(DAN)).toEqual({
      ...bare,
      user: DAN,
      status: 'dead',
      reason: 'refused for good: 400 no such person',
      attempts: [{ ...attempt, outcome: 'rejected', answer: '400 no such person' }],
    });
    expect(shown(EVE)).toEqual({
      ...bare,
      user: EVE,
      status: 'pending',
      next_attempt_at: expect.stringMatching(/Z$/),
      attempts: [{ ...attempt, outcome: 'retry', answer: '503 busy' }],
    });
  });

  it.each([
    ['status=pending', [`Tell hook ${EVE} pending`]],
    ['status=dead', [`Tell hook ${DAN} dead`, ...[ANN, DAN, EVE].map((user) => `Broken box ${user} dead`)]],
    ['status=sent&channel=box', [ANN, DAN, EVE].map((user) => `Tell box ${user} sent`)],
    ['status=skipped&user=bob@acme.test&channel=hook', [`Tell hook ${BOB} skipped`]],
    ['user=DAN@Acme.test', [`Tell hook ${DAN} dead`, `Tell box ${DAN} sent`, `Broken box ${DAN} dead`]],
    ['channel=quiet', []],
    ['channel=nowhere', []],
    ['channel=', []],
    ['user=nobody@acme.test', []],
    ['user=', []],
  ])('may be only those with %s', async (query, expected) => {
    expect(brief(await expectPaged(tenant, `${path}?${query}`))).toEqual([...expected].sort());
  });

  it('may be only those over the channels of a slug, of the organization and of a project', async () => {
    const [row] = await readList(tenant, `${path}?channel=hook&user=${ANN}`);
    await app.pool.query(
      `with made as (
         insert into channels (organization_id, project_id, slug, name, type)
         select p.organization_id, p.id, 'hook', 'Hook', 'log' from projects p join organizations o on o.id = p.organization_id
         where o.slug = $1 returning id
       )
       insert into deliveries (occurrence_id, organization_id, notification_id, channel_id, user_id, status, fallback_of)
       select occurrence_id, organization_id, notification_id, made.id, user_id, 'sent', d.id from deliveries d, made where d.id = $2`,
      [tenant.org, row!.id],
    );
    const both = await readList(tenant, `${path}?channel=hook&user=${ANN}`);
    expect(both).toEqual([row, { ...row, id: both[1]!.id, attempts: [], fallback_of: row!.id }]);
    const { rules } = (await read(tenant, path.replace('deliveries/', ''))) as { rules: Item[] };
    expect(rules.find(({ notification }) => notification === 'Tell')!.channels).toContainEqual({
      channel: 'hook',
      verdict: 'fallback',
      counts: { ...NO_COUNTS, total: 1, sent: 1 },
    });
    await app.pool.query('delete from deliveries where id = $1', [both[1]!.id]);
  });

  it('has every attempt of a delivery, in order', async () => {
    await travelToNextAttempt(app);
    await tenant.tried(path.split('/')[1]!, 2);
    const [eve] = await readList(tenant, `${path}?status=pending`);
    expect(eve!.attempts).toMatchObject([
      { number: 1, outcome: 'retry', answer: '503 busy' },
      { number: 2, outcome: 'retry', answer: '503 busy' },
    ]);
  });

  it.each([
    ['status=failed', { status: ['must be one of pending, sent, skipped, dead'] }],
    ['status=sent&status=dead', { status: [NOT_ONCE] }],
    ['channel=a&channel=b', { channel: [NOT_ONCE] }],
    ['channel=%00', { channel: [NOT_ONCE] }],
    ['user=%00', { user: [NOT_ONCE] }],
  ])('refuses ?%s', async (query, errors) => {
    const { status, body } = await inTenant(tenant, `${path}?${query}`);
    expect([status, body]).toEqual([400, invalid(errors)]);
  });

  it.each(['', '1', '1.2', '1.2.3.4', '1.2.x', '-1.2.3', '1.2.2147483648', '1..3', '1.2.3 ', '99999999999.1.1'])(
    'refuses ?after=%s',
    async (after) => {
      const { status, body } = await inTenant(tenant, `${path}?limit=1&after=${encodeURIComponent(after)}`);
      expect([status, body]).toEqual([400, BAD_CURSOR]);
    },
  );
});

describe('a delivery', () => {
  let tenant: Tenant;
  let path: string;
  let rows: Item[];

  beforeAll(async () => {
    tenant = await createStory();
    const id = await tenant.trigger({ total: 120 });
    await tenant.tried(id, 1);
    path = `occurrences/${id}/deliveries/`;
    rows = await readList(tenant, path);
  });

  it('shows the same as the list, and no message when none has left', async () => {
    for (const row of rows.filter(({ attempts }) => (attempts as object[]).length === 0)) {
      expect(await read(tenant, `${path}${row.id}/`)).toEqual({ ...row, message: null });
    }
  });

  it('shows what it said', async () => {
    const row = rows.find(({ channel, user }) => channel === 'hook' && user === ANN)!;
    const message = { recipient: '', subject: 'Order "A"', text: 'Hi\nAnn', html: '<p>Hi</p>' };
    await app.pool.query(
      `insert into messages (delivery_id, recipient, subject, text, html) values ($1, $2, $3, $4, $5)
       on conflict (delivery_id) do update set recipient = $2, subject = $3, text = $4, html = $5`,
      [row.id, ...Object.values(message)],
    );
    expect(await read(tenant, `${path}${row.id}/`)).toEqual({ ...row, message });
  });

  it.each(['0', '-1', 'x', '1.5', '01', '999999999999999', '9999999999999999', '9223372036854775808', '%00', '1e3'])(
    'called %s does not exist',
    async (name) => {
      const { status, body } = await inTenant(tenant, `${path}${name}/`);
      expect([status, body]).toEqual([404, notFound('delivery')]);
    },
  );

  it('of another occurrence does not exist in this one', async () => {
    const other = await tenant.trigger({ total: 1 }, { limit_to: [ANN] });
    await tenant.settled(other);
    const { status, body } = await inTenant(tenant, `occurrences/${other}/deliveries/${rows[0]!.id}/`);
    expect([status, body]).toEqual([404, notFound('delivery')]);
  });
});
