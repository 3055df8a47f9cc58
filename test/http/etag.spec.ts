import { beforeEach, describe, expect, it } from '@jest/globals';
import type { TestApp } from '../support/app/app.js';
import { useApp } from '../support/app/use.js';
import { operations } from '../support/contract/contract.js';
import { OPERATIONS } from '../support/contract/operations.js';
import { ACME_AND_GLOBEX } from '../support/world/acme.js';
import { signingSecret } from '../support/world/signing-secret.js';

const ORG = '/api/o/acme';
const SHOP = `${ORG}/p/shop`;
const PAID = `${SHOP}/a/web/e/order-paid`;
const HOOK = `${SHOP}/a/web/status-webhook`;
const ANN = `${ORG}/u/ann@acme.test`;

let app: TestApp;
let key: string;
let rule: number;
let suppression: number;
let list: number;

useApp({}, (started) => (app = started));
beforeEach(async () => {
  await app.empty();
  await app.apply(ACME_AND_GLOBEX);
  key = await app.key({});
  await made(`${SHOP}/categories/`, { slug: 'news', name: 'News' });
  const templates = [{ channel: 'hook', text: 'Hi' }];
  rule = (await made(`${PAID}/n/`, { name: 'Tell', distribution_lists: ['Staff'], templates })).id!;
  list = (await made(`${SHOP}/d/`, { name: 'Buyers' })).id!;
  suppression = (await made(`${ORG}/suppressions/`, { name: 'email', value: 'gone@acme.test' })).id!;
  await ask('put', `${HOOK}/`, null, { url: 'https://a.test/', secret: signingSecret('the-first-secret') });
});

type Method = 'get' | 'put' | 'patch' | 'delete';

async function made(path: string, body: object): Promise<{ id?: number }> {
  const answer = await app.as(key).post(path).send(body);
  expect([path, Math.floor(answer.status / 100)]).toEqual([path, 2]);
  return answer.body as { id?: number };
}

async function ask(method: Method, path: string, ifMatch: string | null = null, body?: object) {
  const answer = await app
    .as(key)
    [method](path)
    .set(ifMatch === null ? {} : { 'If-Match': ifMatch })
    .send(body);
  return { status: answer.status, etag: answer.headers.etag, body: answer.body as object };
}

interface Thing {
  name: string;
  read: string;
  write: string;
  method?: 'put' | 'patch';
  /** Two changes that differ. */
  changes: [object, object];
  isKept?: true;
}
const names: [object, object] = [{ name: 'One' }, { name: 'Two' }];
const clocks: [object, object] = [{ time_zone: 'Europe/Rome' }, { time_zone: 'Asia/Tokyo' }];
const hook = (url: string) => ({ url, secret: signingSecret('the-first-secret') });
const THINGS: Thing[] = [
  { name: 'a project', read: `${ORG}/p/depot/settings/`, write: `${ORG}/p/depot/`, changes: names, isKept: true },
  { name: 'an application', read: `${SHOP}/a/web/`, write: `${SHOP}/a/web/`, changes: names, isKept: true },
  { name: 'a list', read: 'list settings', write: 'list', changes: names, isKept: true },
  { name: 'an event', read: `${PAID}/`, write: `${PAID}/`, changes: names },
  { name: 'a notification', read: 'rule', write: 'rule', changes: names },
  { name: 'a category', read: `${SHOP}/categories/news/`, write: `${SHOP}/categories/news/`, changes: names },
  { name: 'a channel', read: `${ORG}/c/quiet/`, write: `${ORG}/c/quiet/`, changes: names },
  { name: "a project's channel", read: `${SHOP}/c/hook/`, write: `${SHOP}/c/hook/`, changes: names, isKept: true },
  {
    ...{ name: 'a status webhook', read: `${HOOK}/`, write: `${HOOK}/`, method: 'put' as const },
    changes: [hook('https://b.test/'), hook('https://c.test/')],
  },
  {
    ...{ name: 'the settings of an organization', read: `${ORG}/settings/`, write: `${ORG}/settings/` },
    ...{ changes: clocks, isKept: true as const },
  },
  {
    ...{ name: 'quotas', read: `${ORG}/quotas/`, write: `${ORG}/quotas/` },
    ...{ changes: [{ stored_mb: 1000 }, { stored_mb: 2000 }] as [object, object], isKept: true as const },
  },
  {
    ...{ name: 'the settings of a user', read: `${ANN}/settings/`, write: `${ANN}/settings/` },
    ...{ changes: clocks, isKept: true as const },
  },
  {
    ...{ name: 'the profile of a user', read: `${ORG}/users/ann@acme.test/`, write: `${ORG}/users/ann@acme.test/` },
    ...{ method: 'put' as const, isKept: true as const, changes: [{ first_name: 'One' }, { first_name: 'Two' }] },
  },
  {
    ...{ name: 'preferences', read: `${ANN}/preferences/`, write: `${ANN}/preferences/`, isKept: true as const },
    changes: [{ channels: { email: 'off' } }, { channels: { email: 'on' } }],
  },
];
const placeOf = (path: string) =>
  ({ rule: `${PAID}/n/${rule}/`, list: `${SHOP}/d/${list}/`, 'list settings': `${SHOP}/d/${list}/settings/` })[path] ??
  path;
