import { beforeEach, describe, expect, it } from '@jest/globals';
import type { TestApp } from '../support/app/app.js';
import { useApp } from '../support/app/use.js';
import { allBut } from '../support/contract/operations.js';
import { EventReader } from '../support/sinks/event-reader.js';
import { Tenant, inbox } from '../support/world/tenant.js';

let app: TestApp;
let tenant: Tenant;
useApp({ ROLE: 'all' }, (started) => (app = started));

const ANN = 'ann@acme.test';
const BOB = 'bob@acme.test';

beforeEach(async () => {
  tenant = await Tenant.create(app, {
    channels: [inbox('inbox')],
    users: [{ email: ANN, first_name: 'Ann' }, { email: BOB }],
    lists: [{ name: 'Staff', members: [ANN] }],
    notifications: [
      {
        name: 'Tell',
        distribution_list: 'Staff',
        templates: [
          {
            channel: 'inbox',
            subject: 'Order {{ order }}',
            text: 'Hi {{ user.first_name }} & co',
            html: '<p>{{ order }}</p>',
          },
        ],
      },
    ],
  });
});

interface InboxMessage {
  id: number;
  subject: string;
  read_at: string | null;
}

const pathOf = (user: string, rest = '') => `/api/o/${tenant.org}/u/${user}/inbox/${rest}`;

async function messagesOf(user: string): Promise<InboxMessage[]> {
  const { status, body } = await app.as(tenant.key).get(pathOf(user));
  expect(status).toBe(200);
  return body as InboxMessage[];
}

const read = (user: string, id: number | string, key = tenant.key) => app.as(key).post(pathOf(user, `${id}/read/`));

describe('the inbox of a user', () => {
  it('shows a message as it was written, unread', async () => {
    const before = Date.now();
    const occurrence = await tenant.trigger({ order: '<A>' });
    const deliveries = await tenant.settled(occurrence);
    expect(deliveries).toMatchObject([{ user: ANN, channel: 'inbox', status: 'sent', attempts: 1 }]);
    const messages = await messagesOf(ANN);
    expect(messages).toEqual([
      {
        id: expect.any(Number),
        subject: 'Order <A>',
        text: 'Hi Ann & co',
        html: '<p>&lt;A&gt;</p>',
        created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        ...{ url: null, image: null, actions: [], data: null },
        ...{ category: null, event: 'order-paid', occurrence, acknowledge: null },
        ...{ seen_at: null, read_at: null, archived_at: null, snoozed_until: null },
      },
    ]);
    const { created_at: createdAt } = messages[0] as unknown as { created_at: string };
    expect(Date.parse(createdAt)).toBeGreaterThanOrEqual(before - 1);
    expect(Date.parse(createdAt)).toBeLessThanOrEqual(Date.now());
    expect(await tenant.attempts(occurrence)).toMatchObject([{ outcome: 'sent', answer: 'in the inbox' }]);
    expect(await messagesOf(BOB)).toEqual([]);
  });

  it('shows the newest first', async () => {
    for (const order of [1, 2, 3]) await tenant.triggerAndSettle({ order });
    expect((await messagesOf(ANN)).map(({ subject }) => subject)).toEqual(['Order 3', 'Order 2', 'Order 1']);
  });
});

describe('reading a message', () => {
  it('marks it as read once; reading it again changes nothing', async () => {
    for (const order of [1, 2]) await tenant.triggerAndSettle({ order });
    const [newest, oldest] = await messagesOf(ANN);
    const before = Date.now();
    const first = await read(ANN, oldest!.id);
    expect([first.status, first.body]).toEqual([
      200,
      { ...oldest, seen_at: expect.any(String), read_at: expect.any(String) },
    ]);
    const { read_at: readAt } = first.body as InboxMessage;
    expect(Date.parse(readAt!)).toBeGreaterThanOrEqual(before - 1);
    expect(Date.parse(readAt!)).toBeLessThanOrEqual(Date.now());
    const second = await read(ANN, oldest!.id);
    expect([second.status, second.body]).toEqual([200, first.body]);
    expect(await messagesOf(ANN)).toEqual([newest, first.body]);
  });

  it('is a 404 for the message of another user, of another organization, and for none', async () => {
    await tenant.triggerAndSettle();
    const [message] = await messagesOf(ANN);
    const mine = tenant;
    const other = await Tenant.create(app, { users: [{ email: ANN }] });
    const answers = [await read(BOB, message!.id), await read(ANN, 2_000_000_000), await read(ANN, 'nonsense')];
    answers.push(await app.as(other.key).post(`/api/o/${other.org}/u/${ANN}/inbox/${message!.id}/read/`));
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
    for (const { body } of answers) expect(body).toEqual(answers[0]!.body);
    // With the key of another organization it is the organization that does not exist.
    expect((await read(ANN, message!.id, other.key)).status).toBe(404);
    expect(await app.as(mine.key).get(pathOf(ANN))).toMatchObject({ body: [{ id: message!.id, read_at: null }] });
  });
});

