import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { DELETION_RULES } from '../../src/api/resource/deletion.js';
import type { Deletable } from '../../src/api/resource/deletion.js';
import { Database } from '../../src/platform/database/database.js';
import type { TestApp } from '../support/app/app.js';
import { cli } from '../support/app/cli.js';
import { useApp } from '../support/app/use.js';

const SHOP = '/api/o/acme/p/shop';
const PAID = `${SHOP}/a/web/e/order-paid`;
const CHANNELS = [
  { slug: 'mail', name: 'Mail', type: 'log' },
  { slug: 'spare', name: 'Spare', type: 'log' },
];
const acme = (lists: object) => JSON.stringify({ organizations: [{ slug: 'acme', name: 'Acme', ...lists }] });
const shop = (lists: object) => acme({ projects: [{ slug: 'shop', name: 'Shop', ...lists }] });

const ACME = acme({
  channels: CHANNELS,
  users: [{ email: 'ann@acme.test' }],
  projects: [
    {
      slug: 'shop',
      name: 'Shop',
      categories: [{ slug: 'news', name: 'News' }],
      distribution_lists: [{ name: 'Staff', members: ['ann@acme.test'] }],
      applications: [{ slug: 'web', name: 'Web', events: [{ slug: 'order-paid', name: 'Order paid' }] }],
    },
  ],
});

interface Case {
  /** What keeps it. */
  by: string;
  path: () => Promise<string> | string;
  /** A file that no longer names it; null: no file deletes such a thing. */
  file: string | null;
  /** As the error and the plan of `apply` name it. */
  name: string;
  /** Makes something need it, and answers why it cannot be deleted. */
  block: () => Promise<string> | string;
  unblock: () => Promise<unknown>;
}

let app: TestApp;
let key: string;

useApp({}, (started) => (app = started));
beforeEach(async () => {
  await app.empty();
  await app.apply(ACME);
  key = await app.key();
});

async function ask<Body>(
  method: 'get' | 'post' | 'put' | 'patch' | 'delete',
  path: string,
  body?: object,
): Promise<Body> {
  const answer = await app.as(key)[method](path).send(body);
  expect([answer.status < 300, answer.body]).toEqual([true, answer.body]);
  return answer.body as Body;
}

const list = async () => `${SHOP}/d/${(await ask<{ id: number }[]>('get', `${SHOP}/d/`))[0]!.id}`;
const member = async () => {
  const path = await list();
  return `${path}/m/${(await ask<{ id: number }[]>('get', `${path}/m/`))[0]!.id}/`;
};
const notify = (channel: string, more = {}) =>
  ask('post', `${PAID}/n/`, {
    name: 'Tell',
    distribution_lists: ['Staff'],
    templates: [{ channel, text: 'Hi', ...more }],
  });
const forgetNotification = async () => {
  const [notification] = await ask<{ id: number }[]>('get', `${PAID}/n/`);
  await ask('delete', `${PAID}/n/${notification!.id}/`);
};

let occurrence: string;
const trigger = async () => {
  ({ occurrence } = await ask<{ occurrence: string }>('post', `${PAID}/trigger/`, {}));
  return `cannot be deleted: its occurrence ${occurrence} is not done. Cancel it, or wait.`;
};
const cancel = () => ask('post', `/api/o/acme/occurrences/${occurrence}/cancel/`, {});

const spare = { path: () => '/api/o/acme/c/spare/', file: acme({ channels: [CHANNELS[0]] }), name: 'acme/spare' };

