import { expect, it } from '@jest/globals';
import type { TestApp } from '../support/app/app.js';
import { useApp } from '../support/app/use.js';
import { invalid } from '../support/contract/problems.js';
import { until } from '../support/until.js';
import { Tenant, inbox } from '../support/world/tenant.js';

let app: TestApp;
useApp({}, (started) => (app = started));

const ANN = 'ann@acme.test';
const BOB = 'bob@acme.test';
const saying = (text: string) => [{ channel: 'inbox', subject: '{{ order }}', text }];
const RULE = { name: 'Tell', distribution_list: 'Staff', templates: saying('published') };
const OTHER = { ...RULE, name: 'Other', templates: saying('other') };

const tenantWith = () =>
  Tenant.create(app, {
    channels: [inbox('inbox')],
    users: [{ email: ANN, first_name: 'Ann' }, { email: BOB }],
    lists: [
      { name: 'Staff', members: [ANN] },
      { name: 'Board', members: [ANN, BOB] },
    ],
    notifications: [RULE, OTHER],
  });

const eventOf = ({ org }: Tenant) => `/api/o/${org}/p/shop/a/web/e/order-paid/`;
const simulate = (tenant: Tenant, notification: unknown, key = tenant.key) =>
  app
    .as(key)
    .post(`${eventOf(tenant)}simulate/`)
    .send({ context: { order: 'A-17' }, notification });

async function idOf(tenant: Tenant): Promise<number> {
  const { body } = await app.as(tenant.key).get(`${eventOf(tenant)}n/`);
  return (body as { id: number }[])[0]!.id;
}

/** Everything that a published rule would have changed. */
async function storedOf({ org }: Tenant) {
  const tables = [
    'events',
    'notifications',
    'templates',
    'notification_lists',
    'rulesets',
    'rule_versions',
    'audit_entries',
  ];
  const rowsOf = (table: string) =>
    app.pool.query(
      `select to_jsonb(t) from ${table} t join organizations o on o.id = t.organization_id where o.slug = $1 order by 1`,
      [org],
    );
  return Promise.all(tables.map(async (table) => (await rowsOf(table)).rows));
}

it('simulates the draft of a rule in place of the published one, and stores nothing', async () => {
  const tenant = await tenantWith();
  const before = await storedOf(tenant);
  const draft = {
    id: await idOf(tenant),
    distribution_lists: ['Board'],
    templates: saying('Hi {{ user.first_name }}'),
  };
  const { status, body } = await simulate(tenant, draft);
  expect([status, body]).toMatchObject([
    200,
    {
      rules: [
        { notification: 'Tell', verdict: 'matched', channels: [{ channel: 'inbox', people: 2, send: 2 }] },
        { notification: 'Other', channels: [{ send: 1 }] },
      ],
      totals: { people: 2, messages: 3 },
      messages: [
        { notification: 'Tell', user: ANN, subject: 'A-17', text: 'Hi Ann' },
        { notification: 'Tell', user: BOB, text: 'Hi ' },
        { notification: 'Other', user: ANN, text: 'other' },
      ],
    },
  ]);
  const narrowed = await simulate(tenant, { id: draft.id, name: 'Renamed', when: 'order == `1`' });
  expect(narrowed.body).toMatchObject({ rules: [{ notification: 'Renamed', verdict: 'filtered' }, {}] });
  expect(await storedOf(tenant)).toEqual(before);
  expect((await simulate(tenant, undefined)).body).toMatchObject({ messages: [{ text: 'published' }, {}] });
});

it('simulates a new rule beside the others, up to the size that a notification may have', async () => {
  const tenant = await tenantWith();
  const before = await storedOf(tenant);
  const fresh = { name: ' Fresh ', distribution_lists: ['Staff'], templates: saying('ä'.repeat(128 * 1024)) };
  const { status, body } = await simulate(tenant, fresh);
  expect([status, body]).toMatchObject([200, { rules: [{}, {}, { notification: 'Fresh' }], totals: { messages: 3 } }]);
  const large = { context: { x: 'x'.repeat(300 * 1024) }, notification: { ...fresh, templates: saying('x') } };
  const refused = await app
    .as(tenant.key)
    .post(`${eventOf(tenant)}simulate/`)
    .send(large);
  expect([refused.status, refused.body]).toMatchObject([
    413,
    { detail: 'The body without its notification is larger than 256 KB.' },
  ]);
  expect(await storedOf(tenant)).toEqual(before);
});

it('refuses a draft that could not be published, and names its field', async () => {
  const tenant = await tenantWith();
  const id = await idOf(tenant);
  const before = await storedOf(tenant);
  const taken = 'is already used by another notification';
  const refusals: [unknown, Record<string, unknown>][] = [
    ['x', { notification: ['must be an object'] }],
    [null, { notification: ['must be an object'] }],
    [{ id: 0 }, { 'notification.id': ['must be the id of a notification'] }],
    [{ id: '1' }, { 'notification.id': ['must be the id of a notification'] }],
    [
      { id, wen: 'x' },
      {
        'notification.wen': [
          expect.stringContaining('is not a known field: did you mean when? Known: name, enabled, when'),
        ],
      },
    ],
    [{ id, when: '(' }, { 'notification.when': [expect.any(String)] }],
    [{ id, templates: saying('{{ x | nofilter }}') }, { 'notification.templates.inbox.text': [expect.any(String)] }],
    [{ id, templates: [{ channel: 'pigeon', text: 'x' }] }, { 'notification.templates.pigeon': [expect.any(String)] }],
    [{ id, distribution_lists: ['Nobody'] }, { 'notification.distribution_lists': [expect.any(String)] }],
    [{ id, name: 'Other' }, { 'notification.name': [taken] }],
    [{ name: 'Tell', templates: saying('x') }, { 'notification.name': [taken] }],
    [{}, { 'notification.name': expect.any(Array), 'notification.templates': expect.any(Array) }],
  ];
  for (const [draft, errors] of refusals) {
    const { status, body } = await simulate(tenant, draft);
    expect([draft, status, body]).toEqual([draft, 400, invalid(errors as Record<string, string[]>)]);
  }
  expect(await storedOf(tenant)).toEqual(before);
});

it('does not know the rule of another event', async () => {
  const [tenant, other] = [await tenantWith(), await tenantWith()];
  const { status, body } = await simulate(tenant, { id: await idOf(other), when: null });
  expect([status, body]).toMatchObject([404, { detail: 'There is no such notification.' }]);
  expect((await simulate(tenant, { id: 2_147_483_647 })).body).toMatchObject(body as object);
});

it('needs notification:write too', async () => {
  const tenant = await tenantWith();
  const key = await app.key({ org: tenant.org, permissions: ['event:trigger', 'user:read', 'notification:read'] });
  const { status, body } = await simulate(tenant, { id: await idOf(tenant) }, key);
  expect([status, body]).toMatchObject([403, { detail: 'The API key lacks the permission notification:write.' }]);
  expect((await simulate(tenant, undefined, key)).status).toBe(200);
});

it('holds no lock of the event while people are counted', async () => {
  const tenant = await tenantWith();
  const id = await idOf(tenant);
  const other = await app.pool.connect();
  await other.query('begin; lock table members');
  const simulating = simulate(tenant, { id, when: null }).then((answer) => answer); // supertest sends when it is awaited
  await until(10_000, async () => {
    const sql = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    return (await app.pool.query(sql)).rowCount;
  });
  await app.pool.query(
    `select from events where organization_id = (select id from organizations where slug = $1) for update nowait`,
    [tenant.org],
  );
  await other.query('rollback');
  other.release();
  expect((await simulating).status).toBe(200);
});