describe('a key that is bound to a project or an application', () => {
  it('sees and marks only the messages of its own branch, also when the occurrences are purged', async () => {
    const notifications = [
      {
        name: 'Tell',
        audience: { field: 'email', ends_with: '@acme.test' },
        templates: [{ channel: 'inbox', subject: 'From {{ application.slug }}', text: 'Hi' }],
      },
    ];
    const application = (slug: string) => ({
      slug,
      name: slug,
      events: [{ slug: 'told', name: 'Told', notifications }],
    });
    const projects = [
      { slug: 'shop', name: 'Shop', applications: [application('web'), application('till')] },
      { slug: 'depot', name: 'Depot', applications: [application('gate')] },
    ];
    await app.apply(JSON.stringify({ organizations: [{ slug: tenant.org, name: 'The tenant', projects }] }));
    for (const [project, slug] of [
      ['shop', 'web'],
      ['shop', 'till'],
      ['depot', 'gate'],
    ] as const) {
      const path = `/api/o/${tenant.org}/p/${project}/a/${slug}/e/told/trigger/`;
      const { body } = await app
        .as(tenant.key)
        .post(path)
        .send({ options: { limit_to: [ANN] } });
      await tenant.settled((body as { occurrence: string }).occurrence);
    }
    const keyOf = (branch: object) => app.key({ org: tenant.org, ...branch });
    const keys = {
      all: tenant.key,
      shop: await keyOf({ project: 'shop' }),
      web: await keyOf({ project: 'shop', application: 'web' }),
      gate: await keyOf({ project: 'depot', application: 'gate' }),
    };
    const listed = async (key: string) =>
      ((await app.as(key).get(pathOf(ANN))).body as InboxMessage[]).map(({ subject }) => subject);
    const followed = async (key: string, count: number) => {
      const headers = { Authorization: `Key ${key}`, 'Last-Event-ID': '0' };
      const reader = await EventReader.open(app.url + pathOf(ANN, 'stream/'), headers);
      const events = await reader.received(count);
      reader.leave();
      return events.map(({ data }) => (data as InboxMessage).subject);
    };
    const seen = async () => ({
      all: await listed(keys.all),
      shop: await listed(keys.shop),
      web: await listed(keys.web),
      gate: await listed(keys.gate),
    });
    const expected = {
      all: ['From gate', 'From till', 'From web'],
      shop: ['From till', 'From web'],
      web: ['From web'],
      gate: ['From gate'],
    };
    expect(await seen()).toEqual(expected);
    expect(await followed(keys.gate, 1)).toEqual(['From gate']);
    expect(await followed(keys.shop, 2)).toEqual(['From web', 'From till']);
    const messages = await messagesOf(ANN);
    const foreign = await read(ANN, messages[0]!.id, keys.web);
    const missing = await read(ANN, 2_000_000_000, keys.web);
    expect([foreign.status, foreign.body]).toEqual([404, missing.body]);
    expect((await messagesOf(ANN)).map(({ read_at: readAt }) => readAt)).toEqual([null, null, null]);
    expect((await read(ANN, messages[2]!.id, keys.web)).status).toBe(200);
    await app.pool.query(
      `delete from occurrences where organization_id = (select id from organizations where slug = $1)`,
      [tenant.org],
    );
    expect(await seen()).toEqual(expected);
  });
});

describe('permissions', () => {
  it('user:read lists the inbox, and nothing else does', async () => {
    const enough = await app.key({ org: tenant.org, permissions: ['user:read'] });
    const tooLittle = await app.key({ org: tenant.org, permissions: allBut('user:read') });
    expect((await app.as(enough).get(pathOf(ANN))).status).toBe(200);
    expect((await app.as(tooLittle).get(pathOf(ANN))).status).toBe(403);
    expect((await app.as().get(pathOf(ANN))).status).toBe(401);
  });

  it('user:write marks a message as read, and nothing else does', async () => {
    await tenant.triggerAndSettle();
    const [message] = await messagesOf(ANN);
    const enough = await app.key({ org: tenant.org, permissions: ['user:write'] });
    const tooLittle = await app.key({ org: tenant.org, permissions: allBut('user:write') });
    expect((await read(ANN, message!.id, tooLittle)).status).toBe(403);
    expect(await messagesOf(ANN)).toEqual([message]);
    expect((await read(ANN, message!.id, enough)).status).toBe(200);
  });
});
