import { beforeEach, describe, expect, it } from '@jest/globals';
import { Purge } from '../../src/engine/purge/purge.js';
import { readConfig } from '../../src/platform/config/config.js';
import type { TestApp } from '../support/app/app.js';
import { useApp } from '../support/app/use.js';
import { EventReader } from '../support/sinks/event-reader.js';
import { until } from '../support/until.js';
import { fillInbox } from '../support/world/inbox.js';
import { Tenant, inbox } from '../support/world/tenant.js';

const ANN = 'ann@acme.test';
const BOB = 'bob@acme.test';
const DAY_MS = 86_400_000;

let app: TestApp;
let tenant: Tenant;
useApp({ ROLE: 'all' }, (started) => (app = started));

beforeEach(async () => {
  tenant = await Tenant.create(app, {
    channels: [inbox('inbox')],
    users: [{ email: ANN }, { email: BOB }],
    lists: [{ name: 'Staff', members: [ANN] }],
    notifications: [
      { name: 'Tell', distribution_list: 'Staff', templates: [{ channel: 'inbox', subject: '{{ n }}', text: 'Hi' }] },
    ],
  });
});

interface InboxMessage {
  id: number;
  subject: string;
  created_at: string;
  read_at: string | null;
  archived_at: string | null;
  snoozed_until: string | null;
  category: { slug: string; name: string } | null;
}

const pathOf = (rest = '', user = ANN) => `/api/o/${tenant.org}/u/${user}/inbox/${rest}`;
const mark = (body: object, user = ANN) => app.as(tenant.key).post(pathOf('mark/', user)).send(body);
const inMs = (ms: number) => new Date(Date.now() + ms).toISOString();

async function list(query = '', user = ANN): Promise<InboxMessage[]> {
  const { status, body } = await app.as(tenant.key).get(pathOf(query, user));
  expect(status).toBe(200);
  return body as InboxMessage[];
}
const ids = async (query = '') => (await list(query)).map(({ id }) => id);

const counts = async () => {
  const { headers } = await app.as(tenant.key).get(pathOf('?limit=1'));
  return [headers['x-unread-count'], headers['x-unseen-count']].map(Number);
};

async function setCategory(slug: string | null): Promise<void> {
  const path = `/api/o/${tenant.org}/p/shop/`;
  if (slug !== null) await app.as(tenant.key).post(`${path}categories/`).send({ slug, name: slug.toUpperCase() });
  const { status } = await app.as(tenant.key).patch(`${path}a/web/e/order-paid/`).send({ category: slug });
  expect(status).toBe(200);
}

describe('the category of a message', () => {
  beforeEach(async () => {
    await tenant.triggerAndSettle({ n: 'plain' });
    await setCategory('news');
    for (const n of ['news 1', 'news 2']) await tenant.triggerAndSettle({ n });
    await setCategory('bills');
    await tenant.triggerAndSettle({ n: 'bill' });
  });

  const subjects = async (query: string) => (await list(query)).map(({ subject }) => subject);

  it('is in the message, and filters the list with every state', async () => {
    expect((await list()).map(({ category }) => category)).toEqual([
      { slug: 'bills', name: 'BILLS' },
      ...Array(2).fill({ slug: 'news', name: 'NEWS' }),
      null,
    ]);
    expect(await subjects('?category=news')).toEqual(['news 2', 'news 1']);
    const [newest] = await list('?category=news');
    await mark({ as: 'read', messages: [newest!.id] });
    expect(await subjects('?category=news&state=unread')).toEqual(['news 1']);
    expect(await subjects('?category=news&state=unseen')).toEqual(['news 1']);
    await mark({ as: 'archived', messages: [newest!.id] });
    expect(await subjects('?category=news&state=archived')).toEqual(['news 2']);
    expect(await subjects('?category=news')).toEqual(['news 1']);
    expect(await subjects('?category=nothing')).toEqual([]);
    expect((await app.as(tenant.key).get(pathOf('?category=a&category=b'))).status).toBe(400);
  });

  it('pages through the messages of one category', async () => {
    const first = await app.as(tenant.key).get(pathOf('?category=news&limit=1'));
    expect(first.body).toMatchObject([{ subject: 'news 2' }]);
    const next = /<([^>]*)>; rel="next"/.exec(String(first.headers.link))![1]!;
    expect(next).toContain('category=news');
    expect((await app.as(tenant.key).get(new URL(next, app.url).href.slice(app.url.length))).body).toMatchObject([
      { subject: 'news 1' },
    ]);
  });

  it('is listed with its unread messages as long as it has messages in the inbox', async () => {
    const categories = async () => (await app.as(tenant.key).get(pathOf('categories/'))).body as object[];
    expect(await categories()).toEqual([
      { slug: 'bills', name: 'BILLS', unread: 1 },
      { slug: 'news', name: 'NEWS', unread: 2 },
    ]);
    const [bill, news] = await list();
    await mark({ as: 'read', messages: [news!.id] });
    await mark({ as: 'archived', messages: [bill!.id] });
    expect(await categories()).toEqual([{ slug: 'news', name: 'NEWS', unread: 1 }]);
    await app.as(tenant.key).delete(`/api/o/${tenant.org}/p/shop/categories/news/`);
    expect((await app.as(tenant.key).get(pathOf('categories/', BOB))).body).toEqual([]);
  });
});

