import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { startApi } from '../support/app/api.js';
import { TestApp } from '../support/app/app.js';
import { Clock } from '../support/clock.js';
import { createFolder } from '../support/folder.js';
import { CLIENT, OpenId } from '../support/providers/openid.js';
import { ACME_AND_GLOBEX } from '../support/world/acme.js';

// Behind a proxy that serves it below a path.
const PUBLIC_URL = 'https://notify.example.com/carillon';
const SIGN_IN = '/api/session/oidc/example/';
const ANN = { email: 'ann@acme.test', email_verified: true, groups: ['all', 'acme-shop'] };

const folder = createFolder();
let openId: OpenId;
let app: TestApp;

beforeAll(async () => {
  openId = await OpenId.start(`${PUBLIC_URL}${SIGN_IN}callback/`);
  const file = join(folder.path, 'oidc.yaml');
  writeFileSync(join(folder.path, 'secret'), `${CLIENT.secret}\n`);
  writeFileSync(
    file,
    `providers:
  - slug: example
    name: Example SSO
    issuer: ${openId.issuer}
    client_id: ${CLIENT.id}
    client_secret: { file: secret }
    groups:
      - { group: operators, permissions: all }
      - { group: acme-shop, permissions: [system:ping, apikey:read, distributionlist:write], organization: acme, project: shop }
      - { group: moved, permissions: all, organization: nowhere }
  - { slug: gone, name: Gone, issuer: "http://127.0.0.1:9", client_id: x, groups: [{ group: x, permissions: all }] }
`,
  );
  app = await TestApp.start({ PUBLIC_URL, OIDC_FILE: file });
  await app.apply(ACME_AND_GLOBEX);
});
afterAll(async () => {
  await app.stop();
  await openId.stop();
  folder.remove();
});
beforeEach(() => {
  openId.person = ANN;
});

const get = (path: string, cookie = '') => fetch(app.url + path, { headers: { cookie }, redirect: 'manual' });
const cookiesOf = (answer: Response) => answer.headers.getSetCookie().map((line) => line.split(';', 1)[0]!);

/** Starts to sign in, and returns where the provider leads back to. */
async function visit(): Promise<{ back: URL; cookie: string }> {
  const start = await get(SIGN_IN);
  expect(start.status).toBe(302);
  const [cookie] = cookiesOf(start);
  return { back: new URL(await openId.visit(start.headers.get('location')!)), cookie: cookie! };
}

const comeBack = ({ back, cookie }: { back: URL; cookie: string }) => {
  expect(back.href.startsWith(`${PUBLIC_URL}${SIGN_IN}callback/?`)).toBe(true);
  return get(back.href.slice(PUBLIC_URL.length), cookie);
};

const signedIn = async (answer: Response) => {
  expect([answer.status, answer.headers.get('location')]).toEqual([302, `${PUBLIC_URL}/console/`]);
  const Cookie = cookiesOf(answer).find((cookie) => cookie.startsWith('__Host-carillon='))!;
  return { Cookie, 'Sec-Fetch-Site': 'same-origin' };
};

/** A page for a person: it says why, and sets no session. */
async function expectRefused(answer: Response, status: number, title: string) {
  expect([answer.status, answer.headers.get('content-type')]).toEqual([status, 'text/html; charset=utf-8']);
  expect(await answer.text()).toContain(`<h1>${title}</h1>`);
  expect(cookiesOf(answer).filter((cookie) => cookie !== '__Host-carillon-oidc=')).toEqual([]);
}

const STALE = 'Please sign in again';

it('lists the providers, with the path of the public address', async () => {
  expect((await app.as().get('/api/session/providers/')).body).toEqual([
    { name: 'Example SSO', url: `/carillon${SIGN_IN}` },
    { name: 'Gone', url: '/carillon/api/session/oidc/gone/' },
  ]);
});

