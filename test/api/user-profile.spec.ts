import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Permission } from '../../src/auth/permission.js';
import type { TestApp } from '../support/app/app.js';
import { useAcme } from '../support/app/use.js';
import { forbidden, invalid, notFound } from '../support/contract/problems.js';

let app: TestApp;
let key: string;
useAcme((acme) => ({ app, key } = acme));

const USERS = '/api/o/acme/users/';
const ANN = 'ann@acme.test';

type Body = Record<string, unknown>;

const get = async (email: string, as = key) => {
  const { status, body, headers } = await app.as(as).get(`${USERS}${encodeURIComponent(email)}/`);
  return { status, body: body as Body, etag: headers.etag! };
};
const put = async (email: string, body: unknown, headers: Record<string, string> = {}, as = key) => {
  const path = `${USERS}${encodeURIComponent(email)}/`;
  const answer = await app
    .as(as)
    .put(path)
    .set(headers)
    .send(body as object);
  return { status: answer.status, body: answer.body as Body, etag: answer.headers.etag! };
};

const audited = async () =>
  (await app.pool.query<{ n: number }>('select count(*)::int n from audit_entries')).rows[0]!.n;

const FULL = {
  ...{ email: 'Cleo@acme.test', first_name: 'Cleo', last_name: 'Öz', locked: false },
  custom_fields: { team: 'ops', deep: { a: [1, null] } },
  addresses: [
    { name: 'phone', value: '+15557654321' },
    { name: 'email', value: 'cleo@home.test' },
  ],
  time_zone: 'Europe/Rome',
  locale: 'it-IT',
  quiet_hours: [{ days: ['sat', 'sun'], from: '22:00', to: '08:00' }],
  memberships: [
    {
      ...{ project: 'depot', distribution_list: 'Drivers', address: { name: 'email', value: 'cleo@home.test' } },
      ...{ channel: null, active: true },
    },
    {
      ...{ project: 'shop', distribution_list: 'Staff', address: { name: 'email', value: 'Cleo@acme.test' } },
      ...{ channel: 'mail', active: false },
    },
  ],
  preferences: {
    channels: { sms: 'off' },
    categories: { 'shop/news': { all: 'on', email: 'off', frequency: 'daily' } },
    events: { 'shop/web/order-paid': { all: 'off' } },
  },
};

beforeAll(async () => {
  const shop = '/api/o/acme/p/shop/';
  await app
    .as(key)
    .post(`${shop}categories/`)
    .send({ slug: 'news', name: 'News', frequencies: ['daily'] });
  await app.as(key).patch(`${shop}a/web/e/order-paid/`).send({ category: 'news' });
});

