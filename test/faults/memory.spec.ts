import { readFileSync } from 'node:fs';
import { get } from 'node:http';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { createDatabase } from '../support/database.js';
import type { TestDatabase } from '../support/database.js';
import { Service } from '../support/service.js';

const MEMBERS = 1_000_000;
const MAX_GROWTH_MB = 100;

let database: TestDatabase;
let service: Service;
let key: string;
let listId: number;

beforeAll(async () => {
  database = await createDatabase();
  const env = { DATABASE_URL: database.url, ROLE: 'api' };
  await Service.run(
    ['apply', '-'],
    env,
    'organizations: [{ slug: big, name: Big, projects: [{ slug: p, name: P, distribution_lists: [{ name: All }] }] }]',
  );
  key = (
    JSON.parse(await Service.run(['key', 'create', '--org', 'big', '--name', 'k', '--all', '--json'], env)) as {
      key: string;
    }
  ).key;
  listId = await fill(database.url);
  service = await Service.start(env);
}, 180_000);

afterAll(async () => {
  await service.stop();
  await database.drop();
});

async function fill(url: string): Promise<number> {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query(`
    set session_replication_role = replica; -- a million rows made by us need no foreign key checks
    insert into users (organization_id, email, email_key)
      select o.id, 'user' || n || '@big.test', 'user' || n || '@big.test' from organizations o, generate_series(1, ${MEMBERS}) n;
    insert into addresses (organization_id, user_id, name, value) select organization_id, id, 'email', email from users;
    insert into members (organization_id, list_id, user_id, address_id)
      select a.organization_id, l.id, a.user_id, a.id from addresses a, distribution_lists l;
    analyze`);
  const { rows } = await client.query<{ id: number }>('select id from distribution_lists');
  await client.end();
  return rows[0]!.id;
}

const residentMb = (pid: number) =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024;

/** Reads a list without keeping it: how many items it had, and the peak memory of the server meanwhile. */
function read(path: string): Promise<{ items: number; peakMb: number; ended: boolean }> {
  return new Promise((resolve, reject) => {
    let items = 0;
    let peakMb = 0;
    let last = '';
    const watch = setInterval(() => (peakMb = Math.max(peakMb, residentMb(service.pid))), 20);
    get(`${service.url}${path}`, { headers: { authorization: `Key ${key}` } }, (response) => {
      response.on('data', (chunk: Buffer) => {
        const text = chunk.toString('latin1');
        items += text.split('{').length - 1;
        last = text.slice(-1);
      });
      response.on('end', () => {
        clearInterval(watch);
        resolve({ items, peakMb, ended: last === ']' });
      });
    }).on('error', reject);
  });
}

it('lists a million members whole, growing by less than 100 MB', async () => {
  await read(`/api/o/big/p/p/d/${listId}/m/?limit=1000`); // the code is loaded and warm
  const beforeMb = residentMb(service.pid);
  const { items, peakMb, ended } = await read(`/api/o/big/p/p/d/${listId}/m/`);
  process.stdout.write(
    `a million members: resident memory ${beforeMb.toFixed(0)} MB before, ${peakMb.toFixed(0)} MB at most\n`,
  );
  expect({ items, ended }).toEqual({ items: MEMBERS, ended: true });
  expect(peakMb - beforeMb).toBeLessThan(MAX_GROWTH_MB);
}, 120_000);

it('frees the connection of a reader that goes away', async () => {
  const client = new Client({ connectionString: database.url });
  await client.connect();
  const busy = async () => {
    const { rows } = await client.query<{ n: number }>(
      `select count(*)::int n from pg_stat_activity where datname = current_database() and query like '%from members m%' and pid <> pg_backend_pid()
       and (state <> 'idle')`,
    );
    return rows[0]!.n;
  };
  for (let i = 0; i < 12; i++) {
    await new Promise<void>((resolve) => {
      const request = get(
        `${service.url}/api/o/big/p/p/d/${listId}/m/`,
        { headers: { authorization: `Key ${key}` } },
        (response) => {
          response.once('data', () => {
            request.destroy();
            resolve();
          });
        },
      );
      request.on('error', () => undefined);
    });
  }
  const deadline = Date.now() + 10_000;
  while ((await busy()) > 0 && Date.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 50));
  expect(await busy()).toBe(0);
  await client.end();
}, 60_000);
