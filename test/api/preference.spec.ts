import { beforeEach, describe, expect, it } from '@jest/globals';
import { builtInTypes } from '../../src/dispatcher/provider/built-in.js';
import type { TestApp } from '../support/app/app.js';
import { useApp } from '../support/app/use.js';

const CATEGORIES = [
  { slug: 'news', name: 'News', description: 'What is new', channels: { sms: 'off' } },
  { slug: 'security', name: 'Security', default: 'required' },
];
const event = (slug: string, category: string | null = null) => ({ slug, name: slug.toUpperCase(), category });
const ACME = JSON.stringify({
  organizations: [
    {
      ...{ slug: 'acme', name: 'Acme' },
      channels: [
        { slug: 'mail', name: 'Mail', type: 'email', config: { host: '127.0.0.1', from: 'a@acme.test' } },
        { slug: 'box', name: 'Box', type: 'inbox' },
      ],
      users: [
        { email: 'ann@acme.test', addresses: [{ name: 'phone', value: '+15551234567' }] },
        { email: 'bob@acme.test' },
      ],
      projects: [
        {
          ...{ slug: 'shop', name: 'Shop', categories: CATEGORIES },
          channels: [{ slug: 'text', name: 'Text', type: 'sms', config: TWILIO() }],
          applications: [
            {
              ...{ slug: 'web', name: 'Web' },
              events: [event('article', 'news'), event('login', 'security'), event('paid')],
            },
            { slug: 'till', name: 'Till', events: [event('article', 'news')] },
          ],
        },
        {
          ...{ slug: 'blog', name: 'Blog', categories: [{ slug: 'news', name: 'Blog news', default: 'off' }] },
          applications: [{ slug: 'site', name: 'Site', events: [event('posted', 'news')] }],
        },
      ],
    },
    { slug: 'globex', name: 'Globex', users: [{ email: 'ann@acme.test' }] },
  ],
});

function TWILIO() {
  return { account_sid: `AC${'0'.repeat(32)}`, auth_token: 'secret', from: '+15550000000' };
}

const ANN = '/api/o/acme/u/ann@acme.test/preferences/';

interface Cell {
  type: string;
  on: boolean;
  source: string;
  chosen_at: string | null;
  chosen_by: string | null;
  cause: string | null;
}
interface Matrix {
  channels: { type: string; on: boolean; chosen_by: string | null; suppressed: string | null }[];
  categories: { category: string; required: boolean; channels: Cell[] }[];
  events: { event: string; category: string | null; required: boolean; channels: Cell[] }[];
}

let app: TestApp;
let key: string;

useApp({}, (started) => (app = started));
beforeEach(async () => {
  await app.empty();
  await app.apply(ACME);
  key = await app.key({ org: 'acme' });
});

async function matrix(as = key): Promise<Matrix> {
  const { status, body } = await app.as(as).get(ANN);
  expect(status).toBe(200);
  return body as Matrix;
}

async function choose(body: object): Promise<Matrix> {
  const answer = await app.as(key).patch(ANN).send(body);
  expect([answer.status, (answer.body as { errors?: object }).errors]).toEqual([200, undefined]);
  expect(await matrix()).toEqual(answer.body);
  return answer.body as Matrix;
}

async function refusal(body: object): Promise<unknown> {
  const answer = await app.as(key).patch(ANN).send(body);
  expect(answer.status).toBe(400);
  return (answer.body as { errors: object }).errors;
}

/** `email on default, sms off channel_default`: the cells of one category or event. */
const shown = ({ categories, events }: Matrix, name: string) =>
  [
    ...categories.map((each) => ({ ...each, name: each.category })),
    ...events.map((each) => ({ ...each, name: each.event })),
  ]
    .find((each) => each.name === name)!
    .channels.map(({ type, on, source }) => `${type} ${on ? 'on' : 'off'} ${source}`)
    .join(', ');

