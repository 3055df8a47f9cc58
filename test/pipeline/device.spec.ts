import { beforeEach, expect, it } from '@jest/globals';
import { UnsubscribeTokens } from '../../src/engine/unsubscribe/token.js';
import { Purge } from '../../src/engine/purge/purge.js';
import type { TestApp } from '../support/app/app.js';
import { useApp, useSink } from '../support/app/use.js';
import { HttpSink } from '../support/sinks/http-sink.js';
import { until } from '../support/until.js';
import { Tenant, travelToNextAttempt } from '../support/world/tenant.js';

const ANN = 'ann@acme.test';
const BOB = 'bob@acme.test';

let app: TestApp;
let server: HttpSink;
let tenant: Tenant;
useApp({ ROLE: 'all' }, (started) => (app = started));
useSink(
  () => HttpSink.start(),
  (started) => (server = started),
);

const PUSH = () => `
request:
  url: ${server.url('/push')}
  json: { to: '{{ message.to }}', text: '{{ message.text }}' }
address: fcm
outcomes:
  - { when: 'status == \`200\`', then: sent }
  - { when: 'status == \`404\`', then: rejected, fault: device }
`;

beforeEach(async () => {
  await app.empty();
  server.reply = () => ({ status: 200 });
  tenant = await Tenant.create(app, {
    channels: [{ slug: 'push', name: 'Push', type: 'http', config: { description: PUSH() } }],
    users: [{ email: ANN }, { email: BOB }],
    lists: [{ name: 'Staff', members: [ANN, BOB] }],
    notifications: [
      { name: 'Tell', distribution_list: 'Staff', templates: [{ channel: 'push', text: 'Hi {{ user.email }}' }] },
    ],
  });
});

async function register(user: string, device: string, token: string) {
  const path = `/api/o/${tenant.org}/u/${user}/devices/com.acme.shop/${device}/`;
  const { status } = await app.as(tenant.key).put(path).send({ platform: 'android', fcm: { token } });
  expect(status).toBe(200);
}

const devicesOf = async (user: string) =>
  (await app.as(tenant.key).get(`/api/o/${tenant.org}/u/${user}/devices/`)).body as {
    device: string;
    problem: string | null;
  }[];

const tell = (user: string) => tenant.triggerAndSettle({}, { limit_to: [user] });
const sentTo = () => server.requests.map(({ body }) => JSON.parse(body) as { to: string; text: string });

it('a phone that changes hands gets nothing of its first user, not even what was waiting', async () => {
  await register(ANN, 'phone-1', 'token-1');
  server.reply = () => ({ status: 503 });
  const occurrence = await tenant.trigger({}, { limit_to: [ANN] });
  await tenant.tried(occurrence, 1);
  await register(BOB, 'phone-1', 'token-1');
  const before = server.requests.length;
  server.reply = () => ({ status: 200 });
  await travelToNextAttempt(app);
  expect(await tenant.settled(occurrence)).toMatchObject([
    { user: ANN, status: 'dead', reason: 'the address was deleted' },
  ]);
  expect(await tell(ANN)).toMatchObject([{ user: ANN, status: 'skipped', gate: 'no_address' }]);
  expect(await tell(BOB)).toMatchObject([{ user: BOB, status: 'sent' }]);
  expect(sentTo().slice(before)).toEqual([{ to: 'token-1', text: `Hi ${BOB}` }]);
});

it('a message that waits follows the new token of its device', async () => {
  await register(ANN, 'phone-1', 'token-1');
  server.reply = () => ({ status: 503 });
  const occurrence = await tenant.trigger({}, { limit_to: [ANN] });
  await tenant.tried(occurrence, 1);
  await register(ANN, 'phone-1', 'token-2');
  server.reply = () => ({ status: 200 });
  await travelToNextAttempt(app);
  expect(await tenant.settled(occurrence)).toMatchObject([{ status: 'sent' }]);
  expect(sentTo().at(-1)!.to).toBe('token-2');
});

it('a user removes a device on the preference page, without changing anything else', async () => {
  await register(ANN, 'phone-1', 'token-1');
  await register(ANN, 'phone-2', 'token-2');
  const { rows } = await app.pool.query<{ organizationId: number; userId: number }>(
    `select organization_id "organizationId", id "userId" from users where email = $1`,
    [ANN],
  );
  const token = app.app.get(UnsubscribeTokens).sign({ ...rows[0]!, categoryId: 0 });
  const page = await app.as().get(`/u/${token}/preferences`).set('Accept-Language', 'de');
  expect(page.text).toContain('<h2>Geräte</h2>');
  expect(page.text).toContain('name="remove" value="phone-1"');
  expect(page.text).not.toContain('token-1');
  const remove = (form: string) =>
    app.as().post(`/u/${token}/preferences`).type('form').set('Accept-Language', 'de').send(form);
  const removed = await remove('app=com.acme.shop&remove=phone-1');
  expect(removed.status).toBe(200);
  expect(removed.text).toContain('Android, com.acme.shop bekommt keine Nachrichten mehr.');
  expect((await devicesOf(ANN)).map(({ device }) => device)).toEqual(['phone-2']);
  const { body } = await app.as(tenant.key).get(`/api/o/${tenant.org}/audit/?noun=device`);
  expect((body as object[]).at(-1)).toMatchObject({ verb: 'delete', actor: 'preference page' });
  await register(BOB, 'phone-3', 'token-3');
  expect((await remove('app=com.acme.shop&remove=phone-3')).status).toBe(200);
  expect(await devicesOf(BOB)).toHaveLength(1);
  expect((await app.as().get(`/u/${token}/preferences`)).text).toContain('phone-2');
});

it('a device that no app has registered for 270 days is purged with its address', async () => {
  await register(ANN, 'phone-1', 'token-1');
  await register(ANN, 'phone-2', 'token-2');
  await app.pool.query(`update devices set last_seen_at = now() - interval '269 days' where device = 'phone-2'`);
  await app.pool.query(`update devices set last_seen_at = now() - interval '271 days' where device = 'phone-1'`);
  await until(15_000, async () => app.app.get(Purge).run());
  expect((await devicesOf(ANN)).map(({ device }) => device)).toEqual(['phone-2']);
  const left = await app.pool.query(`select value from addresses where name = 'fcm'`);
  expect(left.rows).toEqual([{ value: 'token-2' }]);
  const { body } = await app.as(tenant.key).get(`/api/o/${tenant.org}/audit/?noun=device`);
  expect((body as object[]).at(-1)).toMatchObject({ verb: 'delete', actor: 'purge' });
});

it('erasing a user removes their devices, their tokens and the entries about them', async () => {
  await register(BOB, 'phone-of-bob', 'token-of-bob-1');
  await tell(BOB);
  expect((await app.as(tenant.key).delete(`/api/o/${tenant.org}/u/${BOB}/?erase=1`)).status).toBe(204);
  await until(20_000, async () => {
    await app.pool.query(`update jobs set run_at = now() where task = 'erase' and state = 'scheduled'`);
    return (await app.pool.query(`select from jobs where task = 'erase'`)).rowCount === 0;
  });
  const tables = await app.pool.query<{ name: string }>(
    `select table_name name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
  );
  for (const { name } of tables.rows) {
    const found = await app.pool.query(`select from "${name}" t where t::text ~ 'token-of-bob-1|phone-of-bob'`);
    expect([name, found.rowCount]).toEqual([name, 0]);
  }
});
