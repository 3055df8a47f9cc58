import { describe, expect, it } from '@jest/globals';
import type { NotificationEntry } from '../../src/operate/provisioning/file.js';
import { ProvisioningService } from '../../src/operate/provisioning/provisioning.service.js';
import type { TestApp } from '../support/app/app.js';
import { useApp, useSink } from '../support/app/use.js';
import { HttpSink } from '../support/sinks/http-sink.js';
import { openSteps, passMinutes, quiet } from '../support/world/steps.js';
import { Tenant, inbox, webhook } from '../support/world/tenant.js';

let app: TestApp;
let hooks: HttpSink;
useApp({ ROLE: 'all' }, (started) => (app = started));
useSink(
  () => HttpSink.start(),
  (started) => (hooks = started),
);

const [ANN, BOB, EVE, MAX] = ['ann', 'bob', 'eve', 'max'].map((name) => `${name}@acme.test`) as [
  ...[string, string, string, string],
];

type Steps = NonNullable<NotificationEntry['steps']>;

const MANAGERS = { distribution_list: 'Managers' };
const STEPS: Steps = [
  { channels: ['app'] },
  { after: '10m', unless: 'read', channels: ['hook'] },
  { after: '30m', unless: 'acknowledged', to: MANAGERS, channels: ['last'] },
];

interface Lists {
  staff?: string[];
  managers?: string[];
  steps?: Steps;
}

const tenantOf = ({ staff = [ANN, BOB], managers = [EVE, ANN], steps = STEPS }: Lists = {}) =>
  Tenant.create(app, {
    channels: [inbox('app'), ...['hook', 'last', 'after'].map((slug) => webhook(slug, hooks.url(`/${slug}`)))],
    users: [ANN, BOB, EVE, MAX].map((email) => ({ email, custom_fields: { boss: email === MAX } })),
    lists: [
      { name: 'Staff', members: staff },
      { name: 'Managers', members: managers },
    ],
    notifications: [
      {
        ...{ name: 'Tell', distribution_list: 'Staff', steps },
        templates: steps.flatMap(({ channels }) => channels).map((channel) => ({ channel, text: 'Hi' })),
      },
    ],
  });

async function triggered(tenant: Tenant, options: object = {}): Promise<string> {
  const id = await tenant.trigger({}, options);
  await quiet(app.pool, id);
  return id;
}

/** Who was sent a message over the channels that follow the first. */
const look = async (tenant: Tenant, id: string) =>
  (await tenant.deliveries(id))
    .filter(({ channel }) => channel !== 'app')
    .map(({ channel, user, status, gate }) => `${channel} ${user!.split('@')[0]!} ${gate ?? status}`);

const read = (occurrence: string) =>
  app.pool.query(
    `update inbox_messages set seen_at = now(), read_at = now() where delivery_id in (select id from deliveries where occurrence_id = $1)`,
    [occurrence],
  );

const acknowledge = (tenant: Tenant, occurrence: string, user: string) =>
  app.as(tenant.key).post(`/api/o/${tenant.org}/occurrences/${occurrence}/acknowledge/`).send({ user }).expect(200);

async function explained(tenant: Tenant, occurrence: string, user: string, channel = 'last'): Promise<string> {
  const path = `/api/o/${tenant.org}/occurrences/${occurrence}/explain/`;
  const { body } = await app.as(tenant.key).get(path).query({ user });
  const { rules } = body as { rules: { channels: { channel: string; sentence: string }[] }[] };
  return rules[0]!.channels.find((each) => each.channel === channel)!.sentence;
}

async function pass(id: string, ...minutes: number[]): Promise<void> {
  for (const each of minutes) await passMinutes(app, id, each);
}

