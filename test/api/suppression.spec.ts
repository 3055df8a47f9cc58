import { createHmac } from 'node:crypto';
import { expect, it } from '@jest/globals';
import type { TestApp } from '../support/app/app.js';
import { cli } from '../support/app/cli.js';
import { useAcme } from '../support/app/use.js';

const PATH = '/api/o/acme/suppressions/';

interface Suppression {
  id: number;
  value: string;
  cause: string;
}

let app: TestApp;
let key: string;
useAcme((acme) => ({ app, key } = acme));

const add = (body: object) => app.as(key).post(PATH).send(body);

it('an address is suppressed, looked up, renewed and lifted, and the audit log says by whom', async () => {
  const { status, body } = await add({ name: 'email', value: 'Gone@acme.test', note: 'Asked by phone' });
  expect([status, body]).toEqual([
    200,
    {
      ...{ id: expect.any(Number), name: 'email', value: 'Gone@acme.test', project: null, cause: 'manual' },
      ...{ evidence: { note: 'Asked by phone' }, created_at: expect.any(String), expires_at: null },
    },
  ]);
  const { id } = body as Suppression;
  const again = await add({ name: 'email', value: 'gone@ACME.test', expires_at: '2040-01-01T08:00:00Z' });
  expect(again.body).toEqual({ ...(body as object), expires_at: '2040-01-01T08:00:00.000Z' });
  await add({ name: 'phone', value: '+1 555 123-4567', cause: 'stop' });
  const listed = async (query: string) =>
    ((await app.as(key).get(PATH + query)).body as Suppression[]).map(({ value }) => value);
  expect(await listed('')).toEqual(['Gone@acme.test', '+15551234567']);
  expect(await listed('?address=GONE@acme.test')).toEqual(['Gone@acme.test']);
  expect(await listed('?cause=stop')).toEqual(['+15551234567']);
  expect(await listed('?address=gone@acme.test&cause=stop')).toEqual([]);
  expect(await listed('?search=ONE@acme')).toEqual(['Gone@acme.test']);
  expect(await listed('?search=5123&cause=stop')).toEqual(['+15551234567']);
  expect(await listed('?search=5123&cause=manual')).toEqual([]);
  expect(await listed('?search=%25')).toEqual([]);
  expect((await app.as(key).get(`${PATH}${id}/`)).body).toEqual(again.body);
  expect((await app.as(key).delete(`${PATH}${id}/`)).status).toBe(204);
  expect((await app.as(key).delete(`${PATH}${id}/`)).status).toBe(404);
  const audit = await app.as(key).get('/api/o/acme/audit/');
  const entries = (audit.body as { noun: string; verb: string; name: string; actor: string }[])
    .filter(({ noun, name }) => noun === 'suppression' && name.startsWith('email'))
    .map(({ verb, name, actor }) => ({ verb, name, actor }));
  const by = { name: 'email/Gone@acme.test', actor: 'test' };
  expect(entries).toEqual([
    { verb: 'create', ...by },
    { verb: 'update', ...by },
    { verb: 'delete', ...by },
  ]);
});

it('a dry run says what would be suppressed, and stores nothing', async () => {
  const dry = (body: object) => app.as(key).post(`${PATH}?dry_run=1`).send(body);
  const wanted = { name: 'phone', value: '+1 555 000-1111', note: 'Asked by phone' };
  const { status, body } = await dry(wanted);
  expect([status, body]).toMatchObject([200, { value: '+15550001111', evidence: { note: 'Asked by phone' } }]);
  expect((await app.as(key).get(`${PATH}?address=%2B15550001111`)).body).toEqual([]);
  const audit = await app.as(key).get('/api/o/acme/audit/?noun=suppression&name=phone/%2B15550001111');
  expect(audit.body).toEqual([]);
  expect((await dry({ ...wanted, value: '12' })).body).toMatchObject({ codes: { value: ['invalid_format'] } });
  const stored = (await add(wanted)).body as object;
  expect((await dry({ ...wanted, note: 'Again' })).body).toEqual({ ...stored, evidence: { note: 'Again' } });
  expect((await app.as(key).get(`${PATH}?address=%2B15550001111`)).body).toEqual([stored]);
  expect((await app.as(key).post(`${PATH}?dry_run=yes`).send(wanted)).status).toBe(400);
});

