import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TestApp } from '../support/app/app.js';
import { LISTS, pathOf } from '../support/contract/operations.js';
import type { SpecifiedOperation } from '../support/contract/operations.js';
import { ACME_AND_GLOBEX } from '../support/world/acme.js';

// Every list of Acme read here has at least three rows; slugs come in an order that is not that of the ids.
const MORE = `
organizations:
  - slug: acme
    name: Acme Inc
    channels: [{ slug: a-log, name: Log, type: log }]
    users:
      - { email: ann@acme.test, addresses: [{ name: fax, value: "1" }, { name: "a b", value: "2" }] }
      - { email: cleo@acme.test }
    projects:
      - { slug: "0", name: Zero }
      - slug: shop
        name: Shop
        channels: [{ slug: zed, name: Zed, type: log }, { slug: ab, name: Ab, type: log }, { slug: a-c, name: Ac, type: log }]
        distribution_lists: [{ name: B }, { name: A }, { name: Staff, members: [cleo@acme.test] }]
        applications:
          - { slug: app, name: App }
          - { slug: web, name: Web shop, events: [{ slug: a, name: A }, { slug: order, name: Order }] }
`;

const TABLES: Record<number, string> = {
  3: 'users',
  7: 'addresses',
  9: 'projects',
  11: 'channels',
  12: 'channels',
  13: 'applications',
  14: 'events',
  16: 'distribution_lists',
  20: 'members',
};

let app: TestApp;
let key: string;
let staff: string;
beforeAll(async () => {
  app = await TestApp.start();
  await app.apply(ACME_AND_GLOBEX);
  await app.apply(MORE);
  key = await app.key({ org: 'acme' });
  const { body } = await app.as(key).get('/api/o/acme/p/shop/d/');
  staff = String((body as { id: number; name: string }[]).find(({ name }) => name === 'Staff')!.id);
});
afterAll(() => app.stop());

type Items = object[];

const whole = async (operation: SpecifiedOperation): Promise<Items> => {
  const { status, body, headers } = await app.as(key).get(pathOf(operation, { pk: staff }));
  expect([status, headers.link, headers['content-type']]).toEqual([200, undefined, 'application/json; charset=utf-8']);
  return body as Items;
};

/** The pages, one after the other, as the `Link` headers lead from one to the next. */
async function pages(operation: SpecifiedOperation, limit: number): Promise<Items[]> {
  const found: Items[] = [];
  let path: string | undefined = `${pathOf(operation, { pk: staff })}?limit=${limit}`;
  while (path) {
    const { status, body, headers } = await app.as(key).get(path);
    expect(status).toBe(200);
    found.push(body as Items);
    const link = headers.link;
    const next = link?.match(/^<([^<>]+)>; rel="next"$/)?.[1];
    expect(next?.startsWith(`${app.url}${path.split('?')[0]}?limit=${limit}&after=`) ?? true).toBe(true);
    expect(next === undefined).toBe(link === undefined);
    path = next?.slice(app.url.length);
  }
  return found;
}

describe.each(LISTS)('$number. $path', (operation) => {
  it('is the same whole or page by page', async () => {
    const all = await whole(operation);
    expect(all.length).toBeGreaterThanOrEqual(3);
    expect(await pages(operation, 1)).toEqual(all.map((item) => [item]));
    expect((await pages(operation, 2)).flat()).toEqual(all);
  });

  it('has no next page after its last', async () => {
    const all = await whole(operation);
    expect(await pages(operation, all.length)).toEqual([all]);
    expect(await pages(operation, 1000)).toEqual([all]);
  });

  it('keeps its order when rows are written again', async () => {
    const all = await whole(operation);
    const table = TABLES[operation.number]!;
    // PostgreSQL puts the new version of a row behind all others.
    await app.pool.query(
      `update ${table} set id = id where id in (select min(id) from ${table} group by organization_id)`,
    );
    expect(await whole(operation)).toEqual(all);
    expect((await pages(operation, 1)).flat()).toEqual(all);
  });

  it('answers the same without the last slash', async () => {
    const path = pathOf(operation, { pk: staff }).slice(0, -1);
    const { status, body } = await app.as(key).get(path).redirects(0);
    expect([status, body]).toEqual([200, await whole(operation)]);
  });
});

it('a list longer than one fetch from the database is whole and in order', async () => {
  const emails = Array.from({ length: 1201 }, (_, n) => `p${n}@acme.test`);
  const { body: list } = await app.as(key).post('/api/o/acme/p/shop/d/').send({ name: 'Long' });
  const path = `/api/o/acme/p/shop/d/${(list as { id: number }).id}/`;
  expect((await app.as(key).post(`${path}add/`).send(emails)).status).toBe(200);
  const { body } = await app.as(key).get(`${path}m/`);
  const members = body as { id: number; user: string }[];
  expect(members.map(({ user }) => user).sort()).toEqual(emails.sort());
  expect(members.map(({ id }) => id)).toEqual(members.map(({ id }) => id).sort((a, b) => a - b));
  const first = await app.as(key).get(`${path}m/?limit=1000`);
  const second = await app.as(key).get((first.headers.link as string).match(/<(.*)>/)![1]!.slice(app.url.length));
  expect([...(first.body as Items), ...(second.body as Items)]).toEqual(members);
  expect(second.headers.link).toBeUndefined();
});
