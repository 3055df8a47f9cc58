import { beforeEach, describe, expect, it } from '@jest/globals';
import type { TestApp } from '../support/app/app.js';
import { useApp } from '../support/app/use.js';
import { Tenant } from '../support/world/tenant.js';

const ANN = 'ann@acme.test';
const BOB = 'bob@acme.test';
const PHONE = 'com.acme.shop/phone-1';
const KEYS = { p256dh: 'BNcRdreALRFXTkOO', auth: 'tBHItJI5svbpez7K' };

let app: TestApp;
let tenant: Tenant;
useApp({}, (started) => (app = started));
beforeEach(async () => {
  tenant = await newTenant();
});

const newTenant = () =>
  Tenant.create(app, {
    users: [{ email: ANN }, { email: BOB }],
    lists: [{ name: 'Staff', members: [ANN, BOB] }],
  });

interface Listed {
  app: string;
  device: string;
  problem: string | null;
}

const pathOf = (user: string, rest = '', { org } = tenant) => `/api/o/${org}/u/${user}/${rest}`;
const devicePath = (user: string, device = PHONE, of = tenant) => pathOf(user, `devices/${device}/`, of);
const fcm = (token: string) => ({ platform: 'android', fcm: { token } });

const register = (user: string, device = PHONE, body: object = fcm('token-1'), of = tenant) =>
  app
    .as(of.key)
    .put(devicePath(user, device, of))
    .send(body);

async function registered(...given: Parameters<typeof register>) {
  const answer = await register(...given);
  expect([answer.status, answer.body]).toEqual([200, answer.body]);
  return answer.body as Listed;
}

async function listed(user: string, of = tenant): Promise<string[]> {
  const { body } = await app.as(of.key).get(pathOf(user, 'devices/', of));
  return (body as Listed[]).map((each) => `${each.app}/${each.device}`);
}

async function addresses(user: string, of = tenant): Promise<string[]> {
  const { body } = await app.as(of.key).get(pathOf(user, 'address/', of));
  return (body as { name: string; value: string }[])
    .filter(({ name }) => name !== 'email')
    .map(({ name, value }) => `${name} ${value}`);
}

const addAddress = async (user: string, name: string, value: string) =>
  expect((await app.as(tenant.key).post(pathOf(user, 'address/')).send({ name, value })).status).toBe(200);

async function tokenOf(user: string, scopes = ['devices'], of = tenant): Promise<string> {
  const { body } = await app
    .as(of.key)
    .post(pathOf(user, 'token/', of))
    .send({ scopes });
  return (body as { token: string }).token;
}

const asRecipient = (token: string) => app.as().set('Authorization', `Bearer ${token}`);

