import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Database } from '../../src/platform/database/database.js';
import { Statements } from '../support/app/statements.js';
import { TestApp } from '../support/app/app.js';
import { APPLE_KEY, FakeApplePush } from '../support/providers/apple-push.js';
import { FakeFcm, SERVICE_ACCOUNT } from '../support/providers/fcm.js';
import { writePushFiles } from '../support/providers/push-files.js';
import { until } from '../support/until.js';
import { Tenant } from '../support/world/tenant.js';

let app: TestApp;
let fcm: FakeFcm;
let apple: FakeApplePush;
let folder: string;

beforeAll(async () => {
  [fcm, apple] = await Promise.all([FakeFcm.start(), FakeApplePush.start()]);
  folder = mkdtempSync(join(tmpdir(), 'carillon-push-'));
  writePushFiles(folder, fcm, apple);
  app = await TestApp.start({ ROLE: 'all', PROVIDERS_DIR: folder });
});
afterAll(async () => {
  await app.stop();
  await Promise.all([fcm.close(), apple.close()]);
  rmSync(folder, { recursive: true });
});
beforeEach(() => {
  fcm.reset();
  apple.shown.length = 0;
  apple.refusing.clear();
});

const GOOGLE = { type: 'fcm_here', config: { service_account: SERVICE_ACCOUNT } };
const APPLE = { type: 'apns_here', config: { ...APPLE_KEY, environment: 'production' } };

/** Users with one address each, who hear over one channel. */
const tenantWith = (channel: typeof GOOGLE | typeof APPLE, addresses: Record<string, string>) =>
  Tenant.create(app, {
    channels: [{ slug: 'push', name: 'Push', ...channel }],
    users: Object.entries(addresses).map(([name, value]) => ({
      email: `${name}@acme.test`,
      addresses: [{ name: channel === GOOGLE ? 'fcm' : 'apns', value }],
    })),
    lists: [{ name: 'Staff', members: Object.keys(addresses).map((name) => `${name}@acme.test`) }],
    notifications: [
      {
        name: 'Tell',
        distribution_list: 'Staff',
        templates: [{ channel: 'push', subject: 'Paid', text: '{{ text }}' }],
      },
    ],
  });

const suppressed = async ({ org }: Tenant): Promise<string[]> => {
  const sql = `select value from suppressions s join organizations o on o.id = s.organization_id where o.slug = $1`;
  return (await app.pool.query<{ value: string }>(sql, [org])).rows.map(({ value }) => value);
};

const storedTokens = async ({ org }: Tenant) => {
  const sql = `select t.purpose, t.sealed from channel_tokens t join channels c on c.id = t.channel_id
               join organizations o on o.id = c.organization_id where o.slug = $1`;
  return (await app.pool.query<{ purpose: string; sealed: string }>(sql, [org])).rows;
};

const channelOf = async ({ org }: Tenant): Promise<number> => {
  const sql = `select c.id from channels c join organizations o on o.id = c.organization_id where o.slug = $1`;
  return (await app.pool.query<{ id: number }>(sql, [org])).rows[0]!.id;
};

const statuses = (deliveries: { status: string }[]) => deliveries.map(({ status }) => status).sort();

