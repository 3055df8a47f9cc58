import { gzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import type { TestApp } from '../support/app/app.js';
import { useAcme } from '../support/app/use.js';
import { WRITES, pathOf } from '../support/contract/operations.js';
import { NOT_JSON, invalid, tooLarge } from '../support/contract/problems.js';
import { RawClient } from './raw-client.js';

let app: TestApp;
let key: string;
let client: RawClient;
useAcme((acme) => {
  ({ app, key } = acme);
  client = new RawClient(app, key);
});

const USERS = '/api/o/acme/u/';
const ADD = '/api/o/acme/p/shop/d/1/add/';
const TRIGGER = '/api/o/acme/p/shop/a/web/e/order-paid/trigger/';
const KB = 1024;

const context = (bytes: number) => JSON.stringify({ context: { x: 'x'.repeat(bytes - 20) } });
const nested = (depth: number) => `{"context":{"x":${'['.repeat(depth - 2)}${']'.repeat(depth - 2)}}}`;

describe('a body that is no good is refused whatever it is for', () => {
  it.each(WRITES)('$method $path: malformed JSON', async ({ method, path }) => {
    for (const text of ['{', '{"a":1,}', "{'a':1}", '[1] 2', 'NaN', '"', '\u0000']) {
      await client.expectNamed(() => client.send(pathOf({ path }), text, {}, method.toUpperCase()), 'body');
    }
  });

  it.each(WRITES)('$method $path: not JSON by its content type', async ({ method, path, body }) => {
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'json',
      '',
    ]) {
      const request = () =>
        client.send(pathOf({ path }), JSON.stringify(body), { 'Content-Type': type }, method.toUpperCase());
      await client.expectRefused(request, 415, NOT_JSON);
    }
  });

  it.each(WRITES)('$method $path: neither an object nor an array, but one value', async ({ method, path }) => {
    for (const text of ['null', '1', '"text"', 'true']) {
      await client.expectNamed(() => client.send(pathOf({ path }), text, {}, method.toUpperCase()), 'body');
    }
  });

  it.each(WRITES.filter(({ number }) => number !== 19))('$method $path: an array', async ({ method, path }) => {
    const error = invalid({ body: ['must be a JSON object'] });
    await client.expectRefused(() => client.send(pathOf({ path }), '[]', {}, method.toUpperCase()), 400, error);
  });

  it.each([
    ['NUL in a value', '{"email":"a@acme.test","first_name":"a\\u0000b"}', 'first_name'],
    ['NUL deep inside', '{"email":"a@acme.test","custom_fields":{"a":[{"b":"\\u0000"}]}}', 'custom_fields.a[0].b'],
    ['NUL in a field name', '{"email":"a@acme.test","custom_fields":{"a\\u0000":1}}', 'custom_fields'],
    ['half of a surrogate pair', '{"email":"a@acme.test","first_name":"\\ud800"}', 'first_name'],
    ['the other half', '{"email":"a@acme.test","first_name":"\\udc00\\ud800"}', 'first_name'],
    [
      'half of a surrogate pair in a field name',
      '{"email":"a@acme.test","custom_fields":{"\\udfff":1}}',
      'custom_fields',
    ],
    ['__proto__', '{"email":"a@acme.test","__proto__":{"admin":true}}', 'body'],
    ['__proto__ in other letters', '{"email":"a@acme.test","\\u005f_proto__":{"admin":true}}', 'body'],
    ['__proto__ deep inside', '{"email":"a@acme.test","custom_fields":{"a":{"__proto__":{}}}}', 'custom_fields.a'],
    [
      'a number that is infinite without an exponent',
      `{"email":"a@acme.test","custom_fields":{"n":${'9'.repeat(400)}}}`,
      'custom_fields.n',
    ],
    ['a number that is infinite', '{"email":"a@acme.test","custom_fields":{"n":1e999}}', 'custom_fields.n'],
    [
      'a number that would be rounded',
      '{"email":"a@acme.test","custom_fields":{"n":12345678901234567890}}',
      'custom_fields.n',
    ],
  ])('%s', async (_, text, field) => {
    await client.expectNamed(() => client.send(USERS, text), field);
  });

  it('bytes that are not UTF-8', async () => {
    const bytes = (...middle: number[]) => Buffer.from([0x5b, 0x22, ...middle, 0x22, 0x5d]);
    for (const bad of [bytes(0xff), bytes(0xc3), bytes(0xed, 0xa0, 0x80), bytes(0xc0, 0x80)]) {
      await client.expectRefused(() => client.send(ADD, bad), 400, invalid({ body: ['must be UTF-8 text'] }));
    }
  });

  it('nesting deeper than 32 levels, and not 32', async () => {
    const error = invalid({ body: ['must not be nested more than 32 levels deep'] });
    await client.expectRefused(() => client.send(TRIGGER, nested(33)), 400, error);
    await client.expectRefused(() => client.send(TRIGGER, nested(100_000)), 400, error);
    expect((await client.send(TRIGGER, nested(32))).status).toBe(201);
    expect(
      (await client.send(TRIGGER, '{"context":{"x":"[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[\\"[["}}')).status,
    ).toBe(201);
  });

  it('larger than 256 KB, and not 256 KB', async () => {
    await client.expectRefused(() => client.send(TRIGGER, context(256 * KB + 1)), 413, tooLarge(256));
    await client.expectRefused(() => client.send(USERS, context(257 * KB)), 413, tooLarge(256));
    expect((await client.send(TRIGGER, context(256 * KB))).status).toBe(201);
  });

  it('larger than 256 KB once it is unpacked', async () => {
    const packed = gzipSync(context(257 * KB));
    await client.expectRefused(() => client.send(TRIGGER, packed, { 'Content-Encoding': 'gzip' }), 413, tooLarge(256));
  });

  it('recipients of more than 2,560 KB', async () => {
    const body = JSON.stringify(['x'.repeat(2560 * KB)]);
    await client.expectRefused(() => client.send(ADD, body), 413, tooLarge(2560));
  });

  it('packed in a way that is broken or unknown', async () => {
    const broken = gzipSync('{}').subarray(0, 12);
    await client.expectNamed(() => client.send(TRIGGER, broken, { 'Content-Encoding': 'gzip' }), 'body');
    await client.expectRefused(() => client.send(TRIGGER, '{}', { 'Content-Encoding': 'zip' }), 415, NOT_JSON);
  });
});

