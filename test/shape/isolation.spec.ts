import { describe, expect, it } from '@jest/globals';
import { RECIPIENT_SCOPES } from '../../src/auth/recipient/token.js';
import type { PageHeaders, TestApp } from '../support/app/app.js';
import { useAcme } from '../support/app/use.js';
import { isStream, operations, pathNames } from '../support/contract/contract.js';
import { fillPath } from '../support/contract/operations.js';
import { EventReader } from '../support/sinks/event-reader.js';
import { until } from '../support/until.js';
import { createSession, createThingsOfAcme } from '../support/world/acme-things.js';
import { fillInbox } from '../support/world/inbox.js';
import { storeOccurrence } from '../support/world/occurrence.js';
import { addSigningSecret } from '../support/world/token-secret.js';
import { suppress } from '../support/world/suppression.js';
import { addDevice } from '../support/world/device.js';
import { addMember } from '../support/world/organization-member.js';
import { addDraft } from '../support/world/draft.js';
import { addUpload } from '../support/world/upload.js';

// The names of Acme's things, and for each the same kind of thing of Globex, or of Acme's other project, and one that is nowhere.
// Ids are filled in once the things exist.
let OWN: Record<string, string>;
const FOREIGN: Record<string, string[]> = {
  org: ['globex'],
  prj: ['only-globex'],
  app: ['gate'],
  evt: ['opened', 'closed'],
  username: ['ann@globex.test'],
  email: ['ann@globex.test'],
  memberEmail: ['eve@globex.test'],
  pk: [],
  message: [],
  occurrence: [],
  delivery: [],
  key: [],
  channel: ['alarm'],
  category: ['alerts'],
  notification: [],
  member: [],
  draft: ['new-of-globex'],
  name: ['badge'],
  value: ['+15557654321'],
  bundle: ['com.globex.gate'],
  device: ['of-globex'],
  suppression: [],
  upload: [],
  session: [],
  secret: [],
  layout: ['foreign'],
  partial: ['foreign'],
};
const NOWHERE: Record<string, string> = {
  org: 'nowhere',
  prj: 'nowhere',
  app: 'nowhere',
  evt: 'nowhere',
  username: 'nowhere@acme.test',
  email: 'nowhere@acme.test',
  memberEmail: 'nowhere@acme.test',
  pk: '2147483647',
  message: '2147483647',
  occurrence: '00000000-0000-7000-8000-000000000000',
  delivery: '999999999999999',
  key: '2147483647',
  channel: 'nowhere',
  category: 'nowhere',
  notification: '2147483647',
  member: '2147483647',
  draft: 'new-of-nobody',
  name: 'nowhere',
  value: '+15550000000',
  bundle: 'nowhere',
  device: 'nowhere',
  suppression: '2147483647',
  upload: '00000000-0000-4000-8000-000000000000',
  session: '2147483647',
  secret: '2147483647',
  layout: 'nowhere',
  partial: 'nowhere',
};

// A second rule, channels that only others have, and addresses of another user.
const tell = `notifications: [{ name: Tell, distribution_list: Staff, templates: [{ channel: mail, text: Hi }] }]`;
const OTHERS = `
organizations:
  - slug: acme
    name: Acme Inc
    projects:
      - slug: shop
        name: Shop
        applications: [{ slug: web, name: Web shop, events: [{ slug: order-sent, name: Order sent, ${tell} }] }]
      - slug: depot
        name: Depot
        channels: [{ slug: alarm, name: Alarm, type: log }]
        categories: [{ slug: alerts, name: Alerts }]
  - slug: globex
    name: Globex
    channels: [{ slug: alarm, name: Alarm, type: log }]
    layouts: [{ slug: foreign, text: '{{ content }}' }]
    partials: [{ slug: foreign, text: Hi }]
    users: [{ email: ann@globex.test, addresses: [{ name: badge, value: "+15551234567" }, { name: phone, value: "+15557654321" }] }]
    projects:
      - slug: shop
        name: Shop
        channels: [{ slug: alarm, name: Alarm, type: log }]
        categories: [{ slug: alerts, name: Alerts of globex }]
        applications: [{ slug: web, name: Web shop, events: [{ slug: order-paid, name: Order paid, ${tell} }] }]
      - { slug: only-globex, name: X }
`;

let app: TestApp;
let key: string;
/** Somebody who has signed in with the key. */
let page: PageHeaders;