/** Every rule of the list needs its cases here. */
const CASES: Record<Deletable, Case[]> = {
  organization: [
    {
      ...{ by: 'a project', path: () => '/api/o/acme/', file: null, name: 'acme' },
      block: () => 'cannot be deleted: the project shop uses it.',
      unblock: async () => {
        for (const path of [PAID, `${SHOP}/a/web`, SHOP]) await ask('delete', `${path}/`);
      },
    },
  ],
  project: [
    {
      ...{ by: 'an application', path: () => `${SHOP}/`, file: acme({ projects: [] }), name: 'acme/shop' },
      block: () => 'cannot be deleted: the application web uses it.',
      unblock: async () => {
        for (const path of [PAID, `${SHOP}/a/web`]) await ask('delete', `${path}/`);
      },
    },
  ],
  application: [
    {
      ...{ by: 'an event', path: () => `${SHOP}/a/web/`, file: shop({ applications: [] }), name: 'acme/shop/web' },
      block: () => 'cannot be deleted: the event order-paid uses it.',
      unblock: () => ask('delete', `${PAID}/`),
    },
  ],
  event: [
    {
      ...{ by: 'an occurrence that is not done', path: () => `${PAID}/`, name: 'acme/shop/web/order-paid' },
      file: shop({ applications: [{ slug: 'web', name: 'Web', events: [] }] }),
      block: trigger,
      unblock: cancel,
    },
  ],
  channel: [
    {
      ...{ ...spare, by: 'a notification' },
      block: async () => {
        await notify('spare');
        return 'cannot be deleted: the notification Tell uses it.';
      },
      unblock: forgetNotification,
    },
    {
      ...{ ...spare, by: 'a member' },
      block: async () => {
        await ask('patch', await member(), { channel: 'spare' });
        return 'cannot be deleted: the distribution list Staff uses it.';
      },
      unblock: async () => ask('patch', await member(), { channel: null }),
    },
    {
      ...{ ...spare, by: 'another channel' },
      block: async () => {
        await ask('patch', '/api/o/acme/c/mail/', { fallback: 'spare' });
        return 'cannot be deleted: the channel mail uses it.';
      },
      unblock: () => ask('patch', '/api/o/acme/c/mail/', { fallback: null }),
    },
  ],
  layout: [
    {
      ...{ by: 'a notification', path: () => '/api/o/acme/layouts/plain/', file: acme({ layouts: [] }) },
      name: 'acme/plain',
      block: async () => {
        await ask('put', '/api/o/acme/layouts/plain/', { text: '{{ content }}' });
        await notify('mail', { layout: 'plain' });
        return 'cannot be deleted: the notification Tell uses it.';
      },
      unblock: forgetNotification,
    },
  ],
  partial: [
    {
      ...{
        by: 'a notification',
        path: () => '/api/o/acme/partials/end/',
        file: acme({ partials: [] }),
        name: 'acme/end',
      },
      block: async () => {
        await ask('put', '/api/o/acme/partials/end/', { text: 'Bye' });
        await notify('mail', { text: "Hi {% render 'end' %}" });
        return 'cannot be deleted: the notification Tell uses it.';
      },
      unblock: forgetNotification,
    },
    {
      ...{ by: 'a layout', path: () => `${SHOP}/partials/end/`, file: shop({ partials: [] }), name: 'acme/shop/end' },
      block: async () => {
        await ask('put', `${SHOP}/partials/end/`, { text: 'Bye' });
        await ask('put', `${SHOP}/layouts/plain/`, { text: "{{ content }} {% render 'end' %}" });
        return 'cannot be deleted: the layout plain uses it.';
      },
      unblock: () => ask('delete', `${SHOP}/layouts/plain/`),
    },
  ],
  'distribution list': [
    {
      ...{ by: 'a notification', path: async () => `${await list()}/`, name: 'acme/shop/Staff' },
      file: shop({ distribution_lists: [] }),
      block: async () => {
        await notify('mail');
        return 'cannot be deleted: the notification Tell uses it.';
      },
      unblock: forgetNotification,
    },
  ],
  category: [
    {
      ...{ by: 'an event', path: () => `${SHOP}/categories/news/`, file: shop({ categories: [] }) },
      name: 'acme/shop/news',
      block: async () => {
        await ask('patch', `${PAID}/`, { category: 'news' });
        return 'cannot be deleted: the event web/order-paid uses it.';
      },
      unblock: () => ask('patch', `${PAID}/`, { category: null }),
    },
  ],
  address: [
    {
      ...{ by: 'a distribution list', file: null, name: 'ann@acme.test' },
      path: () => '/api/o/acme/u/ann@acme.test/address/email/ann@acme.test/',
      block: () => 'cannot be deleted: the distribution list Staff uses it.',
      unblock: async () => ask('delete', await member()),
    },
  ],
};