describe('a body that is unusual but good is taken', () => {
  it('packed with gzip', async () => {
    const packed = gzipSync('{"email":"gzip@acme.test"}');
    const { status, body } = await client.send(USERS, packed, { 'Content-Encoding': 'gzip' });
    expect([status, body]).toEqual([201, expect.objectContaining({ email: 'gzip@acme.test' })]);
  });

  it('in chunks, without a length', async () => {
    const chunks = new Blob(['{"email":', '"chunk@acme.test"}']).stream();
    const { status, body } = await client.send(USERS, chunks);
    expect([status, body]).toEqual([201, expect.objectContaining({ email: 'chunk@acme.test' })]);
  });

  it.each(['application/json; charset=utf-8', 'APPLICATION/JSON', 'application/vnd.acme+json'])(
    'as %s',
    async (type) => {
      expect((await client.send(TRIGGER, '{}', { 'Content-Type': type })).status).toBe(201);
    },
  );

  it('after a byte order mark', async () => {
    expect((await client.send(TRIGGER, Buffer.from('\uFEFF{"context":{}}'))).status).toBe(201);
  });

  it('with the largest numbers that are kept exactly', async () => {
    const text = '{"context":{"a":9007199254740991,"b":-9007199254740991,"c":1.5e-300,"d":0.12345678901234567}}';
    expect((await client.send(TRIGGER, text)).status).toBe(201);
  });

  it('on a GET, where it is not even looked at', async () => {
    const { status } = await app.as(key).get(USERS).type('text/plain').send('{"broken');
    expect(status).toBe(200);
  });
});
