import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { generate } from '../../bench/generate.mjs';
import { Database } from '../../bench/world/database.mjs';
import { callsIn } from '../growth/calls.js';
import type { Call } from '../growth/calls.js';
import { TestApp } from '../support/app/app.js';

// Every operation that writes leaves an entry, or stands here with its reason.
const UNNOTED = [
  '/trigger/', // an occurrence is its own record
  '/simulate/', // writes nothing
  '/preview/', // writes nothing
  '/plan/', // writes nothing
  '/test/', // writes nothing
  '/{channel}/check/', // writes nothing
  '/inbox/{message}/read/', // what people do with their inbox
  '/inbox/mark/', // the same
  '/inbox/{message}/', // the same
  '/drafts/', // saved while somebody types; what is published has an entry
  '/drafts/{draft}/', // the same
  '/uploads/', // an upload is its own record, and expires
  '/uploads/{upload}/', // the same
  '/token/', // stores nothing, once there is a secret that signs tokens
];

let app: TestApp;
let key: { id: number; text: string };
let sql: Client;
let calls: Call[];

beforeAll(async () => {
  app = await TestApp.start();
  const database = await Database.connect(app.databaseUrl);
  await generate(database, { organizations: 50, users: 5000, deliveries: 20_000 }, () => undefined);
  await database.close();
  key = await app.keyWithId({ name: 'auditor' });
  sql = new Client({ connectionString: app.databaseUrl });
  await sql.connect();
  calls = (await callsIn(sql)).filter(({ method }) => method !== 'GET');
  const token = calls.find(({ name }) => name.endsWith('/token/'))!;
  await app.as(key.text).post(token.path).send({});
});
afterAll(async () => {
  await sql.end();
  await app.stop();
});

it('has an entry of every write, with the key and the request', async () => {
  const wrong: object[] = [];
  for (const [i, { name, method, path, body }] of calls.entries()) {
    const request = `request-${i}`;
    const call = method.toLowerCase() as 'post' | 'put' | 'patch' | 'delete';
    const type = typeof body === 'string' ? 'application/x-ndjson' : 'json';
    const { status } = await app.as(key.text).set('X-Request-Id', request)[call](path).type(type).send(body);
    const { rowCount } = await sql.query(
      'select from audit_entries where request_id = $1 and key_id = $2 and actor = $3',
      [request, key.id, 'auditor'],
    );
    const isNoted = (rowCount ?? 0) > 0;
    const expected = !UNNOTED.some((end) => name.split('?', 1)[0]!.endsWith(end));
    if (status >= 300 || isNoted !== expected) wrong.push({ name, status, isNoted });
  }
  expect(wrong).toEqual([]);
  expect(calls.length).toBeGreaterThan(40);
});
