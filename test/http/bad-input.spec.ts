import { describe, expect, it } from '@jest/globals';
import type { TestApp } from '../support/app/app.js';
import { useAcme } from '../support/app/use.js';
import { LISTS, call, numbered, pathNames, pathOf } from '../support/contract/operations.js';
import { NO_KEY, invalid, notFound } from '../support/contract/problems.js';
import { RawClient } from './raw-client.js';
import type { Answer } from './raw-client.js';

let app: TestApp;
let key: string;
let client: RawClient;
useAcme((acme) => {
  ({ app, key } = acme);
  client = new RawClient(app, key);
});

const USERS = '/api/o/acme/u/';
const ANN = `${USERS}ann@acme.test/`;
const ADDRESSES = `${ANN}address/`;
const SHOP_LISTS = '/api/o/acme/p/shop/d/';
const ADD = `${SHOP_LISTS}1/add/`;
const TRIGGER = '/api/o/acme/p/shop/a/web/e/order-paid/trigger/';

const longEmail = (length: number) =>
  `${'a'.repeat(60)}@${`${'b'.repeat(60)}.`.repeat(3)}${'c'.repeat(length - 60 - 1 - 183 - 5)}.test`;
const EMAIL = 'z@acme.test';
const NO_TEXT = [null, 1, true, {}, ['a']];
const NO_OBJECT = [null, 1, true, 'a', ['a']];
const BAD_EMAILS = [
  '',
  'ann',
  'ann@',
  '@acme.test',
  'ann@localhost',
  'a b@acme.test',
  'Ann <ann@acme.test>',
  'a@b.test,c@d.test',
  '"a b"@acme.test',
  'a@acme.test\r\nBcc: b@acme.test',
  longEmail(255),
];

/** Operation, path, the rest of a good body, the field, and what it must not be. */
const FIELDS: [method: string, path: string, rest: object, field: string, values: unknown[]][] = [
  ['POST', USERS, {}, 'email', [undefined, ...NO_TEXT, ...BAD_EMAILS]],
  ['POST', USERS, { email: EMAIL }, 'first_name', [...NO_TEXT, 'a'.repeat(151)]],
  ['POST', USERS, { email: EMAIL }, 'last_name', [...NO_TEXT, 'a'.repeat(151)]],
  ['POST', USERS, { email: EMAIL }, 'custom_fields', NO_OBJECT],
  ['PATCH', ANN, { first_name: 'New' }, 'last_name', [...NO_TEXT, 'a'.repeat(151)]],
  ['PATCH', ANN, { last_name: 'New' }, 'first_name', [...NO_TEXT, 'a'.repeat(151)]],
  ['PATCH', ANN, { last_name: 'New' }, 'locked', [null, 0, 1, 'true', '', {}, []]],
  ['PUT', ANN, { last_name: 'New', _mode: 'REPLACE' }, 'custom_fields', NO_OBJECT],
  ['PUT', ANN, { last_name: 'New', custom_fields: {} }, '_mode', [...NO_TEXT, '', 'merge', 'DELETE']],
  ['POST', ADDRESSES, { value: 'v' }, 'name', [undefined, ...NO_TEXT, '', '  ', 'n'.repeat(51)]],
  ['POST', ADDRESSES, { name: 'n' }, 'value', [undefined, ...NO_TEXT, '', '  ', 'v'.repeat(751)]],
  ['POST', SHOP_LISTS, {}, 'name', [undefined, ...NO_TEXT, '', ' \t\n', 'n'.repeat(256)]],
  ['POST', TRIGGER, {}, 'context', NO_OBJECT],
  ['POST', TRIGGER, {}, 'options', NO_OBJECT],
];

describe('a field with a wrong value is named', () => {
  it.each(FIELDS)('%s %s %j, %s', async (method, path, rest, field, values) => {
    for (const value of values) {
      await client.expectNamed(() => client.json(path, { ...rest, [field]: value }, method), field);
    }
  });

  it.each([...NO_TEXT, ...BAD_EMAILS])('recipient %j', async (value) => {
    await client.expectNamed(() => client.json(ADD, [EMAIL, value]), '[1]');
  });

  it('and so is every one of several', async () => {
    const several = () => client.json(USERS, { email: 'x', nickname: 'x', first_name: 1 });
    await client.expectNamed(several, 'nickname', 'email', 'first_name');
  });
});