describe('a device', () => {
  it('is registered, refreshed, listed and removed', async () => {
    const facts = { name: 'iPhone of Ann', locale: 'de-at', time_zone: 'europe/vienna', app_version: '4.2.0' };
    const apns = { token: 'ABCDEF0123456789', environment: 'sandbox' };
    const created = await registered(ANN, PHONE, { platform: 'ios', apns, ...facts });
    const shown = {
      ...{
        app: 'com.acme.shop',
        device: 'phone-1',
        platform: 'ios',
        address_kind: 'apns',
        environment: 'sandbox',
        problem: null,
      },
      ...{ name: 'iPhone of Ann', locale: 'de-AT', time_zone: 'Europe/Vienna', app_version: '4.2.0' },
      ...{ created_at: expect.any(String), last_seen_at: expect.any(String) },
    };
    expect(created).toEqual(shown);
    expect(await addresses(ANN)).toEqual(['apns abcdef0123456789']);
    const before = (created as unknown as { last_seen_at: string }).last_seen_at;
    await app.pool.query(`update devices set last_seen_at = last_seen_at - interval '1 day'`);
    const refreshed = await registered(ANN, PHONE, { platform: 'ios', apns });
    expect(refreshed).toEqual({ ...shown, name: '', locale: null, time_zone: null, app_version: '' });
    expect((refreshed as unknown as { last_seen_at: string }).last_seen_at >= before).toBe(true);
    expect((await app.as(tenant.key).get(pathOf(ANN, 'devices/'))).body).toEqual([refreshed]);
    expect((await app.as(tenant.key).delete(devicePath(ANN))).status).toBe(204);
    expect((await app.as(tenant.key).delete(devicePath(ANN))).status).toBe(404);
    expect([await listed(ANN), await addresses(ANN)]).toEqual([[], []]);
  });

  it('keeps its row, and what refers to its address, when its push token changes', async () => {
    await registered(ANN);
    const idOf = async () =>
      (await app.pool.query(`select address_id, id from devices where device = 'phone-1' order by id desc limit 1`))
        .rows[0] as object;
    const before = await idOf();
    await registered(ANN, PHONE, fcm('token-2'));
    expect(await idOf()).toEqual(before);
    expect(await addresses(ANN)).toEqual(['fcm token-2']);
    await registered(ANN, PHONE, { platform: 'android', webpush: { endpoint: 'https://push.test/a', keys: KEYS } });
    expect(await addresses(ANN)).toEqual([
      `webpush ${JSON.stringify({ endpoint: 'https://push.test/a', keys: KEYS })}`,
    ]);
    expect(await listed(ANN)).toEqual([PHONE]);
  });

  it('moves to the user who signed in last, with its address', async () => {
    await registered(ANN);
    await registered(BOB);
    expect([await listed(ANN), await addresses(ANN)]).toEqual([[], []]);
    expect([await listed(BOB), await addresses(BOB)]).toEqual([[PHONE], ['fcm token-1']]);
    // The same phone after the app was installed again, with a new token.
    await registered(ANN, PHONE, fcm('token-2'));
    expect([await listed(BOB), await addresses(BOB), await addresses(ANN)]).toEqual([[], [], ['fcm token-2']]);
  });

  it('replaces another device with the same push address, of anyone in the organization', async () => {
    await registered(ANN);
    await registered(ANN, 'com.acme.shop/phone-2');
    expect([await listed(ANN), await addresses(ANN)]).toEqual([['com.acme.shop/phone-2'], ['fcm token-1']]);
    await registered(BOB, 'com.acme.shop/phone-3');
    expect([await listed(ANN), await listed(BOB)]).toEqual([[], ['com.acme.shop/phone-3']]);
    // Upper and lower case matter in a token.
    await registered(ANN, PHONE, fcm('Token-1'));
    expect([await listed(ANN), await listed(BOB)]).toEqual([[PHONE], ['com.acme.shop/phone-3']]);
  });

  it('takes over its address if that was added before, and takes it from other users', async () => {
    await addAddress(ANN, 'fcm', 'token-1');
    await addAddress(BOB, 'fcm', 'token-1');
    const old = { endpoint: 'https://push.test/a', expirationTime: null, keys: { p256dh: 'old', auth: 'old' } };
    await addAddress(BOB, 'webpush', JSON.stringify(old));
    await registered(ANN);
    expect([await addresses(ANN), (await addresses(BOB)).length]).toEqual([['fcm token-1'], 1]);
    await registered(ANN, 'web/browser-1', { platform: 'web', webpush: { ...old, keys: KEYS } });
    expect([await listed(ANN), await addresses(BOB)]).toEqual([[PHONE, 'web/browser-1'], []]);
  });

  it('is one of at most 20: the next one replaces the one that was not seen for longest', async () => {
    for (let i = 1; i <= 20; i++) await registered(ANN, `com.acme.shop/phone-${i}`, fcm(`token-${i}`));
    await registered(ANN, 'com.acme.shop/phone-1', fcm('token-1'));
    await registered(ANN, 'com.acme.shop/phone-21', fcm('token-21'));
    const devices = await listed(ANN);
    expect(devices).toHaveLength(20);
    expect(devices).not.toContain('com.acme.shop/phone-2');
    expect(devices).toEqual(expect.arrayContaining(['com.acme.shop/phone-1', 'com.acme.shop/phone-21']));
    expect(await addresses(ANN)).toHaveLength(20);
  });

  it('shows subscriptions of browsers that were added as addresses, and removes them', async () => {
    await addAddress(ANN, 'webpush', JSON.stringify({ endpoint: 'https://push.test/a', keys: KEYS }));
    const { body } = await app.as(tenant.key).get(pathOf(ANN, 'devices/'));
    const [browser] = body as Listed[];
    expect(browser).toMatchObject({ app: 'webpush', platform: 'web', address_kind: 'webpush', last_seen_at: null });
    expect((await register(ANN, 'webpush/mine')).status).toBe(400);
    expect((await app.as(tenant.key).delete(devicePath(BOB, `webpush/${browser!.device}`))).status).toBe(404);
    expect((await app.as(tenant.key).delete(devicePath(ANN, `webpush/${browser!.device}`))).status).toBe(204);
    expect([await listed(ANN), await addresses(ANN)]).toEqual([[], []]);
  });

  it('stays when the profile of its user is replaced, and its address changes only with it', async () => {
    await registered(ANN);
    const profile = `/api/o/${tenant.org}/users/${ANN}/`;
    expect((await app.as(tenant.key).get(profile)).body).toMatchObject({ addresses: [] });
    expect((await app.as(tenant.key).put(profile).send({ addresses: [] })).status).toBe(200);
    expect(await listed(ANN)).toEqual([PHONE]);
    const address = pathOf(ANN, 'address/fcm/token-1/');
    expect((await app.as(tenant.key).patch(address).send({ value: 'token-2' })).status).toBe(409);
    expect((await app.as(tenant.key).delete(address)).status).toBe(204);
    expect(await listed(ANN)).toEqual([]);
  });

  it.each([
    ['com.acme.shop/phone-1', { platform: 'phone', fcm: { token: 'a' } }, ['platform']],
    ['com.acme.shop/phone-1', { platform: 'ios' }, ['address']],
    ['com.acme.shop/phone-1', { ...fcm('a'), locale: 'german' }, ['locale']],
    ['com.acme.shop/phone-1', { ...fcm('a'), time_zone: 'Mars/Base' }, ['time_zone']],
    ['com.acme.shop/phone-1', { ...fcm('a'), name: 'x'.repeat(256) }, ['name']],
    ['com.acme.shop/phone-1', { ...fcm('a'), token: 'b' }, ['token']],
    [`com.acme.shop/${'x'.repeat(201)}`, fcm('a'), ['device']],
    ['com%20acme/phone%2F1', fcm('a'), ['bundle', 'device']],
    ['com.acme.shop/phone%00', fcm('a'), ['device']],
  ])('is refused as %s with %j', async (device, body, wrong) => {
    const answer = await register(ANN, device, body);
    expect([answer.status, Object.keys((answer.body as { errors: object }).errors)]).toEqual([400, wrong]);
    expect(await listed(ANN)).toEqual([]);
  });

  it('leaves entries in the audit log without its push address, which forget their user with them', async () => {
    await registered(ANN, PHONE, fcm('secret-token-1'));
    await registered(ANN, PHONE, fcm('secret-token-2'));
    await registered(BOB, PHONE, fcm('secret-token-2'));
    const entries = async () =>
      (await app.as(tenant.key).get(`/api/o/${tenant.org}/audit/?limit=100`)).body as {
        noun: string;
        verb: string;
        name: string;
      }[];
    const of = (await entries()).filter(({ noun }) => noun === 'device').map(({ verb, name }) => `${verb} ${name}`);
    expect(of).toEqual([`create ${ANN}/com.acme.shop`, `delete ${ANN}/com.acme.shop`, `create ${BOB}/com.acme.shop`]);
    const changed = (await entries()).find(({ noun, verb }) => noun === 'address' && verb === 'update');
    expect(changed).toMatchObject({
      changes: { value: [expect.stringMatching(/^sha256:/), expect.stringMatching(/^sha256:/)] },
    });
    expect(JSON.stringify(await entries())).not.toContain('secret-token');
    expect((await app.as(tenant.key).delete(pathOf(BOB))).status).toBe(204);
    expect(JSON.stringify(await entries())).not.toContain(`${BOB}/com.acme.shop`);
    const { rows } = await app.pool.query(
      `select from devices d join organizations o on o.id = d.organization_id where o.slug = $1`,
      [tenant.org],
    );
    expect(rows).toEqual([]);
  });

  it('is part of the export of its user', async () => {
    await registered(ANN);
    const { text } = await app
      .as(tenant.key)
      .get(pathOf(ANN, 'export/'))
      .buffer()
      .parse((response, done) => {
        let all = '';
        response.on('data', (part: Buffer) => (all += part.toString()));
        response.on('end', () => done(null, all));
      })
      .then(({ body }) => ({ text: body as string }));
    const lines = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { kind: string });
    expect(lines.find(({ kind }) => kind === 'device')).toMatchObject({
      ...{ app: 'com.acme.shop', device: 'phone-1', platform: 'android' },
      address: { name: 'fcm', value: 'token-1' },
    });
  });
});

