import { beforeEach, describe, expect, it } from '@jest/globals';
import type { TestApp } from '../support/app/app.js';
import { useApp } from '../support/app/use.js';
import { ACME_AND_GLOBEX } from '../support/world/acme.js';

const SHOP = '/api/o/acme/p/shop';
const CATEGORIES = `${SHOP}/categories`;
const EVENTS = `${SHOP}/a/web/e`;
const AT_ONCE = { frequencies: [], digest_at: '09:00' };
const NEWS = {
  ...{ slug: 'news', name: 'News', description: 'What is new', default: 'off', channels: { sms: 'on' } },
  ...{ frequencies: ['daily', 'weekly'], digest_at: '07:30' },
};

let app: TestApp;
let key: string;

useApp({}, (started) => (app = started));
beforeEach(async () => {
  await app.empty();
  await app.apply(ACME_AND_GLOBEX);
  key = await app.key({ org: 'acme' });
});

interface Answer {
  status: number;
  body: { errors?: object; detail?: string };
}

async function ask(
  method: 'get' | 'post' | 'patch' | 'delete',
  path: string,
  body?: object,
  as = key,
): Promise<Answer> {
  const answer = await app.as(as)[method](path).send(body);
  return { status: answer.status, body: answer.body as Answer['body'] };
}
const create = (body: object = NEWS) => ask('post', `${CATEGORIES}/`, body);
const errorsOf = ({ status, body }: Answer) => [status, body.errors];

describe('a category', () => {
  it('lives: create, read, list, update, delete', async () => {
    expect(await create()).toEqual({ status: 201, body: NEWS });
    expect(await create({ slug: 'alerts', name: ' Alerts ' })).toEqual({
      status: 201,
      body: { slug: 'alerts', name: 'Alerts', description: '', default: 'on', channels: {}, ...AT_ONCE },
    });
    expect((await ask('get', `${CATEGORIES}/news/`)).body).toEqual(NEWS);
    const { body: all } = await ask('get', `${CATEGORIES}/`);
    expect((all as unknown as { slug: string }[]).map(({ slug }) => slug)).toEqual(['alerts', 'news']);
    // What is left out is kept; the channels are replaced as a whole.
    const changed = { ...NEWS, name: 'Letters', channels: { email: 'off' } };
    expect(await ask('patch', `${CATEGORIES}/news/`, { name: 'Letters', channels: { email: 'off' } })).toEqual({
      status: 200,
      body: changed,
    });
    expect((await ask('delete', `${CATEGORIES}/news/`)).status).toBe(204);
    expect((await ask('get', `${CATEGORIES}/news/`)).status).toBe(404);
    expect((await ask('delete', `${CATEGORIES}/news/`)).status).toBe(404);
  });

  it('is checked, all fields at once', async () => {
    expect(errorsOf(await create({ ...NEWS, channels: { smss: 'on', email: 'maybe', sms: true } }))).toEqual([
      400,
      {
        'channels.smss': [expect.stringContaining('is not a channel type: did you mean sms? Known: email, webhook')],
        'channels.email': ['must be on or off'],
        'channels.sms': ['must be on or off'],
      },
    ]);
    expect(errorsOf(await create({ slug: 'No', name: ' ', default: 'maybe', channels: [], description: 7 }))).toEqual([
      400,
      {
        slug: [expect.stringContaining('lower-case')],
        name: ['must not be blank'],
        description: expect.arrayContaining(['must be a string']),
        default: ['must be one of on, off, required'],
        channels: ['must be an object'],
      },
    ]);
    await create();
    expect(errorsOf(await create())).toEqual([400, { slug: ['is already used by another category'] }]);
  });

  it('that is required has no channels of its own: they would not count', async () => {
    const refused = [400, { channels: ['must be empty: a required category is sent over every channel'] }];
    expect(errorsOf(await create({ ...NEWS, default: 'required' }))).toEqual(refused);
    await create();
    expect(errorsOf(await ask('patch', `${CATEGORIES}/news/`, { default: 'required' }))).toEqual(refused);
    expect((await ask('patch', `${CATEGORIES}/news/`, { default: 'required', channels: {} })).status).toBe(200);
    expect(errorsOf(await ask('patch', `${CATEGORIES}/news/`, { channels: { sms: 'off' } }))).toEqual(refused);
  });

  it.each([
    ['project', 200, `p.slug = 'shop'`],
    ['organization', 1000, `p.slug = 'depot'`],
  ])('cannot be added to a %s that has %i', async (owner, most, where) => {
    await app.pool.query(
      `insert into categories (organization_id, project_id, slug, name)
       select p.organization_id, p.id, 'c' || n, 'C' from projects p join organizations o on o.id = p.organization_id,
         generate_series(1, $1::int) n where o.slug = 'acme' and ${where}`,
      [most - 1],
    );
    expect((await create({ slug: 'last', name: 'Last' })).status).toBe(201);
    expect(errorsOf(await create())).toEqual([
      400,
      { slug: [`cannot be added: the ${owner} already has ${most} categories. Delete one of them first`] },
    ]);
    expect((await ask('patch', `${CATEGORIES}/last/`, { name: 'Still' })).status).toBe(200);
  });

  it('belongs to its project: others do not see it, and a key of an application cannot change it', async () => {
    await create();
    expect((await ask('get', '/api/o/acme/p/depot/categories/news/')).status).toBe(404);
    const globex = await app.key({ org: 'globex' });
    for (const method of ['get', 'patch', 'delete'] as const)
      expect((await ask(method, `${CATEGORIES}/news/`, undefined, globex)).status).toBe(404);
    const bound = await app.key({ org: 'acme', project: 'shop', application: 'web' });
    expect((await ask('get', `${CATEGORIES}/news/`, undefined, bound)).status).toBe(200);
    const { status, body } = await ask('patch', `${CATEGORIES}/news/`, { name: 'X' }, bound);
    expect([status, body.detail]).toEqual([403, expect.stringContaining('the whole project')]);
    const ofProject = await app.key({ org: 'acme', project: 'shop' });
    expect((await ask('patch', `${CATEGORIES}/news/`, { name: 'X' }, ofProject)).status).toBe(200);
  });
});

