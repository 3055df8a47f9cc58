import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { TestApp } from '../support/app/app.js';
import { SmtpSink } from '../support/sinks/smtp-sink.js';
import { ACME_AND_GLOBEX } from '../support/world/acme.js';

const LINK = '/api/session/link/';
const PUBLIC_URL = 'https://notify.example.com/carillon';

let smtp: SmtpSink;
let app: TestApp;
let key: string;

beforeAll(async () => {
  smtp = await SmtpSink.start();
  const SYSTEM_MAIL_URL = `smtp://127.0.0.1:${smtp.port}?security=none`;
  const mail = { SYSTEM_MAIL_URL, SYSTEM_MAIL_FROM: 'Carillon <no-reply@example.com>' };
  app = await TestApp.start({ PUBLIC_URL, TRUST_PROXY: 'true', ...mail });
  await app.apply(ACME_AND_GLOBEX);
  key = await app.key({ org: 'acme' });
});
afterAll(async () => {
  await app.stop();
  await smtp.close();
});
beforeEach(() => {
  smtp.mails.splice(0);
});

const memberOf = (org: string, email: string) => `/api/o/${org}/members/${encodeURIComponent(email)}/`;

/** Adds a member, and takes the invitation out of the mailbox. */
async function invite(email: string, body: object = { role: 'viewer' }, as = key, org = 'acme') {
  const { status } = await app.as(as).put(memberOf(org, email)).set('Accept-Language', 'en').send(body);
  expect(status).toBe(200);
  const mail = await mailTo(email);
  smtp.mails.splice(0);
  return mail;
}

const ask = (email: string, address = '203.0.113.1') =>
  app.as().post(LINK).set('X-Forwarded-For', address).set('Accept-Language', 'en').send({ email });

async function mailTo(email: string): Promise<string> {
  const isTo = ({ envelope }: { envelope: { to: string[] } }) => envelope.to[0] === email;
  await smtp.until(({ mails }) => mails.some(isTo));
  return smtp.mails.find(isTo)!.raw.toString();
}

