import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { readConfig } from '../../src/platform/config/config.js';
import { Purge } from '../../src/engine/purge/purge.js';
import { PLANNER_SETTINGS } from '../../src/platform/database/planner-settings.js';
import { TestApp } from '../support/app/app.js';
import { sentDuring } from '../support/app/sent.js';
import { startWorker } from '../support/app/worker.js';
import { EventReader } from '../support/sinks/event-reader.js';
import { until } from '../support/until.js';
import { callsIn, loudLists } from './calls.js';
import type { Call } from './calls.js';
import { grow } from './grown.js';
import { Plan } from './plan.js';
import { Reads } from './reads.js';
import { STATEMENTS } from './statements.js';

const PATIENCE_MS = 15_000;

/** An organization here has ten users and six occurrences: whoever reads more than this reads what is not its own. */
const MOST_ROWS = 200;

/** Bloom filters lead to whole pages, and a search looks through the newest 100,000 ids at first: docs/decisions/0017. */
const SEARCHES = /^GET \/api\/o\/\{org\}\/u\/\{username\}\/(deliveries|export)\//;
const MOST_SEARCHED = 100_000;
const mostRowsOf = ({ name }: Call) => (SEARCHES.test(name) ? MOST_SEARCHED : MOST_ROWS);

let app: TestApp;
let key: string;
let sql: Client;
let large: string[];
let calls: Call[];
let reads: Reads;

beforeAll(async () => {
  app = await TestApp.start({ DATABASE_POOL_MAX: '2' });
  large = await grow(app.databaseUrl);
  key = await app.key();
  sql = new Client({ connectionString: app.databaseUrl });
  await sql.connect();
  await sql.query(PLANNER_SETTINGS);
  calls = await callsIn(sql);
  reads = new Reads(app, large);
});
afterAll(async () => {
  await sql.end();
  await app.stop();
});

async function send({ method, path, body, isStream }: Call): Promise<number> {
  if (!isStream) {
    const call = method.toLowerCase() as 'get' | 'post' | 'put' | 'patch' | 'delete';
    return (
      await app
        .as(key)
        [call](path)
        .type(typeof body === 'string' ? 'application/x-ndjson' : 'json')
        .send(body)
    ).status;
  }
  const reader = await EventReader.open(app.url + path, { Authorization: `Key ${key}` });
  reader.leave();
  return reader.status;
}

/** Calls that failed, or read too much. */
async function greedy(asked: Call[]): Promise<object[]> {
  const found: object[] = [];
  for (const call of asked) {
    let status = 0;
    const tooMuch = await reads.tooMuch(mostRowsOf(call), async () => (status = await send(call)));
    if (status >= 300 || tooMuch.length > 0) found.push({ call: call.name, status, tooMuch });
  }
  return found;
}

/** Runs a piece with an index gone, which is there again afterwards. */
async function without<Result>(index: string, work: () => Promise<Result>): Promise<Result> {
  await sql.query('begin');
  try {
    await sql.query(`drop index ${index}`);
    return await work();
  } finally {
    await sql.query('rollback');
  }
}

it('grows every table that an installation grows', () => {
  expect(large).toEqual([
    ...[
      'addresses',
      'api_keys',
      'applications',
      'attempts',
      'audit_entries',
      'categories',
      'channel_states',
      'channels',
      'deliveries',
    ],
    ...[
      'distribution_lists',
      'events',
      'idempotency_keys',
      'inbox_messages',
      'jobs',
      'layouts',
      'members',
      'messages',
      'notification_lists',
    ],
    ...[
      'notifications',
      'occurrences',
      'organizations',
      'partials',
      'projects',
      'rule_versions',
      'rulesets',
      'schedules',
      'signing_secrets',
      'status_webhooks',
      'templates',
      'users',
    ],
  ]);
});

