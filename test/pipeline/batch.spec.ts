import { describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { expandBatch } from '../../src/engine/expand/expand-small.sql.js';
import { PLANNER_SETTINGS } from '../../src/platform/database/planner-settings.js';
import type { TestApp } from '../support/app/app.js';
import { sentDuring } from '../support/app/sent.js';
import { useApp, useSink } from '../support/app/use.js';
import { startWorker } from '../support/app/worker.js';
import { HttpSink } from '../support/sinks/http-sink.js';
import { until } from '../support/until.js';
import { Tenant, queueIsEmpty, webhook } from '../support/world/tenant.js';

let app: TestApp;
let hooks: HttpSink;
useApp({ ROLE: 'api' }, (started) => (app = started));
useSink(
  () => HttpSink.start(),
  (started) => (hooks = started),
);

const person = (name: string) => ({ email: `${name}@acme.test`, first_name: name, last_name: 'B' });
const people = (count: number) => Array.from({ length: count }, (_, n) => person(`p${n}`));

const tenantOf = (count: number, more: Parameters<typeof Tenant.create>[1] = {}) =>
  Tenant.create(app, {
    channels: [webhook('hook', hooks.url())],
    users: people(count),
    lists: [{ name: 'Staff', members: people(count).map(({ email }) => email) }],
    notifications: [
      { name: 'Tell', distribution_list: 'Staff', templates: [{ channel: 'hook', text: '{{ n }} {{ user.email }}' }] },
    ],
    ...more,
  });

/** Runs a worker until the queue is empty. */
async function work(): Promise<void> {
  const worker = await startWorker(app);
  try {
    await queueIsEmpty(app, 30_000);
  } finally {
    await worker.stop();
  }
}

const told = () =>
  hooks.requests.map(({ body }) => {
    const { occurrence, user } = (JSON.parse(body) as { data: { occurrence: string; user: string } }).data;
    return `${occurrence} ${user}`;
  });

const jobsMade = async () => {
  const { rows } = await app.pool.query<{ last: string }>(`select last_value last from jobs_id_seq`);
  return Number(rows[0]!.last);
};

it('many occurrences of many organizations share their statements', async () => {
  const tenants = await Promise.all([tenantOf(1), tenantOf(2), tenantOf(1)]);
  const triggered: string[] = [];
  for (let n = 0; n < 40; n++) triggered.push(await tenants[n % 3]!.trigger({ n }));
  const sent = await sentDuring(work);
  expect(told().sort()).toEqual(
    triggered.flatMap((id, n) => people(n % 3 === 1 ? 2 : 1).map(({ email }) => `${id} ${email}`)).sort(),
  );
  const count = (name: string) => sent.filter((each) => each.name === name).length;
  expect(count('expand-batch')).toBeGreaterThan(0);
  expect(count('expand-batch')).toBeLessThanOrEqual(3);
  expect(count('load-occurrences')).toBeLessThanOrEqual(3);
  expect(count('load-channels')).toBeLessThanOrEqual(3);
  // None of them went alone.
  expect(count('load-occurrence') + count('load-shared')).toBe(0);
});

describe('an occurrence among others', () => {
  it('that is large goes alone, and all of them arrive', async () => {
    const [small, large] = [await tenantOf(1), await tenantOf(101)];
    const ids = [await small.trigger(), await large.trigger(), await small.trigger()];
    await work();
    expect(told().filter((line) => line.startsWith(ids[1]!))).toHaveLength(101);
    expect(new Set(told()).size).toBe(103);
    expect(told()).toHaveLength(103);
  });

  it('that reaches more people than its event allows is held, and the others are sent', async () => {
    const [held, free] = [await tenantOf(3, { maxRecipients: 2 }), await tenantOf(1)];
    const [stays, goes] = [await held.trigger(), await free.trigger()];
    await work();
    const { rows } = await app.pool.query(`select id, status from occurrences where id = any($1) order by status`, [
      [stays, goes],
    ]);
    expect(rows).toEqual([
      { id: goes, status: 'expanded' },
      { id: stays, status: 'held' },
    ]);
    expect(told()).toHaveLength(1);
  });

  it('that was canceled before is not sent', async () => {
    const tenant = await tenantOf(1);
    const [canceled, goes] = [await tenant.trigger(), await tenant.trigger()];
    await app.as(tenant.key).post(`/api/o/${tenant.org}/occurrences/${canceled}/cancel/`).expect(200);
    await work();
    expect(told()).toEqual([`${goes} p0@acme.test`]);
  });

  it('with limit_to reaches only those, by a list or an audience', async () => {
    const byList = await tenantOf(5);
    const byAudience = await tenantOf(5, {
      notifications: [
        {
          name: 'Tell',
          audience: { field: 'last_name', is: 'B' },
          templates: [{ channel: 'hook', text: 'hi' }],
        },
      ],
    });
    const ids: string[] = [];
    for (const tenant of [byList, byAudience])
      ids.push(await tenant.trigger({}, { limit_to: ['P3@acme.test', 'nobody@acme.test'] }), await tenant.trigger());
    await work();
    const of = (id: string) => told().filter((line) => line.startsWith(id)).length;
    expect(ids.map(of)).toEqual([1, 5, 1, 5]);
  });
});

it('a message that is to be tried again gets a job of its own, and the job of its batch ends', async () => {
  const tenant = await tenantOf(2);
  hooks.reply = ({ body }) => ({ status: body.includes('p0@') ? 503 : 200 });
  const occurrence = await tenant.trigger();
  const worker = await startWorker(app);
  try {
    await tenant.tried(occurrence, 1);
    const { rows } = await until(10_000, async () => {
      const found = await app.pool.query(`select task, state, payload->>'occurrence' occurrence from jobs`);
      return found.rows.length === 1 && found.rows[0].state === 'scheduled' ? found : null;
    });
    expect(rows).toEqual([{ task: 'deliver', state: 'scheduled', occurrence }]);
  } finally {
    await worker.stop();
    await app.pool.query('delete from jobs');
  }
});

it('a batch that cannot be expanded together is expanded one by one', async () => {
  const tenant = await tenantOf(1);
  const ids = [await tenant.trigger({ n: 1 }), await tenant.trigger({ n: 2 })];
  // PostgreSQL refuses a statement that makes deliveries of both.
  await app.pool.query(`
    create function refuse() returns trigger language plpgsql as
      $$ begin if (select count(*) from made) > 1 then raise exception 'no'; end if; return null; end $$;
    create trigger refuse after insert on deliveries referencing new table as made for each statement execute function refuse()`);
  const before = await jobsMade();
  try {
    await app.pool.query(
      `update jobs set payload = jsonb_build_object('occurrences', $1::jsonb), size = 2 where payload->'occurrences' ? $2`,
      [JSON.stringify(ids), ids[0]],
    );
    await app.pool.query(`delete from jobs where payload->'occurrences' = jsonb_build_array($1::text)`, [ids[1]]);
    await work();
  } finally {
    await app.pool.query('drop function refuse cascade');
  }
  expect(told().sort()).toEqual(ids.map((id) => `${id} p0@acme.test`).sort());
  expect(await jobsMade()).toBeGreaterThan(before);
});

it('hundreds of slow critical messages of one organization do not delay another', async () => {
  const [slow, quick] = [await tenantOf(1, { channels: [webhook('hook', hooks.url('/slow'))] }), await tenantOf(1)];
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  hooks.reply = async ({ path }) => {
    if (path === '/slow') await held;
    return { status: 200 };
  };
  await Promise.all(Array.from({ length: 260 }, () => slow.trigger({}, { priority: 'critical' })));
  const worker = await startWorker(app);
  try {
    const isSlow = ({ path }: { path: string }) => path === '/slow';
    await until(20_000, () => hooks.requests.filter(isSlow).length >= 50);
    const occurrence = await quick.trigger();
    await until(10_000, () => told().some((line) => line.startsWith(occurrence)));
    // Half of the slots, at most, are those of the slow organization.
    expect(hooks.requests.filter(isSlow).length).toBeLessThanOrEqual(100);
  } finally {
    release();
    await queueIsEmpty(app, 30_000);
    await worker.stop();
  }
});

it('finds the one member of a list without walking through a longer list of somebody else', async () => {
  const { org: long } = await tenantOf(1);
  await app.pool.query(FILL_LIST, [long]);
  await app.pool.query('analyze members');
  const { org: short } = await tenantOf(1);
  const { rows } = await app.pool.query<{ organization: number; list: number; channel: number }>(
    `select g.id organization, l.id list, c.id channel from organizations g join distribution_lists l on l.organization_id = g.id
     join channels c on c.organization_id = g.id where g.slug = $1`,
    [short],
  );
  const { organization, list, channel } = rows[0]!;
  const occurrence = '00000000-0000-7000-8000-000000000000';
  const target = { place: 0, occurrence, organization, notification: 1, channel, lists: [list] };
  const client = new Client({ connectionString: app.databaseUrl });
  await client.connect();
  try {
    await client.query(PLANNER_SETTINGS);
    const text = `explain (analyze, format json) ${expandBatch(null, { rooms: false, choose: false, gather: false })}`;
    const { rows: plans } = await client.query({ text, values: [JSON.stringify([target]), '[]'] });
    const removed = [...JSON.stringify(plans).matchAll(/"Rows Removed by Filter":(\d+)/g)].map(([, rows]) =>
      Number(rows),
    );
    expect(Math.max(0, ...removed)).toBeLessThan(100);
  } finally {
    await client.end();
  }
});

/** Adds 5,000 people to the list of an organization. */
const FILL_LIST = `
  with list as (
    select l.id, l.organization_id from distribution_lists l join organizations g on g.id = l.organization_id where g.slug = $1
  ), u as (
    insert into users (organization_id, email, email_key)
    select organization_id, n || '@long.test', n || '@long.test' from list, generate_series(1, 5000) n returning id, organization_id
  ), a as (
    insert into addresses (organization_id, user_id, name, value)
    select organization_id, id, 'email', id || '@long.test' from u returning id, organization_id, user_id
  )
  insert into members (organization_id, list_id, user_id, address_id)
  select a.organization_id, list.id, a.user_id, a.id from a, list`;