it('signs a person in with the rights of the first group that has some, and the audit log names the person', async () => {
  const start = await get(SIGN_IN);
  expect(start.headers.getSetCookie()).toEqual([
    expect.stringMatching(/^__Host-carillon-oidc=.*; Path=\/; Max-Age=600; HttpOnly; Secure; SameSite=Lax$/),
  ]);
  const asked = new URL(start.headers.get('location')!).searchParams;
  expect([asked.get('response_type'), asked.get('code_challenge_method')]).toEqual(['code', 'S256']);
  expect([asked.has('code_challenge'), asked.has('state'), asked.has('nonce')]).toEqual([true, true, true]);
  const answer = await comeBack(await visit());
  expect(answer.headers.getSetCookie()).toContainEqual(
    expect.stringMatching(/^__Host-carillon=crs_\w+; Path=\/; Max-Age=604800; HttpOnly; Secure; SameSite=Strict$/),
  );
  const page = await signedIn(answer);
  const { body } = await app.on(page).get('/api/session/');
  expect(body).toMatchObject({
    ...{ via: 'oidc', person: 'ann@acme.test', name: 'ann@acme.test', organization: 'acme', project: 'shop' },
    ...{ application: null, permissions: ['system:ping', 'apikey:read', 'distributionlist:write'] },
  });
  expect((await app.on(page).get('/api/o/acme/session/')).body).toEqual([body]);
  const made = await app.on(page).post('/api/o/acme/p/shop/d/').send({ name: 'Made by Ann' });
  expect(made.status).toBe(201);
  expect((await app.on(page).get('/api/o/acme/u/')).status).toBe(403);
  expect((await app.on(page).get('/api/o/globex/session/')).status).toBe(404);
  const log = await app.as(await app.key({ org: 'acme' })).get('/api/o/acme/audit/');
  expect(log.body).toContainEqual(expect.objectContaining({ actor: 'ann@acme.test', name: 'shop/Made by Ann' }));
  const request = { request_id: answer.headers.get('x-request-id'), address: expect.stringContaining('127.0.0.1') };
  const created = { actor: 'ann@acme.test', noun: 'session', verb: 'create', ...request };
  expect(log.body).toContainEqual(expect.objectContaining(created));
  expect((await app.on(page).delete('/api/session/')).status).toBe(204);
  expect((await app.on(page).get('/api/session/')).status).toBe(401);
});

it('signs an operator in', async () => {
  openId.person = { email: 'op@acme.test', groups: ['operators'] };
  const page = await signedIn(await comeBack(await visit()));
  expect((await app.on(page).get('/api/session/')).body).toMatchObject({ organization: null, person: 'op@acme.test' });
  expect((await app.on(page).get('/api/o/globex/')).status).toBe(200);
});

describe('a member without a group', () => {
  const member = (email: string) => `/api/o/acme/members/${email}/`;

  it('signs in with the role, by a verified e-mail', async () => {
    const key = await app.key({ org: 'acme' });
    await app.as(key).put(member('mia@acme.test')).send({ name: 'Mia', role: 'viewer', project: 'shop' }).expect(200);
    openId.person = { email: 'Mia@acme.test', email_verified: true, groups: ['others'] };
    const page = await signedIn(await comeBack(await visit()));
    expect((await app.on(page).get('/api/session/')).body).toMatchObject({
      ...{ via: 'oidc', person: 'mia@acme.test', name: 'Mia <mia@acme.test>', organization: 'acme', project: 'shop' },
    });
    expect((await app.on(page).get('/api/o/acme/p/shop/')).status).toBe(200);
    expect((await app.on(page).get('/api/o/acme/k/')).status).toBe(403);
    await app.as(key).delete(member('mia@acme.test')).expect(204);
    expect((await app.on(page).get('/api/session/')).status).toBe(401);
  });

  it.each([false, undefined])('does not with an e-mail whose verification is %s', async (email_verified) => {
    const key = await app.key({ org: 'acme' });
    await app.as(key).put(member('max@acme.test')).send({ role: 'viewer' }).expect(200);
    openId.person = { email: 'max@acme.test', email_verified, groups: ['others'] };
    await expectRefused(await comeBack(await visit()), 403, 'You have no access to Carillon');
  });
});