const change = ({ write, method = 'patch', changes }: Thing, which: 0 | 1, ifMatch: string | null) =>
  ask(method, placeOf(write), ifMatch, changes[which]);

describe.each(THINGS)('the ETag of $name', (thing) => {
  const read = async () => ask('get', placeOf(thing.read));

  it('stays the same until a change, and the answer of the change has the next one', async () => {
    const before = await read();
    expect(before.etag).toMatch(/^"[\w-]{22}"$/);
    expect((await read()).etag).toBe(before.etag);
    const changed = await change(thing, 0, before.etag!);
    expect(changed).toMatchObject({ status: 200 });
    expect(changed.etag).not.toBe(before.etag);
    expect((await read()).etag).toBe(changed.etag);
  });

  it('refuses a change of a version that was changed since, and the first change stays', async () => {
    const { etag } = await read();
    expect((await change(thing, 0, etag!)).status).toBe(200);
    const stored = await read();
    const refused = await change(thing, 1, etag!);
    expect(refused).toMatchObject({ status: 412, body: { type: 'urn:carillon:problem:precondition-failed' } });
    expect(await read()).toEqual(stored);
    // Knowingly.
    expect((await change(thing, 1, '*')).status).toBe(200);
    expect((await change(thing, 0, null)).status).toBe(200);
  });

  it('lets one of twenty concurrent changes of the same version through', async () => {
    const { etag } = await read();
    const writers = Array.from({ length: 20 }, (_, i) => change(thing, (i % 2) as 0 | 1, etag!));
    const statuses = (await Promise.all(writers)).map(({ status }) => status).sort((a, b) => a - b);
    expect(statuses).toEqual([200, ...Array<number>(19).fill(412)]);
  });

  it('refuses to delete a version that was changed since', async () => {
    if (thing.isKept) return;
    const { etag } = await read();
    const { etag: newer } = await change(thing, 0, null);
    expect((await ask('delete', placeOf(thing.write), etag)).status).toBe(412);
    expect((await ask('delete', placeOf(thing.write), newer)).status).toBe(204);
  });
});