describe('a recipient token', () => {
  it('registers, lists and removes the devices of its user, with the scope `devices` only', async () => {
    const token = await tokenOf(ANN);
    const put = await asRecipient(token).put(devicePath(ANN)).send(fcm('token-1'));
    expect(put.status).toBe(200);
    expect((await asRecipient(token).get(pathOf(ANN, 'devices/'))).body).toEqual([put.body]);
    expect(JSON.stringify(put.body)).not.toContain('token-1');
    expect((await asRecipient(token).put(devicePath(BOB)).send(fcm('token-1'))).status).toBe(404);
    const { body } = await app.as(tenant.key).post(pathOf(ANN, 'token/')).send({});
    const usual = body as { token: string; scopes: string[] };
    expect(usual.scopes).toEqual(['inbox', 'preferences']);
    expect((await asRecipient(usual.token).put(devicePath(ANN)).send(fcm('token-1'))).status).toBe(403);
    expect((await asRecipient(token).delete(devicePath(ANN))).status).toBe(204);
    expect(await listed(ANN)).toEqual([]);
  });

  it('is asked for by a page of the organization', async () => {
    const origins = ['https://app.acme.test'];
    expect((await app.as(tenant.key).patch(`/api/o/${tenant.org}/settings/`).send({ origins })).status).toBe(200);
    const { status, headers } = await app.as().options(devicePath(ANN)).set('Origin', origins[0]!);
    expect([status, headers['access-control-allow-methods']]).toEqual([204, 'PUT, DELETE']);
  });

  it('takes a phone from the user before, but nothing from another organization', async () => {
    const other = await newTenant();
    await registered(ANN, PHONE, fcm('token-1'), other);
    await registered(ANN);
    const token = await tokenOf(BOB);
    expect((await asRecipient(token).put(devicePath(BOB)).send(fcm('token-1'))).status).toBe(200);
    expect([await listed(ANN), await listed(BOB)]).toEqual([[], [PHONE]]);
    expect([await listed(ANN, other), await addresses(ANN, other)]).toEqual([[PHONE], ['fcm token-1']]);
    expect(
      (
        await asRecipient(token)
          .put(devicePath(BOB, PHONE, other))
          .send(fcm('token-1'))
      ).status,
    ).toBe(404);
  });
});

