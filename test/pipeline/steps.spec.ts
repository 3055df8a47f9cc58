import { describe, expect, it } from '@jest/globals';
import { OLD_OCCURRENCES } from '../../src/engine/purge/purge.sql.js';
import type { NotificationEntry } from '../../src/operate/provisioning/file.js';
import type { TestApp } from '../support/app/app.js';
import { sentDuring } from '../support/app/sent.js';
import { useApp, useSink } from '../support/app/use.js';
import { HttpSink } from '../support/sinks/http-sink.js';
import { until } from '../support/until.js';
import { openSteps, passMinutes, quiet } from '../support/world/steps.js';
import { Tenant, inbox, webhook } from '../support/world/tenant.js';
import type { Given } from '../support/world/tenant.js';

let app: TestApp;
let hooks: HttpSink;
useApp({ ROLE: 'all' }, (started) => (app = started));
useSink(
  () => HttpSink.start(),
  (started) => (hooks = started),
);

const ANN = 'ann@acme.test';
const BOB = 'bob@acme.test';

type Steps = NonNullable<NotificationEntry['steps']>;

const TWO: Steps = [{ channels: ['app'] }, { after: '10m', unless: 'read', channels: ['hook'] }];
const THREE: Steps = [...TWO, { after: '1h', unless: 'read', channels: ['last'] }];

const rule = (steps: Steps | null, more: Partial<NotificationEntry> = {}): NotificationEntry => ({
  name: 'Tell',
  distribution_list: 'Staff',
  steps,
  templates: (steps ?? THREE)
    .flatMap(({ channels }) => channels)
    .map((channel) => ({ channel, text: 'Hi {{ user.email }}' })),
  ...more,
});

async function tenantOf(steps: Steps, more: Partial<NotificationEntry> = {}, given: Given = {}): Promise<Tenant> {
  const people = given.users ?? [ANN, BOB].map((email) => ({ email }));
  return Tenant.create(app, {
    channels: [
      inbox('app'),
      webhook('hook', hooks.url('/hook')),
      webhook('last', hooks.url('/last')),
      {
        slug: 'sms',
        name: 'SMS',
        type: 'sms',
        config: { account_sid: `AC${'0'.repeat(32)}`, auth_token: 'x', from: '+15550100' },
      },
    ],
    users: people,
    lists: [{ name: 'Staff', members: people.map(({ email }) => email) }],
    notifications: [rule(steps, more)],
    ...given,
  });
}

async function triggered(tenant: Tenant, options: object = {}): Promise<string> {
  const id = await tenant.trigger({}, options);
  await quiet(app.pool, id);
  return id;
}

const look = async (tenant: Tenant, id: string) =>
  (await tenant.deliveries(id)).map(
    ({ channel, user, status, gate }) => `${channel} ${user?.split('@')[0] ?? 'room'} ${gate ?? status}`,
  );

/** What is known of the messages of a user in the inbox. */
const mark = (occurrence: string, user: string, columns: string) =>
  app.pool.query(
    `update inbox_messages set ${columns}
     where delivery_id in (select d.id from deliveries d join users u on u.id = d.user_id where d.occurrence_id = $1 and u.email = $2)`,
    [occurrence, user],
  );
const read = (occurrence: string, user: string) => mark(occurrence, user, 'seen_at = now(), read_at = now()');

const report = (occurrence: string, state: string) =>
  app.pool.query(`update deliveries set report = $2 where occurrence_id = $1 and status = 'sent'`, [occurrence, state]);

async function explained(tenant: Tenant, occurrence: string, user = ANN) {
  const path = `/api/o/${tenant.org}/occurrences/${occurrence}/explain/`;
  const { body } = await app.as(tenant.key).get(path).query({ user });
  const { rules } = body as {
    rules: { channels: { channel: string; sentence: string; step: number; gate: string }[] }[];
  };
  return Object.fromEntries(rules[0]!.channels.map((each) => [each.channel, each]));
}

const steer = (tenant: Tenant, occurrence: string, verb: string) =>
  app.as(tenant.key).post(`/api/o/${tenant.org}/occurrences/${occurrence}/${verb}/`);

