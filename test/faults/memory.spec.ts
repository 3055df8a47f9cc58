import { readFileSync } from 'node:fs';
import { get } from 'node:http';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createDatabase } from '../support/app/database.js';
import type { TestDatabase } from '../support/app/database.js';
import { Service } from '../support/app/service.js';
import { itOnLinux } from '../support/linux.js';
import { sized } from '../support/long.js';
import { until } from '../support/until.js';
import { createCrowd, withClient } from '../support/world/crowd.js';

const MEMBERS = sized(100_000, 1_000_000);
/** Held whole, 100,000 members would take some 100 MB. */
const MAX_GROWTH_MB = sized(60, 100);

let database: TestDatabase;
let service: Service;
let key: string;
let path: string;

beforeAll(async () => {
  database = await createDatabase();
  ({ key } = await createCrowd(database.url, 'http://127.0.0.1:9/', MEMBERS));
  const { rows } = await withClient(database.url, (client) => client.query('select id from distribution_lists'));
  path = `/api/o/crowd/p/p/d/${(rows as { id: number }[])[0]!.id}/m/`;
  service = await Service.start({ DATABASE_URL: database.url, ROLE: 'api' });
});

afterAll(async () => {
  await service.stop();
  await database.drop();
});

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

itOnLinux(`lists ${MEMBERS} members whole, growing by less than ${MAX_GROWTH_MB} MB`, async () => {
  await read(`${path}?limit=1000`); // the code is loaded and warm
  const beforeMb = residentMb(service.pid);
  const { items, peakMb, ended } = await read(path);
  expect({ items, ended }).toEqual({ items: MEMBERS, ended: true });
  expect(peakMb - beforeMb).toBeLessThan(MAX_GROWTH_MB);
});

/** Begins to read the list, and goes away. */
const leave = () =>
  new Promise<void>((resolve) => {
    const request = get(service.url + path, { headers: { authorization: `Key ${key}` } }, (response) => {
      response.once('data', () => {
        request.destroy();
        resolve();
      });
    });
    request.on('error', () => undefined);
  });

it('frees the connection of a reader that goes away', async () => {
  const busy = `
    select from pg_stat_activity where datname = current_database() and query like '%from members m%'
      and pid <> pg_backend_pid() and state <> 'idle'`;
  for (let i = 0; i < 12; i++) await leave();
  await withClient(database.url, (client) => until(10_000, async () => (await client.query(busy)).rowCount === 0));
  expect((await fetch(`${service.url}${path}?limit=1`, { headers: { authorization: `Key ${key}` } })).status).toBe(200);
});