describe('a channel of Firebase Cloud Messaging', () => {
  it('reaches registration tokens and installations, and loses only the address that is gone', async () => {
    fcm.refusing.set('gone:APA91b', { status: 404, errorCode: 'UNREGISTERED' });
    const tenant = await tenantWith(GOOGLE, {
      ann: 'c1:APA91b',
      bob: 'fid:eWmbBf1jQ6SNs0VXhpvRfZ',
      eve: 'gone:APA91b',
    });
    const settled = await tenant.settled(await tenant.trigger({ text: 'Order "A-17"' }));
    expect(statuses(settled)).toEqual(['dead', 'sent', 'sent']);
    expect(await suppressed(tenant)).toEqual(['gone:APA91b']);
    expect(fcm.shown.map(({ token, fid, notification }) => [token, fid, notification])).toEqual(
      expect.arrayContaining([
        ['c1:APA91b', undefined, { title: 'Paid', body: 'Order "A-17"' }],
        [undefined, 'eWmbBf1jQ6SNs0VXhpvRfZ', { title: 'Paid', body: 'Order "A-17"' }],
      ]),
    );
    expect(fcm.tokensMade).toBe(1);
    const [stored, ...more] = await storedTokens(tenant);
    expect(more).toEqual([]);
    expect(stored!.sealed).toMatch(/^v1\./);
  });

  it('makes another token when the one that it has was revoked', async () => {
    const tenant = await tenantWith(GOOGLE, { ann: 'c1:APA91b' });
    await tenant.settled(await tenant.trigger({ text: 'one' }));
    fcm.revoke();
    // As if it were two minutes old: a token is not renewed for each message.
    await app.pool.query(`update channel_tokens set made_at = made_at - interval '2 minutes'`);
    expect(statuses(await tenant.settled(await tenant.trigger({ text: 'two' })))).toEqual(['sent']);
    expect([fcm.tokensMade, fcm.shown.length]).toEqual([2, 2]);
  });

  it('pauses, and keeps its messages, while FCM refuses every token', async () => {
    const tenant = await tenantWith(GOOGLE, { ann: 'c1:APA91b' });
    await tenant.settled(await tenant.trigger({ text: 'one' }));
    fcm.revoke();
    const occurrence = await tenant.trigger({ text: 'two' });
    await until(15_000, async () => (await tenant.attempts(occurrence)).length > 0);
    expect(statuses(await tenant.deliveries(occurrence))).toEqual(['pending']);
    expect([fcm.tokensMade, await suppressed(tenant)]).toEqual([1, []]);
  });

  it('cuts the text of a long message to what FCM takes', async () => {
    const tenant = await tenantWith(GOOGLE, { ann: 'c1:APA91b' });
    expect(statuses(await tenant.settled(await tenant.trigger({ text: '"🛎'.repeat(4000) })))).toEqual(['sent']);
    expect(fcm.shown[0]!.notification!.body!.length).toBeGreaterThan(1000);
  });

  it('refuses a setting that is not the key of a service account', async () => {
    const tenant = await tenantWith(GOOGLE, { ann: 'c1:APA91b' });
    const answer = await app
      .as(tenant.key)
      .patch(`/api/o/${tenant.org}/c/push/`)
      .send({ config: { service_account: '{"project_id": "acme"}' } });
    expect([answer.status, JSON.stringify(answer.body)]).toEqual([
      400,
      expect.stringContaining('config.service_account'),
    ]);
  });
});

describe('a channel of Apple push', () => {
  it('reaches devices over one connection, and loses only the address that is gone', async () => {
    const before = apple.sessions.length;
    apple.refusing.set('dead', { status: 410, reason: 'Unregistered' });
    const tenant = await tenantWith(APPLE, { ann: 'a1', bob: 'b2', eve: 'dead' });
    expect(statuses(await tenant.settled(await tenant.trigger({ text: 'Hi' })))).toEqual(['dead', 'sent', 'sent']);
    expect(await suppressed(tenant)).toEqual(['dead']);
    expect(apple.shown.map(({ device }) => device).sort()).toEqual(['a1', 'b2']);
    expect(apple.shown[0]!.payload.aps).toEqual({ alert: { title: 'Paid', body: 'Hi' } });
    expect(apple.sessions.length).toBe(before + 1);
    const { rows } = await app.pool.query(`select 1 from attempts where provider_id ~ '^[0-9a-f-]{36}$'`);
    expect(rows.length).toBeGreaterThanOrEqual(2);
  });
});

