import { expect, it } from '@jest/globals';
import { uuidV7 } from '../../src/platform/field/uuid-v7.js';
import type { TestApp } from '../support/app/app.js';
import { useAcme } from '../support/app/use.js';
import { storeOccurrence } from '../support/world/occurrence.js';

let app: TestApp;
let key: string;
useAcme((acme) => ({ app, key } = acme));

const get = async (path: string, as = key) => {
  const { status, body } = await app.as(as).get(`/api/o/acme/${path}`);
  return { status, body: body as unknown };
};

const QUIET = { kind: 'channel', path: 'quiet' };

it('shows nothing but what is switched off in an organization where nothing happens', async () => {
  expect(await get('summary/')).toEqual({
    status: 200,
    body: {
      ...{ held_occurrences: 0, dead_deliveries: 0, resting_channels: 0, oldest_job_seconds: null },
      ...{ waiting_triggers: 0, waiting_messages: 0, sending: [], waiting: [], failing_channels: [] },
      switched_off: [QUIET],
      triggers_per_minute: Array.from({ length: 60 }, () => ({ minute: expect.any(String), triggers: 0 })),
    },
  });
});

it('shows what needs a person, of this organization alone', async () => {
  await app.pool.query(`update deliveries set status = 'dead', reason = 'no' where occurrence_id = $1`, [
    (await storeOccurrence(app.pool, 'globex', 1)).id,
  ]);
  const { id } = await storeOccurrence(app.pool, 'acme', 3);
  const { id: old } = await storeOccurrence(app.pool, 'acme', 1);
  await app.pool.query(`update deliveries set status = 'dead', reason = 'no' where occurrence_id = any($1)`, [
    [id, old],
  ]);
  // A day and a minute ago.
  const past = uuidV7(Date.now() - 24 * 3_600_000 - 60_000);
  await app.pool.query(
    `insert into occurrences (id, organization_id, event_id, context, options)
     select $1, organization_id, event_id, '{}', '{}' from occurrences where id = $2`,
    [past, old],
  );
  await app.pool.query('update deliveries set occurrence_id = $1 where occurrence_id = $2', [past, old]);
  await app.pool.query(`update occurrences set status = 'held', held_at = now() where id = '${id}'`);
  await app.pool.query(`insert into channel_states (channel_id, failures, failing_since, probe_at)
                 select id, 12, now(), now() + interval '1 minute' from channels where slug = 'hook'`);
  await app.pool.query(`update events set enabled = false where slug = 'order-sent'`);
  await app.pool.query(`update applications set enabled = false where slug = 'gate'`);
  await app.pool.query(`insert into jobs (task, organization_id, lane, priority, run_at, payload)
                 select task, o.id, lane, priority, now() - age * interval '1 minute', '{}' from organizations o,
                 (values ('expand', '', 0, 1), ('deliver', 'a', 10, 7), ('deliver', 'b', 10, 60), ('deliver', 'c', 10, 5)) j(task, lane, priority, age)
                 where o.slug = 'acme' or age = 60`);
  const { body } = await get('summary/');
  expect(body).toEqual({
    ...{ held_occurrences: 1, dead_deliveries: 3, resting_channels: 1, oldest_job_seconds: expect.any(Number) },
    ...{ waiting_triggers: 0, waiting_messages: 0, sending: [] },
    waiting: [
      {
        reason: 'held',
        triggers: 1,
        messages: 0,
        since: expect.any(String),
        until: null,
        switched_off: null,
        channel: null,
      },
    ],
    failing_channels: [
      {
        ...{ project: 'shop', channel: 'hook', failing_since: expect.any(String), next_probe_at: expect.any(String) },
        ...{ waiting: 0, last_failure: null },
      },
    ],
    switched_off: expect.arrayContaining([
      QUIET,
      { kind: 'event', path: 'shop/web/order-sent' },
      { kind: 'application', path: 'depot/gate' },
    ]),
    triggers_per_minute: expect.any(Array),
  });
  const { triggers_per_minute: minutes } = body as { triggers_per_minute: { minute: string; triggers: number }[] };
  // Those of a day ago and of another organization are not counted. A minute may have ended meanwhile.
  expect(minutes.slice(-2).reduce((sum, { triggers }) => sum + triggers, 0)).toBe(2);
  expect(Date.parse(minutes[59]!.minute) - Date.parse(minutes[0]!.minute)).toBe(59 * 60_000);
  expect(Math.floor((body as { oldest_job_seconds: number }).oldest_job_seconds / 60)).toBe(60);
});