const suppress = (name: string, value: string, cause: string, expires = 'null') =>
  app.pool.query(
    `insert into suppressions (organization_id, name, value, value_key, cause, expires_at)
     select id, $1, $2, lower($2), $3::suppression_cause, ${expires} from organizations where slug = 'acme'`,
    [name, value, cause],
  );

describe('the matrix of a person', () => {
  it('shows every category over every channel type, with the defaults of a person who has not chosen', async () => {
    const all = await matrix();
    expect(all.channels.map(({ type, on, chosen_by: by, suppressed }) => [type, on, by, suppressed])).toEqual([
      ['email', true, null, null],
      ['inbox', true, null, null],
      ['sms', true, null, null],
    ]);
    expect(all.categories.map(({ category, required }) => [category, required, shown(all, category)])).toEqual([
      ['blog/news', false, 'email off default, inbox off default, sms off default'],
      ['shop/news', false, 'email on default, inbox on default, sms off channel_default'],
      ['shop/security', true, 'email on required, inbox on required, sms on required'],
    ]);
    expect(all.events).toEqual([]);
    expect(all.categories[1]).toMatchObject({ project: 'shop', name: 'News', description: 'What is new' });
    expect(all.categories[1]!.channels[0]).toMatchObject({ chosen_at: null, chosen_by: null, cause: null });
  });

  it('says when and by whom a choice was made, and keeps the choice when a default changes', async () => {
    const before = Date.now();
    const all = await choose({ categories: { 'shop/news': { email: 'off' } } });
    const [email] = all.categories[1]!.channels;
    expect(email).toMatchObject({ on: false, source: 'category_channel', chosen_by: 'key' });
    expect(Date.parse(email!.chosen_at!)).toBeGreaterThanOrEqual(before - 1000);
    await app
      .as(key)
      .patch('/api/o/acme/p/shop/categories/news/')
      .send({ channels: { email: 'on' } });
    expect(shown(await matrix(), 'shop/news')).toBe('email off category_channel, inbox on default, sms on default');
    // The same choice again leaves its time.
    expect((await choose({ categories: { 'shop/news': { email: false } } })).categories[1]!.channels[0]).toEqual(email);
  });

  it('shows suppressed addresses where they decide', async () => {
    await suppress('email', 'Ann@Acme.test', 'complaint');
    await suppress('phone', '+15551234567', 'stop');
    await suppress('phone', '+15551234567', 'manual', `now() - interval '1 second'`);
    const all = await choose({ categories: { 'shop/news': 'on' } });
    expect(all.channels.map(({ type, suppressed }) => [type, suppressed])).toEqual([
      ['email', 'complaint'],
      ['inbox', null],
      ['sms', 'stop'],
    ]);
    expect(shown(all, 'shop/news')).toBe('email off suppressed, inbox on category, sms off suppressed');
    expect(shown(all, 'shop/security')).toBe('email on required, inbox on required, sms off suppressed');
    expect(all.categories[1]!.channels.map(({ cause }) => cause)).toEqual(['complaint', null, 'stop']);
  });

  it('shows a bound key only what belongs to its project or application', async () => {
    await choose({ events: { 'till/article': 'off', 'web/article': 'off', posted: 'on' } });
    const seen = async (branch: object) => {
      const { categories, events, channels } = await matrix(await app.key({ org: 'acme', ...branch }));
      return [categories.map(({ category }) => category), events.map((each) => each.event), channels.length];
    };
    expect(await seen({ project: 'blog' })).toEqual([['blog/news'], ['blog/site/posted'], 2]);
    const ofShop = ['shop/news', 'shop/security'];
    expect(await seen({ project: 'shop' })).toEqual([ofShop, ['shop/till/article', 'shop/web/article'], 3]);
    expect(await seen({ project: 'shop', application: 'web' })).toEqual([ofShop, ['shop/web/article'], 3]);
  });
});