describe('the registered devices of a user', () => {
  it('get messages of their app and environment, and one with a wrong token is set aside and keeps no channel back', async () => {
    apple.refusing.set('aaaaaaaaaaaaaaaa', { status: 400, reason: 'BadDeviceToken' });
    const tenant = await tenantWith(APPLE, { ann: 'plain' });
    const devices = `/api/o/${tenant.org}/u/ann@acme.test/devices/`;
    const register = (place: string, token: string, environment = 'production') =>
      app.as(tenant.key).put(`${devices}${place}/`).send({ platform: 'ios', apns: { token, environment } }).expect(200);
    await register('com.acme.shop/wrong', 'aaaaaaaaaaaaaaaa');
    await register('com.acme.shop/iphone', 'bbbbbbbbbbbbbbbb');
    await register('com.acme.shop/from-xcode', 'cccccccccccccccc', 'sandbox');
    await register('com.acme.admin/iphone', 'dddddddddddddddd');
    const settled = await tenant.settled(await tenant.trigger({ text: 'Hi' }));
    expect(settled).toMatchObject([{ status: 'sent', attempts: 1 }]);
    expect(apple.shown.map(({ device }) => device)).toEqual(['bbbbbbbbbbbbbbbb']);
    const { body } = await app.as(tenant.key).get(devices);
    expect((body as { device: string; problem: string | null }[]).filter(({ problem }) => problem !== null)).toEqual([
      expect.objectContaining({ device: 'wrong', problem: expect.stringContaining('BadDeviceToken') }),
    ]);
    expect(await suppressed(tenant)).toEqual([]);
  });
});

describe('the token of a channel', () => {
  it('is deleted when the settings change, and not when only the name does', async () => {
    const tenant = await tenantWith(GOOGLE, { ann: 'c1:APA91b' });
    await tenant.settled(await tenant.trigger({ text: 'one' }));
    const path = `/api/o/${tenant.org}/c/push/`;
    const patch = (body: object) => app.as(tenant.key).patch(path).send(body).expect(200);
    await patch({ name: 'Other' });
    const { config } = (await app.as(tenant.key).get(path)).body as { config: object };
    await patch({ config });
    expect(await storedTokens(tenant)).toHaveLength(1);
    await patch({ config: { ...config, sound: 'default' } });
    expect(await storedTokens(tenant)).toEqual([]);
  });

  it('goes with the channel, and is in no export', async () => {
    const tenant = await tenantWith(GOOGLE, { ann: 'c1:APA91b' });
    await tenant.settled(await tenant.trigger({ text: 'one' }));
    const { sealed } = (await storedTokens(tenant))[0]!;
    const channel = await app.as(tenant.key).get(`/api/o/${tenant.org}/c/push/`);
    expect(JSON.stringify(channel.body)).not.toContain(sealed);
    const id = await channelOf(tenant);
    await app.pool.query('delete from templates where channel_id = $1', [id]);
    await app.pool.query('delete from channels where id = $1', [id]);
    expect(await storedTokens(tenant)).toEqual([]);
  });

  it('costs no statement if the channel needs none, and one a minute if it does', async () => {
    const statements = new Statements(app.app.get(Database));
    const tokens = (id: number) =>
      ['read-token', 'claim-token', 'save-token'].map(
        (name) => statements.of(name).filter((each) => each === id).length,
      );
    const plain = await Tenant.create(app, {
      channels: [{ slug: 'log', name: 'Log', type: 'log' }],
      users: [{ email: 'ann@acme.test' }],
      lists: [{ name: 'Staff', members: ['ann@acme.test'] }],
      notifications: [
        { name: 'Tell', distribution_list: 'Staff', templates: [{ channel: 'log', subject: 'x', text: 'x' }] },
      ],
    });
    await plain.settled(await plain.trigger({}));
    expect(tokens(await channelOf(plain))).toEqual([0, 0, 0]);
    const tenant = await tenantWith(APPLE, { ann: 'a1' });
    for (const text of ['one', 'two', 'three']) await tenant.settled(await tenant.trigger({ text }));
    expect(tokens(await channelOf(tenant))).toEqual([1, 1, 1]);
  });
});