const linksIn = (mail: string) => [...mail.matchAll(/#t=(crt_\w+)/g)].map(([, link]) => link!);

async function signIn(link: string) {
  const { status, body, headers } = await app.as().post('/api/session/').send({ link });
  const [cookie] = (headers['set-cookie'] ?? []) as unknown as string[];
  return { status, body: body as Record<string, unknown>, page: { Cookie: cookie?.split(';', 1)[0] ?? '' } };
}

it('mails a link to an invited member, which signs in once with the role', async () => {
  const mail = await invite('bob@acme.test', { role: 'support', name: 'Bob Ray', project: 'shop' });
  expect(mail).toContain('Subject: You are a member of Acme Inc in Carillon');
  expect(mail).toContain(`${PUBLIC_URL}/console/#t=crt_`);
  const [link] = linksIn(mail);
  const session = await signIn(link!);
  expect([session.status, session.body]).toEqual([
    201,
    expect.objectContaining({ person: 'bob@acme.test', organization: 'acme', project: 'shop', via: 'link' }),
  ]);
  expect((await signIn(link!)).status).toBe(401);
});

it('mails a link to a member who asks for one, in whatever case, with one for each organization', async () => {
  const globex = await app.key({ org: 'globex' });
  await invite('carl@acme.test');
  await invite('carl@acme.test', { role: 'editor' }, globex, 'globex');
  const answer = await ask('CARL@acme.test');
  expect([answer.status, answer.body]).toEqual([202, { mailed: true, minutes: 15 }]);
  const mail = await mailTo('carl@acme.test');
  expect(mail).toContain('Subject: Sign in to Carillon');
  const sessions = await Promise.all(linksIn(mail).map(signIn));
  expect(new Set(sessions.map(({ body }) => body.organization))).toEqual(new Set(['acme', 'globex']));
});

it('answers an address that is no member’s the same, and sends nothing', async () => {
  await invite('dora@acme.test');
  const [nobody, member] = [await ask('nobody@acme.test'), await ask('dora@acme.test')];
  expect([nobody.status, nobody.body]).toEqual([member.status, member.body]);
  await mailTo('dora@acme.test');
  expect(smtp.mails).toHaveLength(1);
});

it('refuses what is not an address', async () => {
  for (const email of ['nobody', 'a@b.test, c@d.test'])
    expect((await ask(email)).body).toMatchObject({
      ...{ status: 400 },
      errors: { email: [expect.stringContaining('e-mail')] },
    });
});

it('sends no more than five mails to an address, and lets no client ask without end', async () => {
  const statuses: number[] = [];
  for (let i = 0; i < 6; i++) statuses.push((await ask('flood@acme.test', `203.0.113.${i + 10}`)).status);
  expect(statuses).toEqual([202, 202, 202, 202, 202, 429]);
  const many: number[] = [];
  for (let i = 0; i < 21; i++) many.push((await ask(`user${i}@acme.test`, '203.0.113.99')).status);
  expect([many.slice(0, 20), many[20]]).toEqual([Array.from({ length: 20 }, () => 202), 429]);
  const refused = await ask('other@acme.test', '203.0.113.99');
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
});

it('takes nothing from pages of other sites', async () => {
  const answer = await ask('bob@acme.test', '203.0.113.2').set('Sec-Fetch-Site', 'cross-site');
  expect(answer.status).toBe(403);
});

it('lets a link expire after 15 minutes', async () => {
  const [link] = linksIn(await invite('eve@acme.test'));
  const { rows } = await app.pool.query<{ minutes: number }>(
    `select round(extract(epoch from expires_at - created_at) / 60)::int minutes from api_keys where person = 'eve@acme.test'`,
  );
  expect(rows).toEqual([{ minutes: 15 }]);
  await app.pool.query(`update api_keys set expires_at = now() where person = 'eve@acme.test'`);
  expect((await signIn(link!)).status).toBe(401);
});

it('lets no link sign in a member who was removed', async () => {
  const [link] = linksIn(await invite('gone@acme.test'));
  await app.as(key).delete(memberOf('acme', 'gone@acme.test'));
  expect((await signIn(link!)).status).toBe(401);
});

it('mails the link that an administrator asks for, instead of showing it', async () => {
  await invite('fay@acme.test');
  const answer = await app
    .as(key)
    .post(`${memberOf('acme', 'fay@acme.test')}link/`)
    .send();
  expect([answer.status, answer.body]).toEqual([
    201,
    { url: null, mailed_to: 'fay@acme.test', expires_at: expect.any(String) },
  ]);
  expect((await signIn(linksIn(await mailTo('fay@acme.test'))[0]!)).status).toBe(201);
  smtp.reply.data = () => ({ code: 554, text: 'no thanks' });
  const refused = await app
    .as(key)
    .post(`${memberOf('acme', 'fay@acme.test')}link/`)
    .send();
  expect(refused.body).toMatchObject({ status: 503, detail: expect.stringContaining('no thanks') });
  smtp.reply = {};
});

it('names members in the audit log, and who changed a notification', async () => {
  const [link] = linksIn(await invite('gus@acme.test', { role: 'editor', name: 'Gus Oak' }));
  const { page } = await signIn(link!);
  const headers = { ...page, 'Sec-Fetch-Site': 'same-origin' };
  const actor = 'Gus Oak <gus@acme.test>';
  const events = '/api/o/acme/p/shop/a/web/e/';
  expect((await app.on(headers).post(events).send({ slug: 'sent-by-gus', name: 'X' })).status).toBe(201);
  const notification = { name: 'Tell', distribution_lists: ['Staff'], templates: [{ channel: 'mail', text: 'Hi' }] };
  expect((await app.on(headers).post(`${events}sent-by-gus/n/`).send(notification)).status).toBe(201);
  const { body } = await app.as(key).get(`/api/o/acme/audit/?actor=${encodeURIComponent(actor)}`);
  const nouns = (body as { noun: string; verb: string }[]).map(({ noun, verb }) => `${verb} ${noun}`);
  expect(nouns).toEqual(expect.arrayContaining(['create event', 'create notification']));
  expect(nouns.some((noun) => noun.endsWith('session') || noun.endsWith('sign-in link'))).toBe(true);
  const revisions = await app.as(key).get(`${events}sent-by-gus/revisions/`);
  expect((revisions.body as { actor: string }[])[0]).toMatchObject({ actor });
});