describe('signs nobody in', () => {
  it.each([
    ['whose groups have no access', ['others']],
    ['without groups', []],
    ['whose groups are not known', undefined],
  ])('%s', async (_, groups) => {
    openId.person = { email: 'eve@acme.test', groups };
    await expectRefused(await comeBack(await visit()), 403, 'You have no access to Carillon');
  });

  it('whose organization does not exist', async () => {
    openId.person = { email: 'eve@acme.test', groups: ['moved'] };
    await expectRefused(await comeBack(await visit()), 403, 'You have no access to Carillon');
  });

  it('who refuses at the provider', async () => {
    openId.person = null;
    await expectRefused(await comeBack(await visit()), 403, 'You were not signed in');
  });

  it('who comes back with another state, another code, or without the cookie', async () => {
    const { back, cookie } = await visit();
    const other = await visit();
    const changed = (name: string, value: string) => {
      const url = new URL(back);
      url.searchParams.set(name, value);
      return { back: url, cookie };
    };
    await expectRefused(await comeBack(changed('state', 'wrong')), 400, STALE);
    await expectRefused(await comeBack({ back, cookie: '' }), 400, STALE);
    await expectRefused(await comeBack({ back, cookie: other.cookie }), 400, STALE);
    await expectRefused(await comeBack(changed('code', 'wrong')), 400, STALE);
    await expectRefused(await get(`${SIGN_IN}callback/`, cookie), 400, STALE);
    // The code of another visit: its proof (PKCE) is another one.
    await expectRefused(await comeBack(changed('code', other.back.searchParams.get('code')!)), 400, STALE);
  });

  it('with a cookie that this service did not make, without asking the provider', async () => {
    const { back } = await visit();
    const state = back.searchParams.get('state')!;
    const asked = openId.codes;
    const forged = [`example.${state}.nonce.verifier`, `v1.00000000.${Buffer.from(state).toString('base64url')}`];
    for (const value of forged)
      await expectRefused(await comeBack({ back, cookie: `__Host-carillon-oidc=${value}` }), 400, STALE);
    expect(openId.codes).toBe(asked);
  });

  it('twice with the same code', async () => {
    const trip = await visit();
    await signedIn(await comeBack(trip));
    await expectRefused(await comeBack(trip), 400, STALE);
  });

  it('at a provider that does not answer, or that is not configured', async () => {
    await expectRefused(await get('/api/session/oidc/gone/'), 503, 'The sign-in service does not answer');
    for (const path of ['', 'callback/'])
      await expectRefused(await get(`/api/session/oidc/nowhere/${path}`), 404, 'There is no such way to sign in');
  });
});

it('ends the sessions of a provider that is no longer configured, at the next start', async () => {
  const page = await signedIn(await comeBack(await visit()));
  const byKey = await app.signIn({ key: await app.key({ org: 'acme' }) });
  const without = await startApi(app);
  await without.stop();
  const { rows } = await app.pool.query<{ via: string }>('select distinct via from api_keys where via is not null');
  expect(rows).toEqual([{ via: 'key' }]);
  const second = await startApi(app);
  expect((await fetch(`${second.url}/api/session/`, { headers: page })).status).toBe(401);
  await second.stop();
  expect((await app.on(byKey).get('/api/session/')).status).toBe(200);
});

it('asks the provider a limited number of times for a browser that repeats one trip', async () => {
  const second = await startApi(app, { PUBLIC_URL, OIDC_FILE: join(folder.path, 'oidc.yaml') });
  const { back, cookie } = await visit();
  back.searchParams.set('code', 'wrong');
  const again = async () => {
    const answer = await fetch(second.url + back.href.slice(PUBLIC_URL.length), { headers: { cookie } });
    await answer.text();
    return answer.status;
  };
  const asked = openId.codes;
  const statuses: number[] = [];
  // The clock stands still, so that the limit allows no more meanwhile.
  await Clock.stopped(async () => {
    for (let n = 0; n < 110; n++) statuses.push(await again());
  });
  expect(statuses).toEqual([...Array<number>(100).fill(400), ...Array<number>(10).fill(429)]);
  expect(openId.codes - asked).toBe(100);
  await second.stop();
});

// After the others: the time that it plays counts for the limit of wrong keys too.
it('refuses a person with a code that has expired', async () => {
  await Clock.stopped(async (clock) => {
    const trip = await visit();
    clock.advance(120_000);
    await expectRefused(await comeBack(trip), 400, STALE);
  });
});