describe('a snoozed message', () => {
  let made: number[];
  beforeEach(async () => {
    made = await fillInbox(app.pool, ANN, 3, tenant.org);
  });
  const snooze = (messages: number[], untilAt = inMs(DAY_MS)) => mark({ as: 'snoozed', messages, until: untilAt });

  it('is hidden, and neither unread nor archived meanwhile', async () => {
    const until = inMs(DAY_MS);
    const { status, body } = await snooze([made[1]!], until);
    expect([status, body]).toEqual([200, { changed: 1, unread: 2, unseen: 2 }]);
    expect(await ids()).toEqual([made[2], made[0]]);
    expect(await ids('?state=archived')).toEqual([]);
    expect(await list('?state=snoozed')).toMatchObject([{ id: made[1], snoozed_until: until, archived_at: null }]);
    expect(await counts()).toEqual([2, 2]);
  });

  it('comes back as it was when it is unsnoozed', async () => {
    await mark({ as: 'read', messages: [made[1]] });
    await snooze([made[1]!]);
    expect((await mark({ as: 'unarchived', messages: made })).body).toMatchObject({ changed: 0 });
    expect((await mark({ as: 'unsnoozed', messages: made })).body).toMatchObject({ changed: 1, unread: 2 });
    expect(await list()).toMatchObject([
      { id: made[2] },
      { id: made[1], read_at: expect.any(String), snoozed_until: null, archived_at: null },
      { id: made[0] },
    ]);
    await snooze(made);
    expect((await mark({ as: 'unsnoozed', up_to: made[2] })).body).toMatchObject({ changed: 3 });
  });

  it('can be archived, and stays in the archive', async () => {
    await snooze([made[1]!]);
    await mark({ as: 'archived', messages: [made[1]] });
    expect(await list('?state=archived')).toMatchObject([
      { id: made[1], archived_at: expect.any(String), snoozed_until: null },
    ]);
    expect(await ids('?state=snoozed')).toEqual([]);
  });

  it('returns at its time as a new message, on open streams too', async () => {
    await mark({ as: 'read', messages: made });
    const reader = await EventReader.open(`${app.url}${pathOf('stream/')}`, { Authorization: `Key ${tenant.key}` });
    try {
      await snooze([made[0]!], inMs(1500));
      expect(await ids()).toEqual([made[2], made[1]]);
      await until(15_000, async () => (await ids()).length === 3);
      const [back] = await list();
      expect(back).toMatchObject({ read_at: null, archived_at: null, snoozed_until: null });
      expect(back!.id).toBeGreaterThan(made[2]!);
      expect(await counts()).toEqual([1, 1]);
      await until(10_000, () => Promise.resolve(reader.events.some(({ event }) => event === 'message')));
      const message = reader.events.find(({ event }) => event === 'message')!;
      expect(message.data).toMatchObject({ id: back!.id, counts: { unread: 1, unseen: 1 } });
    } finally {
      reader.leave();
    }
  });

  it('is kept by the retention, and returns', async () => {
    await snooze([made[0]!]);
    await app.pool.query(`update inbox_messages set created_at = now() - interval '400 days' where id = any($1)`, [
      made,
    ]);
    await new Purge(app.databaseUrl, readConfig({})).run();
    expect(await ids('?state=snoozed')).toEqual([made[0]]);
    expect(await ids()).toEqual([]);
  });

  it.each([
    ['without a time', { as: 'snoozed', messages: [1] }, 'until'],
    ['until the past', { as: 'snoozed', messages: [1], until: '2020-01-01T00:00:00Z' }, 'until'],
    ['for years', { as: 'snoozed', messages: [1], until: inMs(400 * DAY_MS) }, 'until'],
    ['until no time', { as: 'snoozed', messages: [1], until: 'tomorrow' }, 'until'],
    ['with a time that is no text', { as: 'snoozed', messages: [1], until: 7 }, 'until'],
    ['all at once', { as: 'snoozed', up_to: 9, until: inMs(DAY_MS) }, 'up_to'],
    ['with a time for another mark', { as: 'read', messages: [1], until: inMs(DAY_MS) }, 'until'],
  ])('cannot be snoozed %s', async (_name, body, field) => {
    const answer = await mark(body);
    expect([answer.status, Object.keys((answer.body as { errors: object }).errors)]).toEqual([400, [field]]);
  });

  it('is one of 1,000 at most', async () => {
    const many = await fillInbox(app.pool, ANN, 1000, tenant.org);
    await snooze(many.slice(0, 500));
    expect((await snooze(many.slice(500, 1000))).status).toBe(200);
    const { status, body } = await snooze([made[0]!]);
    expect([status, body]).toMatchObject([400, { errors: { messages: [expect.stringContaining('1000')] } }]);
  });
});