describe('a change', () => {
  it('is merged; the most specific choice counts, the master switch more, and null forgets', async () => {
    await choose({ categories: { 'shop/news': 'off' } });
    await choose({ categories: { 'shop/news': { inbox: 'on' } } });
    let all = await choose({ events: { 'web/article': { all: true, email: false } } });
    expect(shown(all, 'shop/news')).toBe('email off category, inbox on category_channel, sms off category');
    expect(shown(all, 'shop/web/article')).toBe('email off event_channel, inbox on event, sms on event');
    expect(all.events).toMatchObject([{ category: 'shop/news', required: false, name: 'ARTICLE', project: 'shop' }]);
    all = await choose({ channels: { inbox: 'off', email: 'on' } });
    expect(shown(all, 'shop/web/article')).toBe('email off event_channel, inbox off channel, sms on event');
    expect(shown(all, 'shop/security')).toBe('email on required, inbox on required, sms on required');
    expect(all.channels.map(({ type, on, chosen_by: by }) => [type, on, by])).toEqual([
      ['email', true, 'key'],
      ['inbox', false, 'key'],
      ['sms', true, null],
    ]);
    all = await choose({
      channels: { inbox: null },
      events: { 'web/article': null },
      categories: { 'shop/news': { all: null } },
    });
    expect(shown(all, 'shop/news')).toBe('email on default, inbox on category_channel, sms off channel_default');
    expect(all.events).toEqual([]);
    all = await choose({ categories: { 'shop/news': null, 'blog/news': null } });
    expect(shown(all, 'shop/news')).toBe('email on default, inbox on default, sms off channel_default');
    expect((await app.pool.query('select from preferences')).rowCount).toBe(1);
  });

  it('may shorten a name if only one thing fits', async () => {
    expect(await refusal({ events: { posted: 'on', 'site/posted': 'on' } })).toEqual({
      'events.site/posted': ['means the same as posted: use one of the two names'],
    });
    expect((await choose({ events: { posted: 'on' } })).events[0]!.event).toBe('blog/site/posted');
    expect(await refusal({ categories: { news: 'off' }, events: { article: 'off', 'blog/article': 'off' } })).toEqual({
      'categories.news': ['may mean blog/news or shop/news: use the whole name'],
      'events.article': ['may mean shop/till/article or shop/web/article: use the whole name'],
      'events.blog/article': ['is not the name of an event'],
    });
  });

  it('about something that everyone gets is refused, unless it changes nothing or forgets a choice', async () => {
    expect(
      await refusal({
        categories: { 'shop/security': { email: 'off' } },
        events: { login: 'on', paid: 'off' },
        channels: { email: 'off' },
      }),
    ).toEqual({
      'categories.shop/security.email': ['cannot be chosen: the category is required'],
      'events.login': ['cannot be chosen: its category shop/security is required'],
      'events.paid': ['cannot be chosen: the event has no category, so it is always sent'],
    });
    // All or nothing.
    expect((await matrix()).channels[0]).toMatchObject({ on: true, chosen_by: null });
    await choose({ categories: { 'shop/news': 'off' }, events: { 'web/article': 'off' } });
    await app.as(key).patch('/api/o/acme/p/shop/categories/news/').send({ default: 'required', channels: {} });
    await app.as(key).patch('/api/o/acme/p/shop/a/web/e/article/').send({ category: null });
    const all = await choose({ categories: { 'shop/news': 'off' }, events: { 'web/article': 'off' } });
    expect(shown(all, 'shop/news')).toBe('email on required, inbox on required, sms on required');
    expect(shown(all, 'shop/web/article')).toBe('email on transactional, inbox on transactional, sms on transactional');
    expect(all.events[0]).toMatchObject({ category: null, required: false });
    expect((await choose({ categories: { 'shop/news': null }, events: { 'web/article': null } })).events).toEqual([]);
  });

  const ALL_TYPES = ['email', 'webhook', 'webpush', 'inbox', 'log', 'http', ...builtInTypes()];
  const TYPES = `Known: ${ALL_TYPES.slice(0, 30).join(', ')} and ${ALL_TYPES.length - 30} more`;

  it('is checked, all fields at once', async () => {
    expect(
      await refusal({
        channels: { emial: 'off', sms: 'maybe', '': 'on', all: 'off' },
        categories: { 'shop/news': { smss: 'off', '': 'off', email: 1 }, other: [], empty: {} },
        events: { paid: 'no', constructor: { __proto__x: true } },
      }),
    ).toEqual({
      'channels.emial': [`is not a channel type: did you mean email? ${TYPES}`],
      'channels.sms': ['must be on, off or null'],
      'channels.': [`is not a channel type. ${TYPES}`],
      'channels.all': [`is not a channel type. ${TYPES}`],
      'categories.shop/news.smss': [`is not a channel type: did you mean sms? ${TYPES}`],
      'categories.shop/news.': [`is not a channel type. ${TYPES}`],
      'categories.shop/news.email': ['must be on, off or null'],
      'categories.other': ['must be on, off or null, or name channel types, such as { "email": "off" }'],
      'categories.empty': ['must be on, off or null, or name channel types, such as { "email": "off" }'],
      'events.paid': ['must be on, off or null, or name channel types, such as { "email": "off" }'],
      'events.constructor.__proto__x': [`is not a channel type. ${TYPES}`],
    });
    expect(await refusal({ chanels: {}, categories: null })).toEqual({
      chanels: [
        'is not a known field: did you mean channels? Known: lists, muted_threads, channels, categories, events',
      ],
      categories: ['must be an object'],
    });
    expect(await refusal({ categories: { nowhere: null, '': 'on', toString: 'on' } })).toEqual({
      'categories.nowhere': ['is not the name of a category'],
      'categories.': ['is not the name of a category'],
      'categories.toString': ['is not the name of a category'],
    });
  });

  it('beyond 1000 choices of a person is refused', async () => {
    await app.pool.query(
      `with made as (
         insert into categories (organization_id, project_id, slug, name)
         select p.organization_id, p.id, 'c' || n, 'C' from projects p, generate_series(1, 999) n where p.slug = 'blog'
         returning id, organization_id)
       insert into preferences (organization_id, user_id, category_id, is_on, chosen_by)
       select m.organization_id, u.id, m.id, false, 'person' from made m join users u using (organization_id) where email = 'ann@acme.test'`,
    );
    expect(await refusal({ categories: { 'shop/news': { email: 'off', sms: 'off' } } })).toEqual({
      'categories.shop/news.sms': ['cannot be stored: a user can have 1000 choices. Remove some with null'],
    });
    await choose({ categories: { 'shop/news': { email: 'off', sms: 'off' }, 'blog/c1': null } });
  });

  it('of two requests at once: both count', async () => {
    const types = ['email', 'sms', 'inbox'];
    const sent = types.map((type) =>
      app
        .as(key)
        .patch(ANN)
        .send({ channels: { [type]: 'off' } }),
    );
    expect((await Promise.all(sent)).map(({ status }) => status)).toEqual([200, 200, 200]);
    expect((await matrix()).channels.map(({ on }) => on)).toEqual([false, false, false]);
  });

  it('needs a key of the whole organization, and its permission', async () => {
    for (const branch of [{ project: 'shop' }, { project: 'shop', application: 'web' }]) {
      const bound = await app.key({ org: 'acme', ...branch });
      const { status, body } = await app
        .as(bound)
        .patch(ANN)
        .send({ channels: { email: 'off' } });
      expect([status, (body as { detail: string }).detail]).toEqual([
        403,
        expect.stringContaining('whole organization'),
      ]);
    }
    const globex = await app.key({ org: 'globex' });
    for (const method of ['get', 'patch'] as const) expect((await app.as(globex)[method](ANN)).status).toBe(404);
    const reader = await app.key({ org: 'acme', permissions: ['preference:read'] });
    expect((await app.as(reader).get(ANN)).status).toBe(200);
    expect((await app.as(reader).patch(ANN).send({})).status).toBe(403);
  });
});