it('a wrong address, cause or time is refused, all at once', async () => {
  const { status, body } = await add({ name: 'email', value: 'nobody', expires_at: '2020-01-01T08:00:00Z' });
  expect([status, Object.keys((body as { errors: object }).errors)]).toEqual([400, ['value', 'expires_at']]);
  expect((await add({ name: 'email', value: 'a@acme.test', cause: 'angry' })).body).toMatchObject({
    errors: { cause: ['must be one of hard_bounce, complaint, stop, manual'] },
  });
  expect((await app.as(key).get(`${PATH}?cause=angry`)).status).toBe(400);
});

it('a key of a project sees, adds and lifts the suppressions of its project only', async () => {
  await app.apply(`organizations: [{ slug: acme, name: Acme Inc, projects: [{ slug: club, name: Club }] }]`);
  const [shop, club] = [
    await app.key({ org: 'acme', project: 'shop' }),
    await app.key({ org: 'acme', project: 'club' }),
  ];
  const wide = (await add({ name: 'email', value: 'a@acme.test' })).body as Suppression;
  const own = await app.as(shop).post(PATH).send({ name: 'email', value: 'a@acme.test' });
  expect([own.status, own.body]).toMatchObject([200, { project: 'shop', value: 'a@acme.test' }]);
  const foreign = { name: 'email', value: 'a@acme.test', project: 'club' };
  expect((await app.as(shop).post(PATH).send(foreign)).body).toMatchObject({ errors: { project: ['does not exist'] } });
  expect((await add({ ...foreign, project: 'nowhere' })).status).toBe(400);
  const { id } = own.body as Suppression;
  const idsSeenBy = async (by: string, query = '?address=A@acme.test') =>
    ((await app.as(by).get(PATH + query)).body as Suppression[]).map((each) => each.id);
  expect(await idsSeenBy(key)).toEqual([wide.id, id]);
  expect(await idsSeenBy(shop)).toEqual([id]);
  expect(await idsSeenBy(shop, '')).toEqual([id]);
  expect(await idsSeenBy(club, '')).toEqual([]);
  for (const other of [club, shop]) {
    const hidden = other === shop ? wide.id : id;
    expect((await app.as(other).get(`${PATH}${hidden}/`)).status).toBe(404);
    expect((await app.as(other).delete(`${PATH}${hidden}/`)).status).toBe(404);
  }
  expect((await app.as(shop).get(`${PATH}${id}/`)).status).toBe(200);
  expect((await app.as(shop).delete(`${PATH}${id}/`)).status).toBe(204);
  const application = await app.key({ org: 'acme', project: 'shop', application: 'web' });
  expect((await app.as(application).get(PATH)).status).toBe(403);
});

it('NFC, NFD and punycode forms of an address are one address', async () => {
  const forms = [
    'jos\u00e9@m\u00fcnchen.test',
    'jose\u0301@mu\u0308nchen.test',
    'jos\u00e9@xn--mnchen-3ya.test',
    'Jose\u0301@XN--mnchen-3ya.TEST',
  ];
  const { id } = (await add({ name: 'email', value: forms[0] })).body as Suppression;
  for (const value of forms) {
    expect((await add({ name: 'email', value })).body).toMatchObject({ id, value: forms[0] });
    const found = await app.as(key).get(`${PATH}?address=${encodeURIComponent(value)}`);
    expect(found.body).toMatchObject([{ id }]);
  }
});