describe('a field that is not known is named', () => {
  const GOOD: [method: string, path: string, body: object, unknown: string[]][] = [
    ['POST', USERS, { email: EMAIL }, ['id', 'organization_id', 'username', 'locked', 'firstName', '']],
    ['PUT', ANN, { first_name: 'New' }, ['id', 'organization_id', 'username', 'email', 'firstName']],
    ['POST', ADDRESSES, { name: 'n', value: 'v' }, ['id', 'user_id', 'active']],
    ['POST', SHOP_LISTS, { name: 'n' }, ['id', 'project_id', 'members']],
    ['POST', TRIGGER, { context: {} }, ['id', 'channels', 'Context']],
  ];

  it.each(GOOD)('%s %s', async (method, path, body, unknown) => {
    for (const field of unknown) {
      await client.expectNamed(() => client.json(path, { ...body, [field]: 'x' }, method), field);
    }
  });

  it.each(GOOD)('%s %s, although it is a word of JavaScript', async (method, path, body) => {
    for (const field of ['constructor', 'prototype', 'hasOwnProperty', 'toString', 'valueOf']) {
      await client.expectNamed(() => client.json(path, { ...body, [field]: 'x' }, method), field);
    }
  });
});

describe('the longest value that is good', () => {
  it.each([
    ['POST', USERS, 201, { email: longEmail(254) }],
    ['POST', USERS, 201, { email: 'n@acme.test', first_name: 'ü'.repeat(150), last_name: '😀'.repeat(150) }],
    ['PATCH', ANN, 200, { first_name: 'a'.repeat(150), last_name: 'a'.repeat(150) }],
    ['POST', ADDRESSES, 200, { name: 'n'.repeat(50), value: 'v'.repeat(750) }],
    ['POST', SHOP_LISTS, 201, { name: 'n'.repeat(255) }],
    ['POST', SHOP_LISTS, 201, { name: `  ${'m'.repeat(255)} ` }],
  ])('%s %s %i', async (method, path, status, body) => {
    expect((await client.json(path, body, method)).status).toBe(status);
  });
});

describe('a path that names nothing', () => {
  it.each(numbered(18, 19, 20))('$method $path with a number that is no id', async (operation) => {
    for (const pk of ['0', '-1', '1e3', '1.0', '01', '+1', ' 1', '99999999999999999999', '2147483648', 'abc', '١']) {
      const { status, body } = await call(app, key, operation, pathOf(operation, { pk }));
      expect([pk, status, body]).toEqual([pk, 404, notFound('distribution list')]);
    }
  });

  it.each(pathNames(numbered(3, 5, 13, 15, 20)))('$method $path with an odd $noun', async (operation) => {
    const [before, after] = operation.path.split(`{${operation.name}}`) as [string, string];
    for (const odd of [
      '%00',
      '%ff',
      '%',
      '%2F',
      '%zz',
      '%C0%80',
      '%ED%A0%80',
      'a%00b',
      '%2e%2e%2f',
      'x'.repeat(5000),
    ]) {
      const path = pathOf({ path: before }) + odd + pathOf({ path: after });
      const init = { method: operation.method.toUpperCase() };
      const known = await fetch(app.url + path, { ...init, headers: { Authorization: `Key ${key}` } });
      expect([odd, known.status, await known.json()]).toEqual([odd, 404, notFound(operation.noun)]);
      const unknown = await fetch(app.url + path, init);
      expect([odd, unknown.status, await unknown.json()]).toEqual([odd, 401, NO_KEY]);
    }
  });
});

describe.each(LISTS)('$path', (operation) => {
  it('refuses a limit that is no number from 1 to 1000', async () => {
    const error = invalid({ limit: ['must be a whole number from 1 to 1000'] });
    for (const query of ['limit=0', 'limit=-1', 'limit=1001', 'limit=abc', 'limit=', 'limit=1.5', 'limit=1&limit=2']) {
      const { status, body } = await app.as(key).get(`${pathOf(operation)}?${query}`);
      expect([query, status, body]).toEqual([query, 400, error]);
    }
  });

  it('refuses a place to go on from that it never gave', async () => {
    const isById = [3, 7, 16, 20].includes(operation.number);
    const never = isById ? ['after=abc', 'after=', 'after=0', 'after=-1', 'after=1e3', 'after=99999999999'] : [];
    for (const query of [...never, 'after=1&after=2', 'after=%00']) {
      const { status, body } = await app.as(key).get(`${pathOf(operation)}?${query}`);
      expect([query, status, Object.keys((body as Answer['body']).errors!)]).toEqual([query, 400, ['after']]);
    }
  });
});