describe('the category of an event', () => {
  it('is named by its slug, and can be removed', async () => {
    await create();
    const created = await ask('post', `${EVENTS}/`, { slug: 'article', name: 'Article', category: 'news' });
    expect(created).toMatchObject({ status: 201, body: { category: 'news' } });
    expect((await ask('patch', `${EVENTS}/article/`, { name: 'Post' })).body).toMatchObject({ category: 'news' });
    expect((await ask('patch', `${EVENTS}/article/`, { category: null })).body).toMatchObject({ category: null });
    expect((await ask('get', `${EVENTS}/article/`)).body).toMatchObject({ category: null });
    expect((await ask('get', `${EVENTS}/order-paid/`)).body).toMatchObject({ category: null });
  });

  it('must be one of its own project', async () => {
    await ask('post', '/api/o/acme/p/depot/categories/', NEWS);
    const refused = [400, { category: [expect.stringMatching(/^there is no category .* in the project$/)] }];
    expect(errorsOf(await ask('patch', `${EVENTS}/order-paid/`, { category: 'news' }))).toEqual(refused);
    const event = { slug: 'article', name: 'Article', category: 'a\u{1F514}b' };
    expect(errorsOf(await ask('post', `${EVENTS}/`, event))).toEqual(refused);
    expect(errorsOf(await ask('patch', `${EVENTS}/order-paid/`, { category: 7 }))).toEqual([
      400,
      { category: ['must be a string'] },
    ]);
  });

  it('is in the audit log by its slug', async () => {
    await create();
    await ask('patch', `${EVENTS}/order-paid/`, { category: 'news' });
    await ask('patch', `${CATEGORIES}/news/`, { default: 'on' });
    const { rows } = await app.pool.query(
      `select verb, noun, name, changes from audit_entries
       where noun in ('category', 'event') and actor = 'test' and organization_id = (select id from organizations where slug = 'acme') order by id`,
    );
    expect(rows).toEqual([
      expect.objectContaining({ verb: 'create', noun: 'category', name: 'shop/news' }),
      expect.objectContaining({
        verb: 'update',
        noun: 'event',
        name: 'shop/web/order-paid',
        changes: { category: [null, 'news'] },
      }),
      expect.objectContaining({
        verb: 'update',
        noun: 'category',
        name: 'shop/news',
        changes: { default: ['off', 'on'] },
      }),
    ]);
  });
});