it('is in the audit log, which forgets the person with the person', async () => {
  const person = (await app.pool.query<{ id: number }>(`select min(id) id from users where email = 'ann@acme.test'`))
    .rows[0]!;
  await choose({
    channels: { sms: 'off' },
    categories: { 'shop/news': { email: 'off' } },
    events: { 'web/article': 'off' },
  });
  await choose({ categories: { 'shop/news': { email: 'on' } }, channels: { sms: null } });
  const entries = async () => {
    const { rows } = await app.pool.query<{ verb: string; name: string; changes: object }>(
      `select verb, name, changes from audit_entries where noun = 'preference' and actor = 'test' and organization_id = (select id from organizations where slug = 'acme') order by id`,
    );
    return rows;
  };
  const names = (await entries()).map(({ verb, name }) => `${verb} ${name}`);
  expect(names.sort()).toEqual([
    'create shop/news/email/ann@acme.test',
    'create shop/web/article/ann@acme.test',
    'create sms/ann@acme.test',
    'delete sms/ann@acme.test',
    'update shop/news/email/ann@acme.test',
  ]);
  const updated = (await entries()).find(({ verb }) => verb === 'update');
  expect(updated!.changes).toEqual({ is_on: [false, true] });
  expect((await app.as(key).delete('/api/o/acme/u/ann@acme.test/')).status).toBe(204);
  const after = await entries();
  expect(JSON.stringify(after)).not.toContain('ann@acme.test');
  expect(after.map(({ name }) => name)).toContain(`shop/news/email/[user ${person.id}]`);
  expect((await app.pool.query('select from preferences')).rowCount).toBe(0);
});