const cases = Object.entries(CASES).flatMap(([noun, all]) =>
  all.map((one) => [noun as Deletable, one.by, one] as [Deletable, string, Case]),
);

const TABLES = [
  'projects',
  'applications',
  'events',
  'occurrences',
  'channels',
  'distribution_lists',
  'members',
  'categories',
];

async function countRows(): Promise<unknown> {
  const counts = TABLES.map((table) => `(select count(*)::int from ${table}) ${table}`);
  return (await app.pool.query(`select ${counts.join(', ')}`)).rows[0];
}

const prune = (file: string) => cli(['apply', 'FILE', '--prune', '--yes'], { DATABASE_URL: app.databaseUrl }, file);

it('has a case for every rule', () => {
  expect(Object.keys(CASES)).toEqual(Object.keys(DELETION_RULES));
});

describe('over HTTP', () => {
  it.each(cases)('deletes no %s that is needed by %s', async (noun, _by, { path, block, unblock }) => {
    const reason = await block();
    const before = await countRows();
    const { status, body } = await app.as(key).delete(await path());
    expect([status, (body as { detail?: string }).detail]).toEqual([409, `The ${noun} ${reason}`]);
    expect(await countRows()).toEqual(before);
    const thing = await path();
    await unblock();
    expect((await app.as(key).delete(thing)).status).toBe(204);
  });
});

it.each([
  ['list', async () => `${await list()}/`, 'm/'],
  ['user', () => '/api/o/acme/u/ann@acme.test/', 'address/'],
  ['event', () => `${PAID}/`, 'n/'],
])('a deleted %s is gone at once from all paths below it', async (_, path, below) => {
  const thing = await path();
  await ask('get', thing + below); // now its path is in the cache
  expect((await app.as(key).delete(thing)).status).toBe(204);
  expect((await app.as(key).get(thing + below)).status).toBe(404);
});

it('a list whose path was read just before its deletion is gone, too', async () => {
  const thing = `${await list()}/`;
  const database = app.app.get(Database);
  // The first statement of the request resolves its path. Its answer waits until the list is deleted.
  const query = jest.spyOn(database, 'query').mockImplementationOnce(async (...args) => {
    const answer = await database.query(...args);
    expect((await app.as(key).delete(thing)).status).toBe(204);
    return answer;
  });
  await app.as(key).get(`${thing}m/`);
  expect(query.mock.calls[0]![0]).toBe('resolve-leaf');
  query.mockRestore();
  expect((await app.as(key).get(`${thing}m/`)).status).toBe(404);
});

describe('apply --prune', () => {
  const pruned = cases.filter(([noun, , { file }]) => file !== null && !('holds' in DELETION_RULES[noun]));
  it.each(pruned)('deletes no %s that is needed by %s, with the same words', async (noun, _by, thing) => {
    const reason = await thing.block();
    const before = await countRows();
    const { code, stdout, stderr } = await prune(thing.file!);
    expect([code, stdout, stderr]).toEqual([1, '', `carillon: ${noun} ${thing.name} ${reason}\n`]);
    expect(await countRows()).toEqual(before);
    await thing.unblock();
    expect((await prune(thing.file!)).stdout).toBe(`delete ${noun} ${thing.name}\ndone\n`);
  });

  // Its blockers are inside: they go with it, each under its own rule.
  const branches = cases.filter(([noun, , { file }]) => file !== null && 'holds' in DELETION_RULES[noun]);
  it.each(branches)('deletes a whole %s, unless an event in it has an open occurrence', async (noun, _by, thing) => {
    const reason = await trigger();
    const before = await countRows();
    const { code, stdout, stderr } = await prune(thing.file!);
    expect([code, stdout, stderr]).toEqual([1, '', `carillon: event acme/shop/web/order-paid ${reason}\n`]);
    expect(await countRows()).toEqual(before);
    await cancel();
    expect((await prune(thing.file!)).stdout).toBe(`delete ${noun} ${thing.name}\ndone\n`);
  });
});
