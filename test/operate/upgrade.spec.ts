import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { runMigrations } from 'graphile-worker';
import { migrate } from '../../src/platform/database/migration/migrate.js';
import { TestApp } from '../support/app/app.js';
import { startWorker } from '../support/app/worker.js';
import { HttpSink } from '../support/sinks/http-sink.js';
import { until } from '../support/until.js';
import { Tenant, webhook } from '../support/world/tenant.js';

const MIGRATION = '20261116000000_jobs_of_our_own';

/** Takes the database back to the release before: graphile-worker's tables hold the jobs, and a table of ours those that are paused. */
const BACK = `
  drop table jobs;
  drop type job_state;
  drop function notify_of_jobs;
  create table paused_jobs (
    id bigserial primary key, occurrence_id uuid not null references occurrences(id) on delete cascade on update cascade,
    task text not null, payload jsonb not null, switch switch not null, switch_id int not null,
    paused_at timestamptz(3) not null default current_timestamp);
  create index on paused_jobs (switch, switch_id);
  create unique index on paused_jobs (occurrence_id, payload);
  delete from _prisma_migrations where migration_name = '${MIGRATION}'`;

const PEOPLE = ['ann', 'ben', 'cem'].map((name) => `${name}@acme.test`);

let app: TestApp;
let hooks: HttpSink;
let tenant: Tenant;
beforeAll(async () => {
  app = await TestApp.start({ ROLE: 'api' });
  hooks = await HttpSink.start();
  tenant = await Tenant.create(app, {
    channels: [webhook('hook', hooks.url())],
    users: PEOPLE.map((email) => ({ email, first_name: 'A', last_name: 'B' })),
    lists: [{ name: 'Staff', members: PEOPLE }],
    notifications: [
      { name: 'Tell', distribution_list: 'Staff', templates: [{ channel: 'hook', text: 'hi {{ user.email }}' }] },
    ],
  });
});
afterAll(async () => {
  await hooks.close();
  await app.stop();
});

const query = async <Row extends object>(sql: string, values: unknown[] = []) =>
  (await app.pool.query<Row>(sql, values)).rows;

/** As the release before has expanded it: pending deliveries, and decisions. */
async function expandedBefore(occurrence: string, status: 'pending' | 'dead' = 'pending'): Promise<object> {
  const [made] = await query<{ notification: number; channel: number; last: number }>(
    `with made as (
       insert into deliveries (occurrence_id, organization_id, notification_id, channel_id, user_id, status)
       select o.id, o.organization_id, n.id, c.id, u.id, $2::delivery_status
       from occurrences o join notifications n using (organization_id) join channels c using (organization_id)
       join users u using (organization_id) where o.id = $1
       returning notification_id, channel_id, user_id
     ), mark as (update occurrences set status = 'expanded', expanded_at = now(), decisions = '[]' where id = $1)
     select notification_id notification, channel_id channel, max(user_id) last from made group by 1, 2`,
    [occurrence, status],
  );
  return { occurrence, ...made!, after: 0, template: null, lot: null, priority: 'normal' };
}

const addOldJob = (task: string, payload: object, { runAt = new Date(), key = null as string | null } = {}) =>
  query('select graphile_worker.add_job($1, $2::json, run_at => $3, job_key => $4)', [
    task,
    JSON.stringify(payload),
    runAt,
    key,
  ]);

it('an upgrade loses no job that was pending, locked, paused or scheduled, and none is sent twice', async () => {
  const names = ['pending', 'locked', 'paused', 'scheduled', 'delivering', 'held back', 'replaced'] as const;
  const ids = Object.fromEntries(
    await Promise.all(names.map(async (name) => [name, await tenant.trigger({ name })] as const)),
  ) as Record<(typeof names)[number], string>;
  await query(BACK);
  await runMigrations({ connectionString: app.databaseUrl });
  const soon = new Date(Date.now() + 3000);
  await addOldJob('expand', { occurrences: [ids.pending] });
  await addOldJob('expand', { occurrences: [ids.locked] });
  await addOldJob('expand', { occurrences: [ids.scheduled] }, { runAt: soon });
  await addOldJob('deliver', await expandedBefore(ids.delivering), { key: 'chunk' });
  await addOldJob('deliver', await expandedBefore(ids.replaced), { key: 'new' });
  // What graphile-worker leaves of a job that was replaced while it ran: no key.
  await addOldJob('deliver', { ...(await expandedBefore(ids['held back'])), occurrence: ids.replaced });
  await query(
    `update graphile_worker._private_jobs set locked_at = now(), locked_by = 'worker-of-before', attempts = 1
               where payload::text like '%' || $1 || '%'`,
    [ids.locked],
  );
  const [{ id: project }] = (await query<{ id: number }>('select id from projects')) as [{ id: number }];
  const held = { occurrence: ids['held back'] };
  await query(
    `insert into paused_jobs (occurrence_id, task, payload, switch, switch_id)
     values ($1, 'expand', jsonb_build_object('occurrences', jsonb_build_array($1::uuid)), 'project', $3),
            ($2, 'deliver', (select jsonb_build_object('occurrence', occurrence_id, 'notification', notification_id, 'channel', channel_id,
               'after', 0, 'last', max(user_id), 'template', null, 'lot', null, 'priority', 'normal')
               from deliveries where occurrence_id = $2 group by occurrence_id, notification_id, channel_id), 'project', $3)`,
    [ids.paused, held.occurrence, project],
  );

  expect(await migrate(app.databaseUrl)).toEqual([MIGRATION]);
  expect(await query(`select nspname from pg_namespace where nspname = 'graphile_worker'`)).toEqual([]);
  expect(await query('select task, state, count(*)::int from jobs group by 1, 2 order by 1, 2')).toEqual([
    { task: 'deliver', state: 'ready', count: 2 },
    { task: 'deliver', state: 'paused', count: 1 },
    { task: 'expand-one', state: 'ready', count: 2 },
    { task: 'expand-one', state: 'scheduled', count: 1 },
    { task: 'expand-one', state: 'paused', count: 1 },
  ]);

  const worker = await startWorker(app);
  try {
    await until(30_000, async () => (await query('select from jobs')).length === 0);
  } finally {
    await worker.stop();
  }
  const sent = hooks.requests.map(({ body }) => {
    const { occurrence, user } = (JSON.parse(body) as { data: { occurrence: string; user: string } }).data;
    return `${names.find((name) => ids[name] === occurrence)} ${user}`;
  });
  expect(sent.sort()).toEqual(names.flatMap((name) => PEOPLE.map((email) => `${name} ${email}`)).sort());
});

it('a release refuses the database of a newer one, and says what to do', async () => {
  const newer = '29991231235959_of_the_future';
  await query(
    `insert into _prisma_migrations (id, checksum, migration_name, finished_at) values (gen_random_uuid(), 'x', $1, now())`,
    [newer],
  );
  try {
    await expect(migrate(app.databaseUrl)).rejects.toThrow(
      `the database belongs to a newer release of Carillon: it has the migration ${newer}. Start that release, or restore a backup from before its upgrade`,
    );
  } finally {
    await query('delete from _prisma_migrations where migration_name = $1', [newer]);
  }
});