describe('an ETag', () => {
  it('changes with a secret that the answer masks', async () => {
    const hooked = `${SHOP}/c/hook/`;
    const config = (secret: string) => ({
      config: { url: 'http://127.0.0.1:9000/in', secret: signingSecret(secret) },
    });
    const one = await ask('patch', hooked, null, config('the-first-secret'));
    const two = await ask('patch', hooked, one.etag, config('the-other-secret'));
    expect([two.status, two.body]).toEqual([200, one.body]);
    expect((await ask('patch', hooked, one.etag, config('the-third-secret'))).status).toBe(412);
    const first = await ask('get', `${HOOK}/`);
    await ask('put', `${HOOK}/`, first.etag, { url: 'https://a.test/', secret: signingSecret('the-other-secret') });
    expect((await ask('delete', `${HOOK}/`, first.etag)).status).toBe(412);
  });

  it('of quotas does not change with what is used', async () => {
    const before = await ask('get', `${ORG}/quotas/`);
    await ask('delete', `${PAID}/n/${rule}/`);
    const after = await ask('get', `${ORG}/quotas/`);
    expect(after.body).not.toEqual(before.body);
    expect(after.etag).toBe(before.etag);
  });

  it('matches nothing where nothing is stored', async () => {
    await ask('delete', `${HOOK}/`);
    expect((await ask('put', `${HOOK}/`, '*', hook('https://b.test/'))).status).toBe(412);
    expect((await ask('put', `${HOOK}/`, null, hook('https://b.test/'))).status).toBe(200);
  });

  it('protects a suppression from being lifted after it was renewed', async () => {
    const path = `${ORG}/suppressions/${suppression}/`;
    const { etag } = await ask('get', path);
    await made(`${ORG}/suppressions/`, { name: 'email', value: 'gone@acme.test', note: 'asked again' });
    expect((await ask('delete', path, etag)).status).toBe(412);
    expect((await ask('delete', path, (await ask('get', path)).etag)).status).toBe(204);
  });

  it('is on no basic operation, and on every other one that reads a thing which can be changed', () => {
    const keyOf = ({ method, path }: { method: string; path: string }) => `${method.toUpperCase()} ${path}`;
    const basic = new Set(OPERATIONS.map(keyOf));
    const answers = (operation: (typeof operations)[number]) =>
      'ETag' in ((operation.responses['200'] as { headers?: object } | undefined)?.headers ?? {});
    const checks = ({ parameters }: (typeof operations)[number]) => parameters.some(({ name }) => name === 'If-Match');
    expect(operations.filter((each) => basic.has(keyOf(each)) && (answers(each) || checks(each)))).toEqual([]);
    const reads = operations.filter((each) => each.method === 'GET' && answers(each));
    const changes = operations.filter((each) => ['PUT', 'PATCH', 'DELETE'].includes(each.method));
    const readAt = new Set(reads.map(({ path }) => path));
    const unchecked = changes.filter((each) => !basic.has(keyOf(each)) && !checks(each)).map(keyOf);
    // Their reads are basic operations, or they have none (devices, messages and members of organizations are read in lists), or they never change (uploads).
    expect(unchecked.sort()).toEqual([
      'DELETE /api/o/{org}/',
      'DELETE /api/o/{org}/members/{memberEmail}/',
      'DELETE /api/o/{org}/p/{prj}/d/{pk}/',
      'DELETE /api/o/{org}/p/{prj}/d/{pk}/m/{member}/',
      'DELETE /api/o/{org}/session/{session}/',
      'DELETE /api/o/{org}/u/{username}/',
      'DELETE /api/o/{org}/u/{username}/address/{name}/{value}/',
      'DELETE /api/o/{org}/u/{username}/devices/{bundle}/{device}/',
      'DELETE /api/o/{org}/u/{username}/inbox/{message}/',
      'DELETE /api/o/{org}/uploads/{upload}/',
      'DELETE /api/session/',
      'PATCH /api/o/{org}/',
      'PATCH /api/o/{org}/p/{prj}/d/{pk}/m/{member}/',
      'PATCH /api/o/{org}/u/{username}/address/{name}/{value}/',
      'PUT /api/o/{org}/members/{memberEmail}/',
      'PUT /api/o/{org}/u/{username}/devices/{bundle}/{device}/',
    ]);
    // The version of a configuration is that of its plan, which has no path of its own to read.
    const ofPlan = '/api/o/{org}/configuration/';
    for (const { path, responses } of changes.filter((each) => checks(each) && each.path !== ofPlan)) {
      expect([path, readAt.has(path) || readAt.has(`${path}settings/`)]).toEqual([path, true]);
      expect(Object.keys(responses)).toContain('412');
    }
  });
});