useAcme(async (acme) => {
  ({ app, key } = acme);
  OWN = await createThingsOfAcme(app);
  await app.apply(OTHERS);
  const ids = async (sql: string) => (await app.pool.query<{ id: number }>(sql)).rows.map(({ id }) => String(id));
  const others = (found: string[], own: string) => found.filter((id) => id !== own);
  const lists = `select l.id from distribution_lists l join organizations o on o.id = l.organization_id
    where (o.slug, l.name) in (('globex', 'Staff'), ('acme', 'Drivers'))`;
  const members = `select m.id from members m join distribution_lists l on l.id = m.list_id where l.name = 'Staff' and active`;
  FOREIGN.pk = await ids(lists);
  FOREIGN.member = others(await ids(members), OWN.member!);
  FOREIGN.notification = others(await ids('select id from notifications'), OWN.notification!);
  FOREIGN.message = [
    ...(await fillInbox(app.pool, 'ann@globex.test', 1)),
    ...(await fillInbox(app.pool, 'bob@acme.test', 1)),
  ].map(String);
  const [other, foreign] = await Promise.all(['acme', 'globex'].map((org) => storeOccurrence(app.pool, org, 1)));
  FOREIGN.occurrence = [foreign!.id];
  FOREIGN.delivery = [foreign, other].map((occurrence) => String(occurrence!.deliveries[0]));
  FOREIGN.suppression = [String(await suppress(app.pool, 'globex'))];
  await addDevice(app.pool, {
    org: 'globex',
    username: 'ann@globex.test',
    bundle: 'com.globex.gate',
    device: 'phone-1',
  });
  await addDevice(app.pool, {
    org: 'globex',
    username: 'ann@globex.test',
    bundle: 'com.acme.shop',
    device: 'of-globex',
  });
  await addMember(app.pool, 'globex', 'eve@globex.test');
  await addDraft(app.pool, 'globex', 'new-of-globex');
  await addDraft(app.pool, 'acme');
  FOREIGN.upload = [await addUpload(app.pool, 'globex')];
  FOREIGN.secret = [String(await addSigningSecret(app.pool, 'globex'))];
  const keys = await Promise.all([{ org: 'globex' }, {}].map((options) => app.keyWithId(options)));
  const sessions = [await createSession(app, 'globex'), await createSession(app)];
  FOREIGN.key = [...keys.map(({ id }) => id), ...sessions, OWN.session].map(String);
  FOREIGN.session = [...sessions, keys[0]!.id, OWN.key].map(String);
  page = await app.signIn({ key });
});

async function ask(method: string, path: string, as: string | PageHeaders = key, scheme = 'Key') {
  const call = method.toLowerCase() as 'get' | 'post' | 'put' | 'patch' | 'delete';
  const client = typeof as === 'string' ? app.as().set('Authorization', `${scheme} ${as}`) : app.on(as);
  const { status, body, headers } = await client[call](path).send(method === 'GET' ? undefined : {});
  return { status, body: body as unknown, type: headers['content-type'] };
}

/** A stream goes on: its headers are the answer. */
async function statusOf(operation: (typeof operations)[number], as: string | PageHeaders = key): Promise<number> {
  const path = fillPath(operation.path, OWN);
  if (!isStream(operation)) return (await ask('GET', path, as)).status;
  const reader = await EventReader.open(app.url + path, typeof as === 'string' ? { Authorization: `Key ${as}` } : as);
  reader.leave();
  return reader.status;
}

// What is for operators alone has no foreign organization, and is refused to all others whatever they name.
const forOperators = operations.filter((operation) => operation['x-reach'] === 'service');
const cases = operations
  .filter((operation) => !forOperators.includes(operation))
  .flatMap(({ method, path }) => pathNames(path).map((name) => ({ method, path, name })))
  // It creates what another organization may have too.
  .filter(
    ({ method, name }) =>
      method !== 'PUT' || !['email', 'memberEmail', 'layout', 'partial', 'draft', 'bundle', 'device'].includes(name),
  )
  // It tells who would use it.
  .filter(({ path, name }) => !path.endsWith('/uses/') || !['layout', 'partial'].includes(name));

it('knows a foreign and a missing thing for every name in a path', () => {
  const names = new Set(cases.map(({ name }) => name));
  expect([...names].sort()).toEqual(Object.keys(OWN).sort());
  expect([...names].every((name) => FOREIGN[name]!.length > 0 && OWN[name])).toBe(true);
});

describe.each(cases)('$method $path', ({ method, path, name }) => {
  it(`answers a foreign {${name}} exactly as one that does not exist`, async () => {
    const missing = await ask(method, fillPath(path, { ...OWN, [name]: NOWHERE[name]! }));
    expect(missing).toMatchObject({ status: 404, type: 'application/problem+json' });
    for (const foreign of FOREIGN[name]!) {
      expect(await ask(method, fillPath(path, { ...OWN, [name]: foreign }))).toEqual(missing);
      expect(await ask(method, fillPath(path, { ...OWN, [name]: foreign }), page)).toEqual(missing);
    }
  });
});

it.each(forOperators)(
  '$method $path answers a key of one organization 403, whatever it names',
  async ({ method, path }) => {
    const own = await ask(method, fillPath(path, OWN));
    expect(own).toMatchObject({ status: 403, type: 'application/problem+json' });
    for (const org of ['globex', 'nowhere']) expect(await ask(method, fillPath(path, { ...OWN, org }))).toEqual(own);
    expect(await ask(method, fillPath(path, OWN), page)).toEqual(own);
  },
);

