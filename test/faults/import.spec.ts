import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { createDatabase } from '../support/app/database.js';
import type { TestDatabase } from '../support/app/database.js';
import { Service, spawnCarillon } from '../support/app/service.js';
import { createFolder } from '../support/folder.js';
import type { TestFolder } from '../support/folder.js';
import { sized } from '../support/long.js';
import { until } from '../support/until.js';
import { createCrowd } from '../support/world/crowd.js';

const ROWS = sized(6000, 100_000);
/** As the command prints it. */
const said = (count: number) => count.toLocaleString('en-US');

let database: TestDatabase;
let folder: TestFolder;
let client: Client;
let file: string;

beforeAll(async () => {
  [database, folder] = [await createDatabase(), createFolder()];
  await createCrowd(database.url, 'http://127.0.0.1:9/', 0);
  client = new Client({ connectionString: database.url });
  await client.connect();
  file = join(folder.path, 'people.csv');
  const rows = Array.from({ length: ROWS }, (_, i) => `user${i}@crowd.test,First ${i},ops,+1555${1_000_000 + i}\n`);
  writeFileSync(file, `email,first_name,custom_fields.team,address.phone\n${rows.join('')}`);
});

afterAll(async () => {
  await client.end();
  folder.remove();
  await database.drop();
});

const env = () => ({ DATABASE_URL: database.url });

const count = async (sql: string) =>
  (await client.query<{ count: number }>(`select count(*)::int ${sql}`)).rows[0]!.count;
const bytes = async (table: string) =>
  (await client.query<{ bytes: number }>(`select pg_relation_size($1)::int bytes`, [table])).rows[0]!.bytes;

/** Runs a command and kills it when it has written a good part of its rows. */
async function killInTheMiddle(args: string[], table: string, size: number): Promise<void> {
  const before = await bytes(table);
  const child = spawnCarillon(args, env(), process.cwd());
  await until(90_000, async () => (await bytes(table)) > before + size || child.exitCode !== null);
  expect(child.exitCode).toBeNull();
  child.kill('SIGKILL');
  await once(child, 'close');
}

it(`${ROWS} users, killed in the middle, and run again: no doubles, no gaps`, async () => {
  const args = ['import', 'users', file, '--org', 'crowd'];
  await killInTheMiddle(args, 'users', 30 * ROWS);
  expect(await count('from users')).toBe(0);
  expect(await Service.run(args, env())).toBe(`${said(ROWS)} created, 0 updated, ${said(ROWS)} new addresses\n`);
  expect(await count('from users')).toBe(ROWS);
  expect(await count('from (select distinct email_key from users) u')).toBe(ROWS);
  expect(await count('from addresses')).toBe(2 * ROWS);
  expect(await Service.run(args, env())).toBe('0 created, 0 updated, 0 new addresses\n');
});

it('and so many members of a list, the same way', async () => {
  const args = [
    'import',
    'members',
    file.replace('people', 'members'),
    '--org',
    'crowd',
    '--project',
    'p',
    '--list',
    'All',
  ];
  const rows = Array.from({ length: ROWS }, (_, i) => `user${i + ROWS / 2}@crowd.test\n`);
  writeFileSync(file.replace('people', 'members'), `email\n${rows.join('')}`);
  await killInTheMiddle(args, 'members', 15 * ROWS);
  expect(await count('from members')).toBe(0);
  expect(await Service.run(args, env())).toBe(`${said(ROWS)} added, 0 updated, ${said(ROWS / 2)} new users\n`);
  expect(await count('from members')).toBe(ROWS);
  expect(await count('from users')).toBe(1.5 * ROWS);
  const exported = await Service.run(['export', 'members', ...args.slice(3)], env());
  expect(exported.split('\r\n').length).toBe(ROWS + 2);
});