describe('a step with users of its own', () => {
  it('follows the first message of the step before, for all of them, once', async () => {
    const tenant = await tenantOf();
    const id = await triggered(tenant);
    await pass(id, 10, 29);
    expect(await look(tenant, id)).toEqual(['hook ann sent', 'hook bob sent']);
    await pass(id, 1);
    expect(await look(tenant, id)).toEqual(['hook ann sent', 'hook bob sent', 'last ann sent', 'last eve sent']);
    expect(await openSteps(app, id)).toBeNull();
  });

  it('is ended by anyone who acknowledges, and not by what ends the steps of single users', async () => {
    const tenant = await tenantOf();
    const [id, other] = [await triggered(tenant), await triggered(tenant)];
    await acknowledge(tenant, id, MAX);
    await pass(id, 10, 60);
    expect(await look(tenant, id)).toEqual([]);
    await read(other);
    // Nobody got the second step: it was due ten minutes after the first.
    await pass(other, 39);
    expect(await look(tenant, other)).toEqual([]);
    await pass(other, 1);
    expect(await look(tenant, other)).toEqual(['last ann sent', 'last eve sent']);
  });

  it('is ended by one message of anybody that has its evidence', async () => {
    const steps: Steps = [{ channels: ['app'] }, { ...STEPS[2]!, unless: 'read' }];
    const tenant = await tenantOf({ steps });
    const id = await triggered(tenant);
    await app.pool.query(
      `update inbox_messages set read_at = now() where delivery_id = (select max(id) from deliveries where occurrence_id = $1)`,
      [id],
    );
    await pass(id, 30);
    expect(await look(tenant, id)).toEqual([]);
    expect(await openSteps(app, id)).toBeNull();
    expect(await explained(tenant, id, EVE)).toMatch(/because bob@acme.test had read the message before over app\.$/);
  });

  it('follows when nobody was on call', async () => {
    const tenant = await tenantOf({ staff: [] });
    const id = await triggered(tenant);
    await pass(id, 39);
    expect(await look(tenant, id)).toEqual([]);
    await pass(id, 1);
    expect(await look(tenant, id)).toEqual(['last ann sent', 'last eve sent']);
  });

  it('may have an audience, resolved when it is taken, and steps after it for the same users', async () => {
    const steps: Steps = [
      { channels: ['app'] },
      {
        ...{ after: '30m', channels: ['last'], repeat: { every: '5m', times: 1 } },
        to: { distribution_lists: ['managers'], audience: { field: 'custom_fields.boss', is: true } },
      },
      { after: '1h', unless: 'acknowledged', channels: ['after'] },
    ];
    const tenant = await tenantOf({ steps, managers: [EVE] });
    const id = await triggered(tenant);
    await app.pool.query(
      `delete from members where list_id in (select id from distribution_lists where name = 'Managers' and organization_id = (select organization_id from occurrences where id = $1))`,
      [id],
    );
    await pass(id, 30, 5, 60);
    expect(await look(tenant, id)).toEqual(['after max sent', 'last max sent']);
    expect(hooks.requests.map(({ path }) => path)).toEqual(['/last', '/last', '/after']);
  });

  it('waits for the messages of the step before, and counts from the last decision if none was sent', async () => {
    const steps: Steps = [{ channels: ['hook'] }, { after: '10m', unless: 'sent', to: MANAGERS, channels: ['last'] }];
    const tenant = await tenantOf({ steps });
    hooks.reply = ({ path }) => ({ status: path === '/hook' ? 500 : 200, headers: { 'Retry-After': '3600' } });
    const id = await triggered(tenant);
    await pass(id, 40);
    expect(await look(tenant, id)).toEqual(['hook ann pending', 'hook bob pending']);
    hooks.reply = ({ path }) => ({ status: path === '/hook' ? 400 : 200 });
    await pass(id, 24, 9);
    expect(await look(tenant, id)).toEqual(['hook ann dead', 'hook bob dead']);
    await pass(id, 1);
    expect(await look(tenant, id)).toEqual(['hook ann dead', 'hook bob dead', 'last ann sent', 'last eve sent']);
  });

  it('is limited as the trigger is, and left out with all steps before it', async () => {
    const tenant = await tenantOf();
    const id = await triggered(tenant, { limit_to: [EVE] });
    await pass(id, 40);
    expect(await look(tenant, id)).toEqual(['last eve sent']);
    const other = await triggered(tenant, { channels: ['last'] });
    await pass(other, 60);
    expect(await look(tenant, other)).toEqual([]);
  });

  it('tells each user once, also if several workers take it', async () => {
    const tenant = await tenantOf();
    const id = await triggered(tenant);
    await app.pool.query(
      `insert into jobs (task, organization_id, lane, priority, state, run_at, payload)
       select task, organization_id, lane, priority, state, run_at, payload from jobs, generate_series(1, 3) where task = 'step' and payload->>'occurrence' = $1`,
      [id],
    );
    await pass(id, 10, 30);
    expect(hooks.requests.map(({ path }) => path).toSorted()).toEqual(['/hook', '/hook', '/last', '/last']);
  });
});

it('explain says when it follows, whom it does not mean, and who made it unnecessary', async () => {
  const tenant = await tenantOf();
  const id = await triggered(tenant);
  expect(await explained(tenant, id, EVE)).toBe(
    'eve@acme.test is waiting for "Tell" over last: step 3 follows 30m after step 2, unless somebody has acknowledged it by then.',
  );
  expect(await explained(tenant, id, BOB)).toMatch(/was not sent "Tell" over last, because .*Managers/);
  await acknowledge(tenant, id, ANN);
  expect(await explained(tenant, id, EVE)).toMatch(/because ann@acme.test acknowledged it before over api at /);
});