const aboutOccurrences = operations.filter(({ path }) => path.includes('{occurrence}'));

it.each([
  ['another project', { project: 'depot' }],
  ['another application', { project: 'shop', application: 'till' }],
])('answers an occurrence to a key of %s exactly as one that does not exist', async (_, branch) => {
  const bound = await app.key({ org: 'acme', ...branch });
  for (const { method, path } of aboutOccurrences) {
    const answer = await ask(method, fillPath(path, OWN), bound);
    expect({ path, status: answer.status }).toEqual({ path, status: 404 });
    expect(answer).toEqual(await ask(method, fillPath(path, { ...OWN, occurrence: NOWHERE.occurrence! }), bound));
  }
});

it.each([
  ['its project', { project: 'shop' }],
  ['its application', { project: 'shop', application: 'web' }],
])('shows an occurrence to a key of %s', async (_, branch) => {
  const bound = await app.key({ org: 'acme', ...branch });
  const reads = aboutOccurrences.filter(({ method }) => method === 'GET');
  expect(reads.length).toBeGreaterThanOrEqual(4);
  expect(await Promise.all(reads.map((read) => statusOf(read, bound)))).toEqual(reads.map(() => 200));
});

const forRecipients = operations.filter((operation) => operation['x-recipient-scope']);

it('answers a recipient token about another person or organization exactly as about one that does not exist', async () => {
  const { body } = await app
    .as(key)
    .post(fillPath('/api/o/{org}/u/{username}/token/', OWN))
    .send({ scopes: RECIPIENT_SCOPES });
  const { token } = body as { token: string };
  expect(forRecipients.length).toBeGreaterThanOrEqual(6);
  for (const { method, path } of forRecipients) {
    for (const [name, others] of Object.entries({ org: ['globex'], username: ['bob@acme.test', 'ann@globex.test'] })) {
      // So many requests together are above the limit of a person.
      const asked = async (value: string) =>
        until(10_000, async () => {
          const answer = await ask(method, fillPath(path, { ...OWN, [name]: value }), token, 'Bearer');
          return answer.status !== 429 && answer;
        });
      const missing = await asked(NOWHERE[name]!);
      expect(missing).toMatchObject({ status: 404, type: 'application/problem+json' });
      for (const other of others) expect(await asked(other)).toEqual(missing);
    }
  }
});

it('reaches its own things by the same paths', async () => {
  const reads = operations.filter(({ method, 'x-permission': permission }) => method === 'GET' && permission);
  expect(await Promise.all(reads.map((read) => statusOf(read)))).toEqual(reads.map(() => 200));
  expect(await Promise.all(reads.map((read) => statusOf(read, page)))).toEqual(reads.map(() => 200));
});

it('shows no row of another tenant in any list', async () => {
  const lists = operations.filter(({ parameters }) => parameters.some(({ name }) => name === 'limit'));
  expect(lists.length).toBeGreaterThanOrEqual(9);
  for (const { path } of lists) {
    const { body } = await ask('GET', fillPath(path, OWN));
    expect(Array.isArray(body)).toBe(true);
    expect(JSON.stringify(body)).not.toContain('globex');
  }
});

it('lets PostgreSQL itself refuse a row that points into another tenant', async () => {
  const { rows } = await app.pool.query<{
    org: string;
    id: number;
    list: number;
    user: number;
    address: number;
    prj: number;
  }>(
    `select o.slug org, o.id, l.id list, u.id "user", a.id address, l.project_id prj
     from organizations o join distribution_lists l on l.organization_id = o.id and l.name = 'Staff'
     join users u on u.organization_id = o.id and u.first_name = 'Ann' join addresses a on a.user_id = u.id and a.name = 'email'
     order by o.slug`,
  );
  const [acme, globex] = rows as [(typeof rows)[0], (typeof rows)[0]];
  const member = 'insert into members (organization_id, list_id, user_id, address_id) values ($1, $2, $3, $4)';
  await expect(app.pool.query(member, [acme.id, acme.list, globex.user, globex.address])).rejects.toThrow(
    'foreign key',
  );
  await expect(app.pool.query(member, [acme.id, globex.list, acme.user, acme.address])).rejects.toThrow('foreign key');
  await expect(app.pool.query(member, [acme.id, acme.list, acme.user, globex.address])).rejects.toThrow('foreign key');
  await expect(
    app.pool.query('insert into channels (organization_id, project_id, slug, name, type) values ($1, $2, $3, $3, $3)', [
      acme.id,
      globex.prj,
      'x',
    ]),
  ).rejects.toThrow('foreign key');
  await expect(
    app.pool.query(`insert into api_keys (project_id, name, permissions, hash) values ($1, 'x', '{}', 'x')`, [
      globex.prj,
    ]),
  ).rejects.toThrow('api_keys_parents_check');
});