describe('the profile of a user', () => {
  it('is created with everything, and is read back as it was written', async () => {
    const created = await put('Cleo@acme.test', FULL);
    expect(created).toEqual({ status: 200, body: FULL, etag: expect.any(String) });
    expect(await get('CLEO@acme.test')).toEqual(created);
    const { body } = await app.as(key).get(`/api/o/acme/u/cleo@acme.test/`);
    expect(body).toMatchObject({ email: 'Cleo@acme.test', first_name: 'Cleo', last_name: 'Öz', locked: false });
  });

  it.each([ANN, 'bob@acme.test', 'cleo@acme.test'])(
    'of %s can be sent back, and that changes nothing',
    async (email) => {
      const before = await get(email);
      const entries = await audited();
      expect(await put(email, before.body)).toEqual(before);
      expect(await audited()).toBe(entries);
      expect(await get(email)).toEqual(before);
    },
  );

  it('is sent back although a choice in it is about a category that became required', async () => {
    const category = '/api/o/acme/p/shop/categories/news/';
    await app.as(key).patch(category).send({ default: 'required' });
    const before = await get('cleo@acme.test');
    expect(before.body.preferences).toEqual(FULL.preferences);
    expect((await put('cleo@acme.test', before.body)).body).toEqual(before.body);
    await app.as(key).patch(category).send({ default: 'on' });
  });

  it('loses names and custom fields that the body leaves out, and keeps everything else', async () => {
    const { custom_fields, ...kept } = FULL;
    expect((await put('cleo@acme.test', {})).body).toEqual({
      ...kept,
      first_name: '',
      last_name: '',
      custom_fields: {},
    });
    expect((await put('cleo@acme.test', { first_name: 'Cleo', last_name: 'Öz', custom_fields })).body).toEqual(FULL);
  });

  it('loses what a member of the body no longer has', async () => {
    const names = { first_name: 'Cleo', last_name: 'Öz', custom_fields: FULL.custom_fields };
    const [drivers, staff] = FULL.memberships;
    const { body } = await put('cleo@acme.test', {
      ...{ ...names, memberships: [{ ...staff, active: true }], addresses: FULL.addresses.slice(0, 1) },
      ...{
        time_zone: null,
        locale: null,
        quiet_hours: [],
        preferences: { categories: { 'shop/news': { email: 'off' } } },
      },
    });
    expect(body).toEqual({
      ...{ ...FULL, addresses: FULL.addresses.slice(0, 1), memberships: [{ ...staff, active: true }] },
      ...{ time_zone: null, locale: null, quiet_hours: [] },
      preferences: { channels: {}, categories: { 'shop/news': { email: 'off' } }, events: {} },
    });
    expect((await put('cleo@acme.test', { ...names, memberships: [] })).body.memberships).toEqual([]);
    expect((await put('cleo@acme.test', { ...FULL, memberships: [drivers, staff] })).body).toEqual(FULL);
  });

  it('is created from an empty body', async () => {
    const { status, body } = await put('Dan@acme.test', {});
    expect([status, body]).toEqual([
      200,
      {
        ...{ email: 'Dan@acme.test', first_name: '', last_name: '', locked: false, custom_fields: {} },
        ...{ addresses: [], time_zone: null, quiet_hours: null, locale: null, memberships: [] },
        preferences: { channels: {}, categories: {}, events: {} },
      },
    ]);
    expect((await app.as(key).get('/api/o/acme/u/dan@acme.test/address/')).body).toEqual([
      { name: 'email', value: 'Dan@acme.test' },
    ]);
  });

  it('uses the e-mail and no channel where a membership names none', async () => {
    const memberships = [{ project: 'shop', distribution_list: ' STAFF ' }];
    expect((await put('fred@acme.test', { memberships })).body.memberships).toEqual([
      {
        ...{ project: 'shop', distribution_list: 'Staff', address: { name: 'email', value: 'fred@acme.test' } },
        ...{ channel: null, active: true },
      },
    ]);
  });

  it('is refused with all errors, each with its place', async () => {
    const { status, body } = await put('eve@acme.test', {
      ...{ email: 'other@acme.test', first_name: 7, time_zone: 'Mars/Base', locale: 'it_IT', color: 'red' },
      addresses: [{ name: 'phone', value: '1' }],
      memberships: [{ project: 'shop', distribution_list: 'Staff', level: 1 }, 7],
      preferences: { channels: { pigeon: 'on' }, colors: {} },
    });
    expect([status, Object.keys(body.errors as object).sort()]).toEqual([
      400,
      [
        ...['addresses[0].value', 'color', 'email', 'first_name', 'locale', 'memberships[0].level', 'memberships[1]'],
        ...['preferences.channels.pigeon', 'preferences.colors', 'time_zone'],
      ],
    ]);
    expect(await get('eve@acme.test')).toMatchObject({ status: 404, body: notFound('user') });
  });

  it.each<[string, object, Record<string, unknown>]>([
    [
      'a list that does not exist',
      { memberships: [{ project: 'shop', distribution_list: 'Nobody' }] },
      { 'memberships[0].distribution_list': ['is not a distribution list of the project shop'] },
    ],
    [
      'a channel that does not exist',
      { memberships: [{ project: 'depot', distribution_list: 'Drivers', channel: 'hook' }] },
      { 'memberships[0].channel': ['is not a channel of the project or the organization'] },
    ],
    [
      'an address that the user does not have',
      { memberships: [{ project: 'shop', distribution_list: 'Staff', address: { name: 'fax', value: '1' } }] },
      { 'memberships[0].address': ['is not an address of the user: add it to addresses'] },
    ],
    [
      'the same membership twice',
      {
        memberships: [
          { project: 'shop', distribution_list: 'Staff' },
          { project: 'shop', distribution_list: 'staff', active: false },
        ],
      },
      { 'memberships[1]': ['is listed twice'] },
    ],
    [
      'a choice about something that does not exist',
      { preferences: { categories: { none: 'off' } } },
      { 'preferences.categories.none': ['is not the name of a category'] },
    ],
    [
      'custom fields that are too large',
      { custom_fields: { text: 'x'.repeat(262_144) } },
      { custom_fields: [expect.stringContaining('256 KB')] },
    ],
  ])('is not created with %s', async (_, body, errors) => {
    const { status, body: problem } = await put('gus@acme.test', body);
    expect([status, problem]).toEqual([400, invalid(errors as Record<string, string[]>)]);
    expect((await get('gus@acme.test')).status).toBe(404);
  });

  it('keeps an address that a membership uses', async () => {
    const { status, body } = await put('cleo@acme.test', { ...FULL, memberships: undefined, addresses: [] });
    expect([status, body.errors]).toEqual([
      400,
      {
        addresses: ['lack email cleo@home.test, which the distribution list Drivers uses: remove the membership, too'],
      },
    ]);
    expect((await get('cleo@acme.test')).body).toEqual(FULL);
  });

  it.each(['no-email', 'a b@acme.test'])('is not created for %s', async (email) => {
    const { status, body } = await put(email, {});
    expect([status, Object.keys(body.errors as object)]).toEqual([400, ['email']]);
  });

  it('is refused if it is not an object', async () => {
    const { status, body } = await put(ANN, [1]);
    expect([status, body]).toEqual([400, invalid({ body: ['must be a JSON object'] })]);
  });

  it('is refused for an unknown field whose name every object has', async () => {
    const { status, body } = await put(ANN, { toString: 1, constructor: {} });
    expect([status, Object.keys(body.errors as object)]).toEqual([400, ['toString', 'constructor']]);
  });

  it('is not found for users of others', async () => {
    expect(await get('ann@globex.test')).toMatchObject({ status: 404, body: notFound('user') });
  });
});