describe('a later step', () => {
  it('follows for those who have not read the message of the first', async () => {
    const tenant = await tenantOf(TWO);
    const id = await triggered(tenant);
    expect(await look(tenant, id)).toEqual(['app ann sent', 'app bob sent']);
    expect((await tenant.decisions(id))[0]!.channels).toEqual([
      expect.objectContaining({ slug: 'app', verdict: 'open' }),
      expect.objectContaining({ slug: 'hook', verdict: 'later' }),
    ]);
    await passMinutes(app, id, 9);
    await read(id, ANN);
    expect(await look(tenant, id)).toHaveLength(2);
    expect(await openSteps(app, id)).toHaveLength(1);
    await passMinutes(app, id, 1);
    expect(await look(tenant, id)).toEqual(['app ann sent', 'app bob sent', 'hook bob sent']);
    expect(await openSteps(app, id)).toBeNull();
  });

  it('is followed by the next one, whose time counts from its own message', async () => {
    const tenant = await tenantOf(THREE);
    const id = await triggered(tenant);
    await passMinutes(app, id, 30);
    expect(await look(tenant, id)).toHaveLength(4);
    await passMinutes(app, id, 59);
    expect(await look(tenant, id)).toHaveLength(4);
    await read(id, BOB);
    await passMinutes(app, id, 1);
    expect(await look(tenant, id)).toEqual([
      ...['app ann sent', 'app bob sent', 'hook ann sent', 'hook bob sent', 'last ann sent'],
    ]);
    expect(await openSteps(app, id)).toBeNull();
  });

  it('is not taken by those who were done before, also when they mark the message as unread later', async () => {
    const tenant = await tenantOf(THREE);
    const id = await triggered(tenant);
    await read(id, ANN);
    await read(id, BOB);
    await passMinutes(app, id, 10);
    await mark(id, ANN, 'read_at = null');
    await passMinutes(app, id, 600);
    expect(await look(tenant, id)).toHaveLength(2);
    expect(await openSteps(app, id)).toBeNull();
  });

  it('waits until the message of the step before was sent', async () => {
    const tenant = await tenantOf([{ channels: ['hook'] }, { after: '10m', channels: ['last'] }]);
    hooks.reply = ({ body }) =>
      body.includes(ANN) ? { status: 500, headers: { 'Retry-After': '3600' } } : { status: 200 };
    const id = await triggered(tenant);
    await passMinutes(app, id, 15);
    expect(await look(tenant, id)).toEqual(['hook ann pending', 'hook bob sent', 'last bob sent']);
    hooks.reply = () => ({ status: 200 });
    await app.pool.query('delete from channel_states');
    await passMinutes(app, id, 50);
    expect(await look(tenant, id)).toEqual(['hook ann sent', 'hook bob sent', 'last bob sent']);
    await passMinutes(app, id, 10);
    expect(await look(tenant, id)).toHaveLength(4);
  });

  it('counts from the decision if nothing was sent, and takes the next channel', async () => {
    const tenant = await tenantOf([
      { channels: ['sms'] },
      { after: '5m', unless: 'sent', channels: ['hook'] },
      { after: '5m', unless: 'sent', channels: ['last'] },
    ]);
    hooks.reply = ({ body, path }) => ({ status: body.includes(ANN) && path === '/hook' ? 400 : 200 });
    const id = await triggered(tenant);
    expect(await look(tenant, id)).toEqual(['sms ann no_address', 'sms bob no_address']);
    await passMinutes(app, id, 5);
    const then = ['hook ann dead', 'hook bob sent'];
    expect(await look(tenant, id)).toEqual([...then, 'sms ann no_address', 'sms bob no_address']);
    await passMinutes(app, id, 5);
    expect(await look(tenant, id)).toEqual([...then, 'last ann sent', 'sms ann no_address', 'sms bob no_address']);
  });

  it('asks the preferences and gates of its own channel and time', async () => {
    const tenant = await tenantOf(TWO);
    const id = await triggered(tenant);
    await app.pool.query(`update users set locked = true where email = $1`, [ANN]);
    await passMinutes(app, id, 10);
    expect(await look(tenant, id)).toEqual(['app ann sent', 'app bob sent', 'hook ann locked', 'hook bob sent']);
    await app.pool.query(`update users set locked = false`);
  });

  it('waits for the quiet hours of a user', async () => {
    const tenant = await tenantOf(TWO);
    const id = await triggered(tenant);
    const at = (ms: number) => new Date(Date.now() + ms).toISOString().slice(11, 16);
    const night = [
      { days: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'], from: at(-7_200_000), to: at(7_200_000) },
    ];
    await app.pool.query('update organizations set quiet_hours = $2 where slug = $1', [
      tenant.org,
      JSON.stringify(night),
    ]);
    await passMinutes(app, id, 10);
    expect(await look(tenant, id)).toEqual(['app ann sent', 'app bob sent', 'hook ann pending', 'hook bob pending']);
    expect((await explained(tenant, id)).hook).toMatchObject({ step: 2, evidence: { waits_for: 'quiet' } });
  });

  it('waits for the hours of its own, and not for those of the notification', async () => {
    const at = (ms: number) => new Date(Date.now() + ms).toISOString().slice(11, 16);
    const days = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
    const [open, closed] = [-2, 2].map((hours) => ({
      ...{ days: [...days], from: at(hours * 3_600_000), to: at((hours + 4) * 3_600_000) },
    }));
    const steps: Steps = [TWO[0]!, { ...TWO[1]!, window: closed }, { after: '10m', channels: ['last'], window: open }];
    const tenant = await tenantOf(steps, { window: closed });
    const id = await triggered(tenant);
    await passMinutes(app, id, 10);
    expect(await look(tenant, id)).toEqual(['app ann sent', 'app bob sent', 'hook ann pending', 'hook bob pending']);
    expect((await explained(tenant, id)).hook).toMatchObject({ step: 2, evidence: { waits_for: 'window' } });
    const path = `/api/o/${tenant.org}/p/shop/a/web/e/order-paid/simulate/`;
    const { body } = await app.as(tenant.key).post(path).send({});
    const waits = (body as { messages: { channel: string; waits_for: string | null }[] }).messages;
    expect(waits.map(({ channel, waits_for }) => `${channel} ${waits_for}`)).toEqual([
      ...['app null', 'app null', 'hook window', 'hook window', 'last null', 'last null'],
    ]);
  });

  it('keeps users back who are reached over other channels only', async () => {
    const tenant = await tenantOf(
      TWO,
      {},
      { lists: [{ name: 'Staff', members: [ANN, { email: BOB, channel: 'app' }] }] },
    );
    const id = await triggered(tenant);
    await passMinutes(app, id, 10);
    expect(await look(tenant, id)).toEqual(['app ann sent', 'app bob sent', 'hook ann sent', 'hook bob inactive']);
  });

  it('reaches the users of an audience and of a large list', async () => {
    const users = Array.from({ length: 130 }, (_, n) => ({ email: `user-${n}@acme.test` }));
    const tenant = await tenantOf(TWO, { audience: { field: 'email', is: 'user-7@acme.test' } }, { users });
    const id = await triggered(tenant);
    await app.pool.query(
      `update inbox_messages set read_at = now() where delivery_id in (select id from deliveries where occurrence_id = $1 order by user_id limit 125)`,
      [id],
    );
    await passMinutes(app, id, 10);
    expect((await look(tenant, id)).filter((each) => each.startsWith('hook'))).toHaveLength(5);
    expect(await openSteps(app, id)).toBeNull();
  });
});

describe('the evidence that ends the steps', () => {
  const after = async (unless: 'sent' | 'delivered' | 'seen' | 'read', what: (id: string) => Promise<unknown>) => {
    const tenant = await tenantOf([{ channels: ['hook'] }, { after: '10m', unless, channels: ['last'] }]);
    const id = await triggered(tenant);
    await what(id);
    await passMinutes(app, id, 10);
    return (await look(tenant, id)).length === 2 ? 'over' : 'goes on';
  };
  const nothing = () => Promise.resolve();

  it('is a message that was sent', async () => {
    expect([await after('sent', nothing), await after('delivered', nothing)]).toEqual(['over', 'goes on']);
  });

  it.each<[string, 'delivered' | 'seen' | 'read', string]>([
    ['delivered', 'delivered', 'over'],
    // What a machine opened is stored as delivered.
    ['delivered', 'seen', 'goes on'],
    ['seen', 'delivered', 'over'],
    ['seen', 'seen', 'over'],
    ['complained', 'seen', 'over'],
    ['bounced', 'delivered', 'goes on'],
    ['seen', 'read', 'goes on'],
  ])('with a report "%s" and unless "%s": it is %s', async (state, unless, expected) => {
    expect(await after(unless, (id) => report(id, state))).toBe(expected);
  });

  it.each<['delivered' | 'seen' | 'read', string, number]>([
    ['delivered', 'seen_at = null', 2],
    ['seen', 'seen_at = null', 4],
    ['seen', 'seen_at = now()', 3],
    ['read', 'seen_at = now()', 4],
    ['read', 'read_at = now()', 3],
  ])('is what the inbox knows: unless "%s", %s', async (unless, columns, count) => {
    const tenant = await tenantOf([{ channels: ['app'] }, { after: '10m', unless, channels: ['hook'] }]);
    const id = await triggered(tenant);
    await mark(id, ANN, columns);
    await passMinutes(app, id, 10);
    expect(await look(tenant, id)).toHaveLength(count);
  });
});

describe('the steps of an occurrence', () => {
  it('leave out the channels that the trigger did not choose', async () => {
    const tenant = await tenantOf(THREE);
    const id = await triggered(tenant, { channels: ['hook', 'last'] });
    expect(await look(tenant, id)).toEqual(['hook ann sent', 'hook bob sent']);
    await passMinutes(app, id, 60);
    expect(await look(tenant, id)).toHaveLength(4);
  });

  it('end with a cancel, also when nothing waits to be sent', async () => {
    const tenant = await tenantOf(TWO);
    const id = await triggered(tenant);
    expect((await explained(tenant, id)).hook).toMatchObject({ outcome: 'waiting', step: 2 });
    expect((await steer(tenant, id, 'cancel')).status).toBe(200);
    await passMinutes(app, id, 60);
    expect(await look(tenant, id)).toHaveLength(2);
    expect(await openSteps(app, id)).toBeNull();
    expect((await explained(tenant, id)).hook).toMatchObject({ gate: 'canceled' });
  });

  it('end when the occurrence expires', async () => {
    const tenant = await tenantOf(TWO);
    const id = await triggered(tenant, { expires_at: new Date(Date.now() + 60_000).toISOString() });
    expect(await openSteps(app, id)).toHaveLength(1);
    await app.pool.query(`update occurrences set options = '{"expires_at": "2020-01-01T00:00:00Z"}' where id = $1`, [
      id,
    ]);
    await passMinutes(app, id, 10);
    expect(await look(tenant, id)).toHaveLength(2);
    expect(await openSteps(app, id)).toBeNull();
    expect((await explained(tenant, id)).hook).toMatchObject({ gate: 'expired' });
  });

  it('wait while the notification is switched off', async () => {
    const tenant = await tenantOf(TWO);
    const id = await triggered(tenant);
    await app.pool.query(`update notifications set enabled = false where name = 'Tell'`);
    await passMinutes(app, id, 20);
    expect(await look(tenant, id)).toHaveLength(2);
    await app.pool.query(`update notifications set enabled = true where name = 'Tell'`);
    await until(15_000, async () => (await look(tenant, id)).filter((each) => each.endsWith('sent')).length === 4);
  });

  it('are those of the trigger, whatever is edited later', async () => {
    const tenant = await tenantOf(TWO);
    const id = await triggered(tenant);
    await tenant.apply({ notifications: [rule([{ channels: ['hook'] }, { after: '1m', channels: ['last'] }])] });
    await passMinutes(app, id, 10);
    expect(await look(tenant, id)).toEqual(['app ann sent', 'app bob sent', 'hook ann sent', 'hook bob sent']);
  });

  it('keep the occurrence from being purged', async () => {
    const tenant = await tenantOf(TWO);
    const id = await triggered(tenant);
    const old = async () => {
      const { rows } = await app.pool.query<{ id: string }>(OLD_OCCURRENCES, [
        (await app.pool.query<{ event: number }>('select event_id event from occurrences where id = $1', [id])).rows[0]!
          .event,
        ...[
          '00000000-0000-0000-0000-000000000000',
          'ffffffff-ffff-ffff-ffff-ffffffffffff',
          new Date(Date.now() + 1000),
          10,
        ],
      ]);
      return rows.map((row) => row.id);
    };
    expect(await old()).toEqual([]);
    await passMinutes(app, id, 10);
    expect(await old()).toEqual([id]);
  });

  it('post to a room with the first step', async () => {
    const templates: NotificationEntry['templates'] = [
      { channel: 'app', text: 'Hi' },
      { channel: 'last', text: 'All', per: 'room' },
      { channel: 'hook', text: 'Hi' },
    ];
    const steps: Steps = [{ channels: ['app', 'last'] }, { after: '10m', channels: ['hook'] }];
    const tenant = await tenantOf(steps, { templates });
    const id = await triggered(tenant);
    await passMinutes(app, id, 10);
    expect(await look(tenant, id)).toEqual([
      ...['app ann sent', 'app bob sent', 'hook ann sent', 'hook bob sent', 'last room sent'],
    ]);
  });

  it('are taken once, also by a job that runs twice', async () => {
    const tenant = await tenantOf(TWO);
    const id = await triggered(tenant);
    const jobs = `select * from jobs where task = 'step' and payload->>'occurrence' = $1`;
    const [job] = (await app.pool.query<{ organization_id: number; payload: object }>(jobs, [id])).rows;
    await app.pool.query(
      `insert into jobs (task, organization_id, lane, state, run_at, payload)
       select 'step', $1, 'steps', 'scheduled', now() + interval '10 minutes', $2 from generate_series(1, 4)`,
      [job!.organization_id, job!.payload],
    );
    await passMinutes(app, id, 11);
    expect(await look(tenant, id)).toEqual(['app ann sent', 'app bob sent', 'hook ann sent', 'hook bob sent']);
    expect((await tenant.attempts(id)).length).toBe(4);
  });
});

describe('steps cost', () => {
  const statementsOf = async (tenant: Tenant, work: (id: string) => Promise<void>) => {
    const id = await triggered(tenant);
    return (await sentDuring(() => work(id))).flatMap(({ name }) => name ?? []);
  };

  it('nothing without them: an occurrence runs the same statements as ever', async () => {
    const tenant = await tenantOf([], { steps: undefined, templates: [{ channel: 'app', text: 'Hi' }] });
    const during = await sentDuring(() => triggered(tenant));
    const names = during.flatMap(({ name }) => name ?? []);
    expect(names).toContain('expand-batch');
    expect(names.filter((name) => name.includes('step'))).toEqual([]);
    expect(during.filter(({ text }) => text.includes('open_steps') && !text.includes('from pg_'))).toEqual([]);
  });

  it('one statement for a thousand users, however many of them are done', async () => {
    const users = Array.from({ length: 110 }, (_, n) => ({ email: `user-${n}@acme.test` }));
    const tenant = await tenantOf(TWO, {}, { users });
    const names = await statementsOf(tenant, async (id) => {
      await app.pool.query(
        `update inbox_messages set read_at = now() where delivery_id in (select id from deliveries where occurrence_id = $1 order by user_id limit 108)`,
        [id],
      );
      await passMinutes(app, id, 10);
      expect(await look(tenant, id)).toHaveLength(112);
    });
    expect(names.filter((name) => name.includes('step'))).toEqual(['load-steps', 'take-step-unless-read', 'end-steps']);
  });
});

it('a fallback takes part in the step of the channel whose place it takes', async () => {
  const tenant = await tenantOf(
    [{ channels: ['hook'] }, { after: '10m', unless: 'sent', channels: ['app'] }],
    {},
    {
      channels: [
        inbox('app'),
        webhook('spare', hooks.url('/spare')),
        { ...webhook('hook', hooks.url('/hook')), fallback: 'spare' },
      ],
    },
  );
  hooks.reply = ({ body, path }) => ({ status: path === '/hook' || body.includes(BOB) ? 400 : 200 });
  const id = await triggered(tenant);
  expect(await look(tenant, id)).toEqual(['hook ann dead', 'hook bob dead', 'spare ann sent', 'spare bob dead']);
  await passMinutes(app, id, 10);
  expect(await look(tenant, id)).toEqual([
    ...['app bob sent', 'hook ann dead', 'hook bob dead', 'spare ann sent', 'spare bob dead'],
  ]);
});

describe('explain', () => {
  it('says when a step follows, that it was not needed, and who got it', async () => {
    const tenant = await tenantOf(THREE);
    const id = await triggered(tenant);
    const before = await explained(tenant, id);
    expect(before.app).toMatchObject({ step: 1, outcome: 'sent' });
    expect(before.hook!.sentence).toMatch(
      /^ann@acme.test is waiting for "Tell" over hook: step 2 follows at \S+Z, unless the user has read the message by then\.$/,
    );
    expect(before.last!.sentence).toBe(
      'ann@acme.test is waiting for "Tell" over last: step 3 follows 1h after step 2, unless the user has read the message by then.',
    );
    await read(id, ANN);
    const [after, bob] = [await explained(tenant, id), await explained(tenant, id, BOB)];
    expect(after.hook).toMatchObject({
      gate: 'step_ended',
      step: 2,
      evidence: { step: 2, unless: 'read', over: 'app' },
    });
    expect(after.last!.sentence).toMatch(
      /^ann@acme.test was not sent "Tell" over last, because the user had read the message before over app at \S+Z\.$/,
    );
    expect(bob.hook).toMatchObject({ outcome: 'waiting' });
    await passMinutes(app, id, 10);
    expect((await explained(tenant, id, BOB)).hook).toMatchObject({ outcome: 'sent', step: 2 });
  });
});

describe('simulate', () => {
  it('prints the time line, with the messages of every step', async () => {
    const tenant = await tenantOf(THREE);
    const path = `/api/o/${tenant.org}/p/shop/a/web/e/order-paid/simulate/`;
    const { body } = await app.as(tenant.key).post(path).send({ at: '2030-01-01T08:00:00Z' });
    const { time_line, totals, messages } = body as {
      time_line: { sentence: string }[];
      totals: object;
      messages: { channel: string; user: string; until: string | null }[];
    };
    expect(time_line.map(({ sentence }) => sentence)).toEqual([
      '2030-01-01T08:00:00Z: app to 2 users.',
      '2030-01-01T08:10:00Z: hook to those who have not read it by then.',
      '2030-01-01T09:10:00Z: last to those who have not read it by then.',
    ]);
    expect(totals).toMatchObject({ people: 2, messages: 2 });
    expect(messages.filter(({ user }) => user === ANN).map(({ channel, until }) => [channel, until])).toEqual([
      ['app', null],
      ['hook', '2030-01-01T08:10:00.000Z'],
      ['last', '2030-01-01T09:10:00.000Z'],
    ]);
  });

  it('warns when a step would wait until the morning', async () => {
    const tenant = await tenantOf(TWO);
    const days = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];
    const night = JSON.stringify([{ days, from: '22:00', to: '07:00' }]);
    await app.pool.query('update organizations set quiet_hours = $2 where slug = $1', [tenant.org, night]);
    const path = `/api/o/${tenant.org}/p/shop/a/web/e/order-paid/simulate/`;
    const warned = async (body: object) =>
      ((await app.as(tenant.key).post(path).send(body)).body as { warnings: object[] }).warnings;
    const at = '2030-01-01T21:55:00Z';
    expect(await warned({ at })).toEqual([
      {
        ...{ notification: 'Tell', channel: 'hook', kind: 'step_waits' },
        detail: expect.stringMatching(
          /^The message to ann@acme\.test and 1 more would wait until 2030-01-02T07:0\d:\d\dZ because of quiet hours; with priority critical it would not\.$/,
        ),
      },
    ]);
    expect(await warned({ at, options: { priority: 'critical' } })).toEqual([]);
    expect(await warned({ at: '2030-01-01T12:00:00Z' })).toEqual([]);
  });
});