it('counts the triggers and the messages that wait, whatever the state of their job, of this organization alone', async () => {
  const made = async (org: string, messages: number) => (await storeOccurrence(app.pool, org, messages)).id;
  const addJob = async (occurrence: string, state: string) =>
    app.pool.query(
      `insert into jobs (task, organization_id, priority, state, run_at, payload)
       select 'deliver', d.organization_id, 10, $2::job_state, now() + interval '1 hour',
              jsonb_build_object('occurrence', d.occurrence_id, 'notification', d.notification_id, 'channel', d.channel_id,
                                 'after', min(d.user_id) - 1, 'last', max(d.user_id), 'template', null, 'lot', null, 'priority', 'normal')
       from deliveries d where d.occurrence_id = $1 group by d.organization_id, d.occurrence_id, d.notification_id, d.channel_id`,
      [occurrence, state],
    );
  await app.pool.query('delete from jobs');
  for (const state of ['ready', 'running', 'scheduled']) {
    const id = await made('acme', 3);
    await app.pool.query(`update deliveries set status = 'pending' where occurrence_id = $1`, [id]);
    await addJob(id, state);
  }
  const other = await made('globex', 5);
  await app.pool.query(`update deliveries set status = 'pending' where occurrence_id = $1`, [other]);
  await addJob(other, 'ready');
  await app.pool.query(`insert into jobs (task, organization_id, priority, payload)
    select 'expand', id, 0, jsonb_build_object('occurrences', array[uuidv7(), uuidv7()]) from organizations where slug in ('acme', 'globex')`);
  expect((await get('summary/')).body).toMatchObject({ waiting_triggers: 2, waiting_messages: 9 });
});

it('is refused to a key of a project', async () => {
  expect((await get('summary/', await app.key({ org: 'acme', project: 'shop' }))).status).toBe(403);
});

it('lists every channel with its health, to a key of a project those that it can use', async () => {
  const ok = { state: 'ok', failures: 0, failing_since: null, next_probe_at: null };
  await app.pool.query(
    `insert into channel_states (channel_id, failures, failing_since)
     select c.id, 2, '2026-01-01T00:00:00Z' from channels c join organizations o on o.id = c.organization_id where o.slug = 'acme' and c.slug = 'mail'`,
  );
  const all = [
    {
      ...{ project: null, channel: 'mail', name: 'Mail', type: 'email', enabled: true, ...ok },
      ...{ state: 'failing', failures: 2, failing_since: '2026-01-01T00:00:00.000Z' },
    },
    { project: null, channel: 'quiet', name: 'Quiet', type: 'log', enabled: false, ...ok },
    {
      ...{
        project: 'shop',
        channel: 'hook',
        name: 'Hook',
        type: 'webhook',
        enabled: true,
        state: 'resting',
        failures: 12,
      },
      ...{ failing_since: expect.any(String), next_probe_at: expect.any(String) },
    },
  ];
  expect(await get('channel-health/')).toEqual({ status: 200, body: all });
  expect((await get('channel-health/', await app.key({ org: 'acme', project: 'shop' }))).body).toEqual(all);
  expect((await get('channel-health/', await app.key({ org: 'acme', project: 'depot' }))).body).toEqual(
    all.slice(0, 2),
  );
  expect((await get('channel-health/?limit=1&after=1')).status).toBe(200);
});