describe('a message that is deleted', () => {
  it('is gone for good, alone and with others, in whatever state', async () => {
    const made = await fillInbox(app.pool, ANN, 5, tenant.org);
    const [a, b, c, d, e] = made as [number, number, number, number, number];
    await mark({ as: 'archived', messages: [a] });
    await mark({ as: 'snoozed', messages: [b], until: inMs(DAY_MS) });
    expect((await app.as(tenant.key).delete(pathOf(`${c}/`))).status).toBe(204);
    expect((await app.as(tenant.key).delete(pathOf(`${c}/`))).status).toBe(404);
    expect((await app.as(tenant.key).delete(pathOf(`${d}/`, BOB))).status).toBe(404);
    expect((await app.as(tenant.key).delete(pathOf('x/'))).status).toBe(404);
    expect((await mark({ as: 'deleted', messages: [a, b] })).body).toEqual({ changed: 2, unread: 2, unseen: 2 });
    expect([await ids(), await ids('?state=archived'), await ids('?state=snoozed')]).toEqual([[e, d], [], []]);
    expect((await mark({ as: 'deleted', up_to: d })).body).toMatchObject({ changed: 1 });
    expect(await ids()).toEqual([e]);
  });

  it('is deleted by its user, with a token, and by nobody else', async () => {
    const [id] = (await fillInbox(app.pool, ANN, 1, tenant.org)) as [number];
    const tokenOf = async (user: string) => {
      const { body } = await app.as(tenant.key).post(`/api/o/${tenant.org}/u/${user}/token/`).send({});
      return (body as { token: string }).token;
    };
    const remove = async (user: string, path: string) => {
      const headers = { Authorization: `Bearer ${await tokenOf(user)}` };
      return (await fetch(app.url + path, { method: 'DELETE', headers })).status;
    };
    expect(await remove(BOB, pathOf(`${id}/`))).toBe(404);
    expect(await remove(BOB, pathOf(`${id}/`, BOB))).toBe(404);
    expect(await ids()).toEqual([id]);
    expect(await remove(ANN, pathOf(`${id}/`))).toBe(204);
    expect(await ids()).toEqual([]);
  });
});