describe('a hot statement', () => {
  const PASSES_OVER_ALL = {
    // Once an hour, in one process: has any event something that is too old?
    EVENTS_TO_PURGE: ['Seq Scan on events'],
    // The whole of an index that holds only the organizations that want to be told.
    ALERTED: ['Index Scan on organizations'],
    // The whole of an index that holds only the jobs that run.
    DEAD_WORKERS: ['Index Only Scan on jobs'],
  };

  it('reads no large table as a whole, whatever its values', async () => {
    const found: Record<string, string[]> = {};
    for (const [name, text] of Object.entries(STATEMENTS)) {
      const scans = (await Plan.generic(sql, text)).scansOf(large);
      if (scans.length > 0) found[name] = scans;
    }
    expect(Object.keys(STATEMENTS).length).toBeGreaterThan(40);
    expect(found).toEqual(PASSES_OVER_ALL);
  });

  it.each([
    ['RESOLVE_BRANCH', 'api_keys_hash_key', ['Seq Scan on api_keys']],
    ['LOAD_USERS', 'deliveries_occurrence_id_notification_id_channel_id_user_id_key', ['Seq Scan on deliveries']],
  ])('is noticed when its index is missing (%s, %s)', async (name, index, scans) => {
    const plan = await without(index, () => Plan.generic(sql, STATEMENTS[name]!));
    expect(plan.scansOf(large)).toEqual(scans);
  });
});

describe('a list of very many', () => {
  async function planOf(path: string): Promise<Plan> {
    const sent = await sentDuring(async () => expect((await app.as(key).get(path)).status).toBe(200));
    // The first part: the last may be so small that it is sorted.
    const { text, values } = sent.find((each) => each.text.includes('order by'))!;
    return Plan.custom(sql, text, values);
  }

  it('is read in the order of an index', async () => {
    const found: object[] = [];
    for (const path of await loudLists(sql)) {
      const plan = await planOf(path);
      if (plan.sorts || plan.scansOf(large).length > 0) found.push({ path, plan: plan.nodeTypes });
    }
    expect(found).toEqual([]);
  });
});

describe('an operation', () => {
  it('reads no large table as a whole, and no more of it than is its own', async () => {
    expect(calls.length).toBeGreaterThan(40);
    expect(await greedy(calls)).toEqual([]);
  });
});

describe('a worker', () => {
  // Looked up by their ids: what we read here is counted too.
  const OPEN = `
    select from occurrences o where id = any($1)
      and (status in ('pending', 'expanding') or exists (select from deliveries d where d.occurrence_id = o.id and d.status = 'pending'))`;

  it('reads no large table as a whole while it works off what was asked for', async () => {
    const { rows } = await sql.query<{ id: string }>(
      `select id from occurrences where status = 'pending' or canceled_at > now() - interval '1 hour'`,
    );
    const ids = rows.map(({ id }) => id);
    expect(ids).toHaveLength(5); // triggered, triggered strictly, approved, replayed, canceled
    // What this look has read must be counted before the worker starts.
    await sql.query('select pg_stat_force_next_flush()');
    const tooMuch = await reads.tooMuch(MOST_ROWS * 5, async () => {
      const worker = await startWorker(app);
      // Seldom: on a slow machine the looks would add up to more than the work.
      const look = async () => {
        await pause(500);
        return (await sql.query(OPEN, [ids])).rowCount === 0;
      };
      await until(PATIENCE_MS, look);
      await worker.stop(); // its connections end, and tell what they have counted
    });
    expect(tooMuch).toEqual([]);
  });

  it('purges without reading a large table as a whole', async () => {
    const purge = new Purge(app.databaseUrl, readConfig({ RETENTION_DAYS: '17' }));
    let purged = 0;
    const tooMuch = await reads.tooMuch(Infinity, async () => (purged = (await purge.run())!.deliveries));
    expect(purged).toBeGreaterThan(5000);
    // In one hour of a day, the index of so few deliveries is made again as a whole.
    const tables = tooMuch.map(({ table }) => table).filter((table) => table !== 'deliveries');
    expect(tables).toEqual(['events', 'organizations']);
  });
});

it('names the operation and the table when an index is missing', async () => {
  await sql.query('drop index occurrences_event_id_id_idx');
  const name = 'GET /api/o/{org}/p/{prj}/a/{app}/e/{evt}/o/';
  const found = await greedy(calls.filter((call) => call.name === name));
  expect(found).toEqual([
    { call: name, status: 200, tooMuch: [{ table: 'occurrences', scans: 0, rows: expect.any(Number) }] },
  ]);
});
