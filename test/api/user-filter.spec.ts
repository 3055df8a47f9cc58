import { randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { TestApp } from '../support/app/app.js';
import { useAcme } from '../support/app/use.js';
import { invalid } from '../support/contract/problems.js';

let app: TestApp;
let key: string;
let staff: number;
useAcme((acme) => ({ app, key } = acme));

beforeAll(async () => {
  await app.apply('organizations: [{ slug: filtered, name: Filtered }]');
  key = await app.key({ org: 'filtered' });
  // A file creates users in the order of their e-mails, and this is the order of their ids.
  for (const email of ['dora@f.test', 'berta@f.test', 'Clara@f.test', 'anna@f.test'])
    await app.as(key).post('/api/o/filtered/u/').send({ email }).expect(201);
  await app.apply(`
organizations:
  - slug: filtered
    name: Filtered
    projects: [{ slug: p, name: P, distribution_lists: [{ name: Team, members: [dora@f.test, berta@f.test] }] }]
    users:
      - { email: dora@f.test, first_name: Dora, locale: de-AT, custom_fields: { team: ops, n: 3 }, addresses: [{ name: phone, value: '+390655512345' }] }
      - { email: berta@f.test, first_name: Berta, locale: de, custom_fields: { team: ops } }
      - { email: Clara@f.test, first_name: Clara, locale: den, custom_fields: { team: dev } }
      - { email: anna@f.test, first_name: Anna, last_name: Dorado }
  - slug: other
    name: Other
    users: [{ email: dora@f.test, locale: de, custom_fields: { team: ops } }]
`);
  const lists = await app.as(key).get('/api/o/filtered/p/p/d/').expect(200);
  staff = (lists.body as { id: number }[])[0]!.id;
});

const namesIn = (body: unknown) => (body as { email: string }[]).map(({ email }) => email.split('@')[0]!);

const audience = (filter: object) => ({ audience: JSON.stringify(filter) });
const OPS = { field: 'custom_fields.team', is: 'ops' };

describe.each([
  ['the list of users', 'u'],
  ['the list of whole users', 'users'],
])('%s', (_list, path) => {
  const ask = (query: Record<string, string>) =>
    app.as(key).get(`/api/o/filtered/${path}/?${new URLSearchParams(query).toString()}`);
  const found = async (query: Record<string, string>) => namesIn((await ask(query).expect(200)).body);

  it.each<[string, () => Record<string, string>, string[]]>([
    ['those in an audience', () => audience(OPS), ['dora', 'berta']],
    ['those with an address of a kind', () => audience({ address: 'phone' }), ['dora']],
    ['those without one', () => audience({ not: { address: 'phone' } }), ['berta', 'Clara', 'anna']],
    ['the members of a list', () => ({ list: String(staff) }), ['dora', 'berta']],
    ['those with a language', () => ({ locale: 'DE' }), ['dora', 'berta']],
    ['those with a language and region', () => ({ locale: 'de-AT' }), ['dora']],
    ['those of whom all filters are true', () => ({ ...audience(OPS), locale: 'de', search: 'ert' }), ['berta']],
    ['the newest first', () => ({ order: 'desc' }), ['anna', 'Clara', 'berta', 'dora']],
    ['all by their e-mail', () => ({ order: 'email' }), ['anna', 'berta', 'Clara', 'dora']],
    ['those found by words, by their e-mail', () => ({ order: 'email', search: 'dora' }), ['anna', 'dora']],
  ])('shows %s', async (_name, query, emails) => {
    expect(await found(query())).toEqual(emails);
  });

  it.each<Record<string, string>>([
    { order: 'email' },
    { order: 'desc' },
    { order: 'desc', locale: 'de' },
    { search: 'dora' },
    audience(OPS),
  ])('shows the users of %j page by page as in one piece', async (query) => {
    const pages: string[] = [];
    for (let after: string | undefined = ''; after !== undefined;) {
      const page: { body: unknown; headers: { link?: string } } = await ask({
        ...query,
        limit: '1',
        ...(after && { after }),
      }).expect(200);
      pages.push(...namesIn(page.body));
      const [, next] = /<([^>]+)>; rel="next"/.exec(page.headers.link ?? '') ?? [];
      after = next && new URL(next).searchParams.get('after')!;
    }
    expect(pages).toEqual(await found(query));
    expect(pages.length).toBeGreaterThan(1);
  });

  it('refuses filters that say nothing', async () => {
    const answer = await ask({ audience: '{"field":"age","is":3}', list: 'x', locale: 'german', order: 'name' });
    expect(answer.body).toMatchObject({
      status: 400,
      errors: {
        audience: [expect.stringContaining('field')],
        list: ['must be the id of a list'],
        locale: [expect.stringContaining('language tag')],
        order: ['must be one of desc, email'],
      },
    });
    expect((await ask({ audience: '{' }).expect(400)).body).toEqual(invalid({ audience: ['must be JSON'] }));
  });

  it('shows nobody of the list of another organization', async () => {
    const other = await app.key({ org: 'other' });
    const { body } = await app.as(other).get(`/api/o/other/${path}/?list=${staff}`).expect(200);
    expect(body).toEqual([]);
  });
});

it('lists whole users that filters leave with everything that an export writes', async () => {
  const { body } = await app.as(key).get('/api/o/filtered/users/?search=dora&locale=de').expect(200);
  expect(body).toEqual([
    {
      ...{ email: 'dora@f.test', first_name: 'Dora', last_name: '', locked: false, locale: 'de-AT' },
      ...{ custom_fields: { team: 'ops', n: 3 }, time_zone: null, quiet_hours: null },
      addresses: [{ name: 'phone', value: '+390655512345' }],
    },
  ]);
});

it('counts the users of all filters together', async () => {
  const count = (body: object) => app.as(key).post('/api/o/filtered/audience/preview/').send(body);
  expect((await count({ audience: OPS, search: 'ert', locale: 'de', list: staff })).body).toMatchObject({
    ...{ users: 1, checked: 4, complete: true, sample: ['berta@f.test'] },
  });
  expect((await count({ search: '', list: -1, locale: '?' })).body).toMatchObject({
    status: 400,
    codes: { search: ['too_long'], list: ['invalid_format'], locale: ['invalid_format'] },
  });
});

it('ends a page of whole users that are large before its limit, and goes on after it', async () => {
  const large = { text: randomBytes(150_000).toString('base64') };
  for (const n of [1, 2, 3, 4, 5, 6, 7, 8])
    await app
      .as(key)
      .post('/api/o/filtered/u/')
      .send({ email: `large${n}@f.test`, custom_fields: large })
      .expect(201);
  for (const order of ['', '&order=desc', '&order=email']) {
    const path = `/api/o/filtered/users/?search=large${order}`;
    const first = await app.as(key).get(`${path}&limit=100`).expect(200);
    expect(namesIn(first.body).length).toBeLessThan(8);
    const [, next] = /<([^>]+)>; rel="next"/.exec(first.headers.link ?? '') ?? [];
    expect(next).toBeDefined();
    const { body } = await app.as(key).get(path).expect(200);
    expect(new Set(namesIn(body)).size).toBe(8);
    expect(namesIn(body)).toHaveLength(8);
  }
});
