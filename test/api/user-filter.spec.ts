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

const ask = (query: Record<string, string>) =>
  app.as(key).get(`/api/o/filtered/u/?${new URLSearchParams(query).toString()}`);

const namesIn = (body: unknown) => (body as { email: string }[]).map(({ email }) => email.split('@')[0]!);
const found = async (query: Record<string, string>) => namesIn((await ask(query).expect(200)).body);

const audience = (filter: object) => ({ audience: JSON.stringify(filter) });
const OPS = { field: 'custom_fields.team', is: 'ops' };

describe('the list of users', () => {
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
    const { body } = await app.as(other).get(`/api/o/other/u/?list=${staff}`).expect(200);
    expect(body).toEqual([]);
  });
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
