import { expect, it } from '@jest/globals';
import { MAX_MEMBERS } from '../../src/api/organization-member/organization-member.write.js';
import type { PageHeaders, TestApp } from '../support/app/app.js';
import { useAcme } from '../support/app/use.js';

const MEMBERS = '/api/o/acme/members/';
const PING = '/api/system/ping/';

interface Member {
  email: string;
  role: string;
  signed_in_at: string | null;
  sessions: number;
}

let app: TestApp;
let key: string;
useAcme((acme) => ({ app, key } = acme));

const pathOf = (email: string) => `${MEMBERS}${encodeURIComponent(email)}/`;
const put = (email: string, body: object, as = key) => app.as(as).put(pathOf(email)).send(body);
const remove = (email: string, as = key) => app.as(as).delete(pathOf(email));
const list = async (as = key) => (await app.as(as).get(MEMBERS)).body as Member[];
const statusOf = async (page: PageHeaders, path = PING) => (await app.on(page).get(path)).status;

/** A link that an administrator has made. */
async function linkOf(email: string): Promise<string> {
  const { body } = await app
    .as(key)
    .post(`${pathOf(email)}link/`)
    .send();
  return (body as { url: string }).url.split('#t=')[1]!;
}

const signIn = async (email: string) => app.signIn({ link: await linkOf(email) });

it('adds a member, changes and lists them, and removes them', async () => {
  const added = await put('Bob@Acme.test', { name: ' Bob Ray ', role: 'editor' });
  const bob = {
    ...{ email: 'Bob@Acme.test', name: 'Bob Ray', role: 'editor', project: null },
    ...{ invited_at: expect.any(String), invited_by: 'test', signed_in_at: null, sessions: 0 },
  };
  expect([added.status, added.body]).toEqual([200, bob]);
  const changed = await put('bob@acme.test', { role: 'viewer', project: 'shop' });
  expect(changed.body).toEqual({ ...bob, role: 'viewer', project: 'shop' });
  expect((await put('bob@acme.test', { project: null, name: null })).body).toEqual({
    ...{ ...bob, role: 'viewer' },
    name: null,
  });
  await put('ann@acme.test', { role: 'administrator' });
  expect((await list()).map(({ email }) => email)).toEqual(['ann@acme.test', 'Bob@Acme.test']);
  expect((await remove('BOB@acme.test')).status).toBe(204);
  expect((await remove('bob@acme.test')).status).toBe(404);
});

it.each([
  ['nobody', { role: 'viewer' }, { memberEmail: [expect.stringContaining('must be an e-mail')] }],
  ['eve@acme.test', {}, { role: ['is required for a new member'] }],
  ['eve@acme.test', { role: 'king' }, { role: [expect.stringContaining('viewer, support, editor')] }],
  [
    'eve@acme.test',
    { role: 'viewer', project: 'nowhere' },
    { project: [expect.stringContaining('slug of a project')] },
  ],
  ['eve@acme.test', { role: 'viewer', name: ' ' }, { name: ['must not be blank'] }],
])('refuses %s with %j, and names the field', async (email, body, errors) => {
  const answer = await put(email, body);
  expect([answer.status, (answer.body as { errors: object }).errors]).toEqual([400, errors]);
});

it('grants nobody more than the key of whoever grants it', async () => {
  const permissions = ['member:read', 'member:write', 'system:ping', 'organization:read'] as const;
  const weak = await app.key({ org: 'acme', permissions });
  const refused = await put('carl@acme.test', { role: 'viewer' }, weak);
  expect(refused.body).toMatchObject({
    ...{ status: 400, codes: { role: ['not_allowed'] } },
    errors: { role: [expect.stringContaining('user:read')] },
  });
  await put('carl@acme.test', { role: 'editor' });
  for (const call of [put('carl@acme.test', { name: 'X' }, weak), remove('carl@acme.test', weak)])
    expect((await call).body).toMatchObject({ status: 403, detail: expect.stringContaining('event:write') });
  const link = await app
    .as(weak)
    .post(`${pathOf('carl@acme.test')}link/`)
    .send();
  expect(link.status).toBe(403);
});

it('shows a key of a project the members of that project, and lets it add others only there', async () => {
  const bound = await app.key({ org: 'acme', project: 'shop' });
  await put('org@acme.test', { role: 'viewer' });
  expect((await put('here@acme.test', { role: 'administrator' }, bound)).body).toMatchObject({ project: 'shop' });
  expect((await list(bound)).map(({ email }) => email)).toEqual(['here@acme.test']);
  expect((await put('here@acme.test', { project: null }, bound)).status).toBe(400);
  expect((await put('org@acme.test', { role: 'viewer' }, bound)).status).toBe(409);
  expect((await remove('org@acme.test', bound)).status).toBe(404);
  const application = await app.key({ org: 'acme', project: 'shop', application: 'web' });
  expect((await app.as(application).get(MEMBERS)).status).toBe(403);
});

it('signs a member in with a link that works once, as long as no newer one exists', async () => {
  await put('dora@acme.test', { name: 'Dora', role: 'viewer', project: 'shop' });
  const [first, second] = [await linkOf('dora@acme.test'), await linkOf('dora@acme.test')];
  expect((await app.as().post('/api/session/').send({ link: first })).status).toBe(401);
  const page = await app.signIn({ link: second });
  expect((await app.as().post('/api/session/').send({ link: second })).status).toBe(401);
  expect((await app.on(page).get('/api/session/')).body).toMatchObject({
    ...{ via: 'link', person: 'dora@acme.test', name: 'Dora <dora@acme.test>' },
    ...{ organization: 'acme', project: 'shop' },
  });
  expect([await statusOf(page, '/api/o/acme/p/shop/'), await statusOf(page, '/api/o/acme/k/')]).toEqual([200, 403]);
  const [dora] = (await list()).filter(({ email }) => email === 'dora@acme.test');
  expect(dora).toMatchObject({ signed_in_at: expect.any(String), sessions: 1 });
});