it('names what is being sent, and each reason why something else waits, of this organization alone', async () => {
  await app.pool.query('delete from jobs');
  await app.pool.query('delete from channel_states');
  await app.pool.query('update occurrences set status = $1, held_at = null', ['expanded']);
  const add = async (org: string, rules: number, job: string, delivery: string) => {
    const { id } = await storeOccurrence(app.pool, org, rules);
    await app.pool.query(
      `update deliveries set status = 'pending', ${delivery} where occurrence_id = $1 and notification_id > 1`,
      [id],
    );
    await app.pool.query(
      `insert into jobs (task, organization_id, lane, priority, state, run_at, switch, switch_id, paused_at, payload)
       select 'deliver', d.organization_id, 'normal:' || d.channel_id, 0, ${job},
              jsonb_build_object('occurrence', d.occurrence_id, 'notification', d.notification_id, 'channel', d.channel_id,
                                 'after', d.user_id - 1, 'last', d.user_id, 'template', null, 'lot', null, 'priority', 'normal')
       from deliveries d where d.occurrence_id = $1 and d.status = 'pending'`,
      [id],
    );
    return id;
  };
  const PLAIN = 'attempts = 0';
  const later = (what: string) => `'scheduled', now() + interval '1 hour', ${what}`;
  const NO_SWITCH = 'null::switch, null::int, null::timestamptz';
  await add('globex', 3, `'ready', now(), ${NO_SWITCH}`, PLAIN);
  const large = await add('acme', 5, `'ready', now(), ${NO_SWITCH}`, PLAIN);
  const small = await add('acme', 2, `'scheduled', now() + interval '3 seconds', ${NO_SWITCH}`, PLAIN);
  await add('acme', 3, later(NO_SWITCH), `attempts = 0, waits_for = 'quiet'`);
  await add('acme', 2, later(NO_SWITCH), `attempts = 1, next_attempt_at = now() + interval '1 hour'`);
  await add('acme', 4, `'paused', now(), 'project', (select min(project_id) from applications), now()`, PLAIN);
  await app.pool.query(
    `insert into jobs (task, organization_id, priority, state, run_at, payload)
     select 'expand', organization_id, 0, 'scheduled', now() + interval '1 day', jsonb_build_object('occurrences', jsonb_build_array(id))
     from occurrences where id = $1`,
    [small],
  );
  type Summary = Record<'sending' | 'waiting', Record<string, unknown>[]> & { failing_channels: object[] };
  const read = async () => (await get('summary/')).body as Summary;
  const quiet = await read();
  const place = { project: 'shop', application: 'web', event: 'order-paid', status: 'expanded' };
  expect(quiet.sending).toEqual([
    { occurrence: large, ...place, created_at: expect.any(String), sent: 1, waiting: 4 },
    { occurrence: small, ...place, created_at: expect.any(String), sent: 1, waiting: 1 },
  ]);
  const reasons = ({ waiting }: Summary) =>
    Object.fromEntries(
      waiting.map(({ reason, triggers, messages, until, switched_off: off, channel }) => [
        reason,
        [triggers, messages, until !== null, off ?? channel],
      ]),
    );
  expect(quiet.waiting.every(({ since }) => typeof since === 'string')).toBe(true);
  expect(reasons(quiet)).toEqual({
    turn: [0, 5, false, null],
    quiet: [0, 2, true, null],
    retry: [0, 1, true, null],
    send_at: [1, 0, true, null],
    off: [0, 3, false, { kind: 'project', path: 'shop' }],
  });
  // A channel that rests is the reason for all that waits for it, and sends nothing.
  await app.pool.query(
    `insert into channel_states (channel_id, failures, failing_since, probe_at)
     select c.id, 12, now(), now() + interval '1 minute' from channels c join organizations o on o.id = c.organization_id
     where c.slug = 'mail' and o.slug = 'acme'`,
  );
  const failing = await read();
  expect(failing.sending).toEqual([]);
  expect(reasons(failing)).toMatchObject({ channel: [0, 6, true, 'mail'], quiet: [0, 2, true, null] });
  expect(failing.failing_channels).toEqual([
    {
      ...{ project: null, channel: 'mail', failing_since: expect.any(String), next_probe_at: expect.any(String) },
      ...{ waiting: 6, last_failure: null },
    },
  ]);
});