describe('the permissions of a profile', () => {
  const withKey = (permissions: Permission[]) => app.key({ org: 'acme', permissions });

  it('include one for memberships and one for preferences', async () => {
    const as = await withKey(['user:read', 'user:write']);
    const names = { first_name: 'Ann', last_name: 'Lee', custom_fields: { team: 'ops' } };
    for (const [member, permission] of [
      [{ memberships: [] }, 'distributionlist:write'],
      [{ preferences: {} }, 'preference:write'],
    ] as const) {
      const { status, body } = await put(ANN, { ...names, ...member }, {}, as);
      expect([status, body]).toEqual([403, forbidden(permission)]);
    }
    expect((await get(ANN)).body.memberships).toHaveLength(1);
    const { body } = await get(ANN, as);
    expect([body.memberships, body.preferences, body.first_name]).toEqual([undefined, undefined, 'Ann']);
    // What the key cannot read stays as it is when the rest is sent back.
    expect(await put(ANN, body, {}, as)).toMatchObject({ status: 200, body });
    expect((await get(ANN)).body.memberships).toHaveLength(1);
  });

  it('are refused to a key of a project', async () => {
    const as = await app.key({ org: 'acme', project: 'shop' });
    for (const { status, body } of [await get(ANN, as), await put(ANN, {}, {}, as)])
      expect([status, body.detail]).toEqual([403, expect.stringContaining('bound to a project')]);
  });
});

it('If-Match of a profile refuses a version that is not the stored one, and a user that does not exist', async () => {
  const { etag, body } = await get(ANN);
  const changed = await put(ANN, { ...body, first_name: 'Anna' }, { 'If-Match': etag });
  expect([changed.status, changed.etag]).toEqual([200, (await get(ANN)).etag]);
  expect((await put(ANN, body, { 'If-Match': etag })).status).toBe(412);
  expect((await put('new@acme.test', {}, { 'If-Match': '*' })).status).toBe(412);
  expect((await get('new@acme.test')).status).toBe(404);
  expect((await put(ANN, body, { 'If-Match': changed.etag })).status).toBe(200);
});