it.each([
  'b\u00fccher',
  'm\u00fcnchen-ost',
  '\u4f8b\u3048',
  '\u043f\u0440\u0438\u043c\u0435\u0440',
  'stra\u00dfe',
  'a\u00e4b\u00f6c\u00fc',
  '\ud83d\ude00x',
])('the domain %s.test has the key that the DNS has', async (label) => {
  const { rows } = await app.pool.query<{ key: string }>('select address_key($1) key', [`ann@${label}.test`]);
  expect(rows[0]!.key).toBe(`ann@${new URL(`http://${label}.test`).hostname}`);
});

it('the command line does the same', async () => {
  const run = (...args: string[]) => cli(['suppression', ...args], { DATABASE_URL: app.databaseUrl });
  const added = await run('add', '--org', 'globex', '--value', 'bob@globex.test', '--note', 'moved away', '--json');
  const { id } = JSON.parse(added.stdout) as Suppression;
  expect((await run('list', '--org', 'globex')).stdout).toContain('bob@globex.test');
  expect((await run('list', '--org', 'globex', '--cause', 'stop')).stdout).toBe('no suppressions\n');
  expect((await run('add', '--org', 'globex', '--value', 'bob')).stderr).toContain('--value must be an e-mail address');
  expect((await run('list', '--org', 'nowhere')).stderr).toContain('there is no organization nowhere');
  expect((await run('lift', String(id))).stdout).toBe(`suppression ${id} is lifted\n`);
  expect((await run('lift', String(id))).code).toBe(1);
});

it('a reply with STOP to Twilio suppresses the number until START, and only Twilio can say so', async () => {
  const token = 'twilio-auth-token';
  const sms = { type: 'sms', config: { account_sid: `AC${'a'.repeat(32)}`, auth_token: token, from: '+15550000000' } };
  const channels = `channels: [${JSON.stringify({ slug: 'sms', name: 'SMS', ...sms })}]`;
  await app.apply(
    `organizations: [{ slug: globex, name: Globex, ${channels}, projects: [{ slug: shop, name: Shop, ${channels} }] }]`,
  );
  const globex = await app.key({ org: 'globex' });
  const report = (path: string, fields: Record<string, string>, secret = token) => {
    const signed = Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : 1));
    const text = app.url + path + signed.flat().join('');
    const signature = createHmac('sha1', secret).update(text).digest('base64');
    return app.as().post(path).set('X-Twilio-Signature', signature).type('form').send(fields);
  };
  const suppressed = async () =>
    ((await app.as(globex).get('/api/o/globex/suppressions/')).body as Suppression[]).map(({ value, cause }) => [
      value,
      cause,
    ]);
  const [org, project] = ['/twilio/globex/sms', '/twilio/globex/shop/sms'];
  const stop = { From: '+15551234567', Body: 'Stop', MessageSid: 'SM1' };
  const answers = [
    await report(org, stop, 'wrong'),
    await report('/twilio/globex/nosms', stop),
    await report('/twilio/nowhere/sms', stop),
  ];
  for (const { status, body } of answers) expect([status, body]).toEqual([404, answers[0]!.body]);
  expect(await suppressed()).toEqual([]);
  const { status, text } = await report(org, stop);
  expect([status, text]).toEqual([200, '<Response/>']);
  await report(project, { To: '+15557654321', MessageStatus: 'undelivered', ErrorCode: '30005', MessageSid: 'SM2' });
  await report(org, { From: '+15551234567', Body: 'Thanks!', MessageSid: 'SM3' });
  await report(org, { From: 'whatsapp:+15551234567', Body: 'stop', MessageSid: 'SM4' });
  expect(await suppressed()).toEqual([
    ['+15551234567', 'stop'],
    ['+15557654321', 'hard_bounce'],
  ]);
  // A project's channel lifts nothing of the organization, and the other way round.
  await report(project, { From: '+15551234567', Body: 'START', MessageSid: 'SM5' });
  expect(await suppressed()).toHaveLength(2);
  await report(project, { From: '+15551234567', Body: 'STOP', MessageSid: 'SM6' });
  expect(await suppressed()).toHaveLength(3);
  await report(org, { From: '+15551234567', Body: 'START', MessageSid: 'SM7' });
  expect(await suppressed()).toEqual([
    ['+15557654321', 'hard_bounce'],
    ['+15551234567', 'stop'],
  ]);
  // Of two channels of the organization, each lifts its own STOP.
  const [first, second] = [org, '/twilio/globex/sms2'];
  const more = JSON.stringify({ slug: 'sms2', name: 'SMS 2', ...sms });
  await app.apply(`organizations: [{ slug: globex, name: Globex, channels: [${more}] }]`);
  for (const path of [first, second]) await report(path, { From: '+15550001111', Body: 'STOP', MessageSid: 'SM8' });
  await report(second, { From: '+15550001111', Body: 'START', MessageSid: 'SM9' });
  expect(await suppressed()).toContainEqual(['+15550001111', 'stop']);
  await report(first, { From: '+15550001111', Body: 'START', MessageSid: 'SM10' });
  expect(await suppressed()).not.toContainEqual(['+15550001111', 'stop']);
});

it('a search looks through some suppressions for a page, and the next page goes on', async () => {
  const other = await app.key({ org: 'globex' });
  await app.pool.query(
    `insert into suppressions (organization_id, name, value, value_key, cause)
     select o.id, 'email', n || '@many.test', n || '@many.test', 'manual' from organizations o, generate_series(1, 20001) n where o.slug = 'globex'`,
  );
  const first = await app.as(other).get('/api/o/globex/suppressions/?search=20001&limit=10').expect(200);
  expect(first.body).toEqual([]);
  const [, next] = /<([^>]+)>; rel="next"/.exec(first.headers.link as string)!;
  const second = await app.as(other).get(next!.slice(app.url.length)).expect(200);
  expect(second.body).toMatchObject([{ value: '20001@many.test' }]);
  expect(second.headers.link).toBeUndefined();
  expect((await app.as(key).get(`${PATH}?search=20001`)).body).toEqual([]);
});