describe('how often', () => {
  const category = '/api/o/acme/p/shop/categories/news/';
  const frequencyOf = ({ body }: { body: object }) => {
    const { categories } = body as { categories: { category: string; frequency: string; frequencies: string[] }[] };
    const { frequency, frequencies } = categories.find((each) => each.category === 'shop/news')!;
    return { frequency, frequencies };
  };
  const choose = (categories: object) => app.as(key).patch(ANN).send({ categories });

  it('can be chosen as far as the category allows it, and is forgotten with null', async () => {
    const refused = await choose({ news: { frequency: 'daily' }, 'shop/security': { frequency: 'daily' } });
    expect([refused.status, (refused.body as { errors: object }).errors]).toEqual([
      400,
      expect.objectContaining({
        'categories.shop/security.frequency': ['cannot be chosen: the category is required'],
      }),
    ]);
    await app
      .as(key)
      .patch(category)
      .send({ frequencies: ['daily'] });
    const weekly = await choose({ 'shop/news': { frequency: 'weekly' } });
    expect((weekly.body as { errors: object }).errors).toEqual({
      'categories.shop/news.frequency': ['cannot be weekly: the category allows daily'],
    });
    const often = await choose({ 'shop/news': { frequency: 'often' } });
    expect((often.body as { errors: object }).errors).toEqual({
      'categories.shop/news.frequency': ['must be at_once, daily, weekly or null'],
    });
    expect(frequencyOf(await choose({ 'shop/news': { frequency: 'daily', email: 'on' } }))).toEqual({
      frequency: 'daily',
      frequencies: ['daily'],
    });
    const at = async () => (await app.pool.query('select chosen_at from preferences where frequency is not null')).rows;
    const first = await at();
    await choose({ 'shop/news': { frequency: 'daily' } });
    expect(await at()).toEqual(first);
    // A category that no longer allows it sends at once, and keeps the choice.
    await app.as(key).patch(category).send({ frequencies: [] });
    expect(frequencyOf(await app.as(key).get(ANN))).toEqual({ frequency: 'at_once', frequencies: [] });
    await app
      .as(key)
      .patch(category)
      .send({ frequencies: ['daily'] });
    expect(frequencyOf(await app.as(key).get(ANN)).frequency).toBe('daily');
    expect(frequencyOf(await choose({ 'shop/news': { frequency: 'at_once' } })).frequency).toBe('at_once');
    expect(await at()).toEqual([]);
  });
});