it('registrations at the same time leave one owner of each device and address, and nobody with more than 20', async () => {
  const users = [ANN, BOB];
  const calls = Array.from({ length: 60 }, (_, i) =>
    register(users[i % 2]!, `com.acme.shop/phone-${(i * 7) % 23}`, fcm(`token-${(i * 5) % 29}`)),
  );
  const statuses = (await Promise.all(calls)).map(({ status }) => status);
  expect(statuses.filter((status) => status !== 200 && status !== 429)).toEqual([]);
  const { rows } = await app.pool.query<{ devices: number; addresses: number; owners: number; most: number }>(
    `select count(distinct (d.app, d.device))::int devices, count(distinct a.value)::int addresses, count(*)::int owners,
            (select max(n)::int from (select count(*) n from devices x where x.organization_id = min(d.organization_id) group by x.user_id) c) most
     from devices d join addresses a on a.id = d.address_id and a.user_id = d.user_id join organizations o on o.id = d.organization_id
     where o.slug = $1`,
    [tenant.org],
  );
  const [{ devices, addresses: values, owners, most }] = rows as [(typeof rows)[0]];
  expect([values, owners]).toEqual([devices, devices]);
  expect(most).toBeLessThanOrEqual(20);
  const orphans = await app.pool.query(
    `select from addresses a join organizations o on o.id = a.organization_id
     where o.slug = $1 and a.name = 'fcm' and not exists (select from devices d where d.address_id = a.id)`,
    [tenant.org],
  );
  expect(orphans.rowCount).toBe(0);
});