describe('a step that reaches nobody', () => {
  const simulated = async (tenant: Tenant) => {
    const path = `/api/o/${tenant.org}/p/shop/a/web/e/order-paid/simulate/`;
    const { body } = await app.as(tenant.key).post(path).send({ at: '2030-01-01T08:00:00Z' });
    return body as { time_line: { sentence: string }[]; warnings: { kind: string; detail: string }[] };
  };

  it('is a warning of simulate and explain', async () => {
    const tenant = await tenantOf({ managers: [] });
    const { time_line, warnings } = await simulated(tenant);
    expect(time_line.at(-1)!.sentence).toBe(
      '2030-01-01T08:40:00Z: last to 0 users, unless somebody has acknowledged it by then.',
    );
    expect(warnings).toContainEqual(
      expect.objectContaining({
        kind: 'unreached_step',
        channel: 'last',
        detail: 'Nobody is meant by step 3 over last: it has no recipients.',
      }),
    );
    const id = await triggered(tenant);
    const path = `/api/o/${tenant.org}/occurrences/${id}/explain/`;
    const { body } = await app.as(tenant.key).get(path);
    expect((body as { rules: { sentence: string }[] }).rules[0]!.sentence).toContain(
      '; nobody is meant by step 3 over last: it has no recipients.',
    );
  });

  it('is a warning when it is saved, and before that of a draft that is limited to somebody else', async () => {
    const tenant = await tenantOf();
    const event = `/api/o/${tenant.org}/p/shop/a/web/e/order-paid/`;
    const { body: lists } = await app.as(tenant.key).post(`/api/o/${tenant.org}/p/shop/d/`).send({ name: 'Nobody' });
    expect(lists).toMatchObject({ name: 'Nobody' });
    const { body: notifications } = await app.as(tenant.key).get(`${event}n/`);
    const [{ id }] = notifications as [{ id: number }];
    const steps = [
      ...STEPS.slice(0, 2),
      { ...STEPS[2]!, to: { distribution_lists: ['Nobody'], audience: { field: 'email', is: 'x@acme.test' } } },
    ];
    const limit_to = ['nobody@acme.test'];
    const draft = { notification: { id, steps, when: 'total > `5`' }, options: { limit_to } };
    const { body: simulation } = await app.as(tenant.key).post(`${event}simulate/`).send(draft).expect(200);
    const { warnings } = simulation as { warnings: { kind: string }[] };
    expect(warnings.filter(({ kind }) => kind === 'unreached_step')).toEqual([
      {
        ...{ kind: 'unreached_step', notification: 'Tell', channel: 'last' },
        detail: 'Nobody is meant by step 3 over last: it has no recipients.',
      },
    ]);
    const saved = await app.as(tenant.key).patch(`${event}n/${id}/`).send({ steps }).expect(200);
    expect(saved.headers['unreached-steps']).toBe('3');
    // What is saved later says it again, as long as it is so.
    const renamed = await app.as(tenant.key).patch(`${event}n/${id}/`).send({ name: 'Page' }).expect(200);
    expect(renamed.headers['unreached-steps']).toBe('3');
    const mended = await app.as(tenant.key).patch(`${event}n/${id}/`).send({ steps: STEPS }).expect(200);
    expect(mended.headers).not.toHaveProperty('unreached-steps');
  });

  it('is a warning when a file is applied, and so is one whose users have no address', async () => {
    const sms = { account_sid: `AC${'0'.repeat(32)}`, auth_token: 'x', from: '+15550100' };
    const tenant = await tenantOf({ steps: [STEPS[0]!, STEPS[2]!] });
    expect((await simulated(tenant)).time_line.at(-1)!.sentence).toMatch(/: last to 2 users, unless somebody /);
    const file = {
      organizations: [
        {
          ...{ slug: tenant.org, name: tenant.org },
          channels: [inbox('app'), { slug: 'sms', name: 'SMS', type: 'sms', config: sms }],
          projects: [
            {
              ...{ slug: 'shop', name: 'Shop' },
              distribution_lists: [{ name: 'Nobody' }],
              applications: [
                {
                  ...{ slug: 'web', name: 'Web' },
                  events: [
                    {
                      ...{ slug: 'paged', name: 'Paged' },
                      notifications: ['Nobody', 'Managers'].map((list) => ({
                        ...{ name: list, distribution_list: 'Staff' },
                        steps: [
                          { channels: ['app'] },
                          { after: '1m', to: { distribution_list: list }, channels: ['sms'] },
                        ],
                        templates: ['app', 'sms'].map((channel) => ({ channel, text: 'Hi' })),
                      })),
                    },
                  ],
                },
              ],
            },
          ],
        },
      ],
    };
    const warnings: string[] = [];
    await app.app.get(ProvisioningService).apply(JSON.stringify(file), { warn: (text: string) => warnings.push(text) });
    expect(warnings.filter((text) => text.includes('step 2'))).toEqual([
      expect.stringMatching(/steps\[1\]\.to: nobody is meant by step 2 over sms: it has no recipients$/),
      expect.stringMatching(
        /steps\[1\]\.to: nobody is reached by step 2 over sms: no recipient is active and has an address$/,
      ),
    ]);
  });
});