it('narrows the sessions of a member with the role, and ends them with the member', async () => {
  await put('frank@acme.test', { role: 'support' });
  const page = await signIn('frank@acme.test');
  expect(await statusOf(page, '/api/o/acme/audit/')).toBe(200);
  await put('frank@acme.test', { role: 'viewer' });
  expect(await statusOf(page, '/api/o/acme/audit/')).toBe(403);
  expect(await statusOf(page, '/api/o/acme/p/depot/')).toBe(200);
  await put('frank@acme.test', { project: 'shop' });
  expect(await statusOf(page, '/api/o/acme/p/depot/')).toBe(404);
  await remove('frank@acme.test');
  expect(await statusOf(page)).toBe(401);
});

it('keeps the last administrator, also when both of two leave at the same time', async () => {
  await app.pool.query('delete from organization_members');
  for (const email of ['one@acme.test', 'two@acme.test']) await put(email, { role: 'administrator' });
  // A role for a project is not enough to invite others.
  await put('three@acme.test', { role: 'administrator', project: 'shop' });
  const answers = await Promise.all([remove('one@acme.test'), put('two@acme.test', { role: 'editor' })]);
  expect(answers.filter(({ status }) => status === 409)).toHaveLength(1);
  const left = (await list()).find(({ email, role }) => role === 'administrator' && !email.startsWith('three'))!;
  for (const body of [{ role: 'editor' }, { project: 'shop' }])
    expect((await put(left.email, body)).body).toMatchObject({
      ...{ status: 409 },
      detail: 'The last administrator of the organization keeps the role. Make another member administrator first.',
    });
  expect((await remove(left.email)).status).toBe(409);
  expect((await put(left.email, { name: 'Last' })).status).toBe(200);
});

it('gives nobody rights from a session whose member has just lost them', async () => {
  await put('gina@acme.test', { role: 'administrator' });
  await put('hugo@acme.test', { role: 'administrator' });
  const page = await signIn('gina@acme.test');
  expect(await statusOf(page, MEMBERS)).toBe(200);
  // As another process does it: this one still knows the session as it was.
  await app.pool.query(`update api_keys set permissions = '{member:write}' where person = 'gina@acme.test'`);
  const answer = await app.on(page).put(pathOf('ivy@acme.test')).send({ role: 'viewer' });
  expect([answer.status, (answer.body as { detail: string }).detail]).toEqual([
    409,
    'What you may do has just changed. Try again.',
  ]);
});

it('has a limited number of members', async () => {
  const fill = `insert into organization_members (organization_id, email, email_key, role, invited_by)
    select o.id, n || '@many.test', n || '@many.test', 'viewer', 'test' from organizations o, generate_series(1, $1) n where slug = 'acme'`;
  await app.pool.query(fill, [MAX_MEMBERS]);
  expect((await put('late@acme.test', { role: 'viewer' })).body).toMatchObject({
    ...{ status: 409 },
    detail: expect.stringContaining(`may have ${MAX_MEMBERS}. Remove one first.`),
  });
  await app.pool.query(`delete from organization_members where email like '%@many.test'`);
});

it('notes in the audit log who added, changed and removed whom', async () => {
  await put('jack@acme.test', { name: 'Jack', role: 'support', project: 'shop' });
  await put('jack@acme.test', { role: 'editor', project: null });
  await signIn('jack@acme.test');
  await remove('jack@acme.test');
  const { body } = await app.as(key).get('/api/o/acme/audit/?noun=organization%20member');
  const entries = (body as { verb: string; name: string | null; actor: string; changes: object }[])
    .filter(({ name }) => name?.endsWith('jack@acme.test'))
    .map(({ verb, name, actor, changes }) => ({ verb, name, actor, changes }));
  const actor = 'test';
  expect(entries).toEqual([
    {
      ...{ verb: 'create', name: 'shop/jack@acme.test', actor },
      changes: {
        ...{ email: [null, 'jack@acme.test'], invited_by: [null, 'test'], name: [null, 'Jack'] },
        ...{ project: [null, 'shop'], role: [null, 'support'] },
      },
    },
    {
      ...{ verb: 'update', name: 'jack@acme.test', actor },
      changes: { project: ['shop', null], role: ['support', 'editor'] },
    },
    { verb: 'delete', name: 'jack@acme.test', actor, changes: expect.objectContaining({ role: ['editor', null] }) },
  ]);
});

it('does not exist for the keys of other organizations', async () => {
  const other = await app.key({ org: 'globex' });
  for (const call of [put('x@acme.test', { role: 'viewer' }, other), remove('x@acme.test', other)])
    expect((await call).status).toBe(404);
  expect((await app.as(other).get(MEMBERS)).status).toBe(404);
});

it('says that no mail is sent without a mail server, and shows a link instead', async () => {
  expect((await app.as().get('/api/session/link/')).body).toEqual({ mailed: false, minutes: 15 });
  const asked = await app.as().post('/api/session/link/').send({ email: 'ann@acme.test' });
  expect([asked.status, (asked.body as { detail: string }).detail]).toEqual([
    409,
    'The service cannot send mail. Ask an administrator of the organization for a sign-in link.',
  ]);
  await put('kim@acme.test', { role: 'viewer' });
  const { body } = await app
    .as(key)
    .post(`${pathOf('kim@acme.test')}link/`)
    .send();
  expect(body).toMatchObject({ url: expect.stringContaining('/console/#t=crt_'), mailed_to: null });
});
