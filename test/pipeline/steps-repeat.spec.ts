import { describe, expect, it } from '@jest/globals';
import type { NotificationEntry } from '../../src/operate/provisioning/file.js';
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

const ANN = 'ann@acme.test';
const BOB = 'bob@acme.test';

type Steps = NonNullable<NotificationEntry['steps']>;

const REPEAT = { every: '15m', times: 2 };
const STEPS: Steps = [
  { channels: ['app'] },
  { after: '10m', unless: 'read', channels: ['hook'], repeat: REPEAT },
  { after: '1h', unless: 'acknowledged', channels: ['last'] },
];

const TEXT = '{{ step.number }}/{{ step.repeat }} since {{ step.since | date: "%Y" }}';

const tenantOf = (steps: Steps = STEPS, more: Partial<NotificationEntry> = {}, fallback?: string) =>
  Tenant.create(app, {
    channels: [
      inbox('app'),
      webhook('spare', hooks.url('/spare')),
      { ...webhook('hook', hooks.url('/hook')), ...(fallback && { fallback }) },
      webhook('last', hooks.url('/last')),
    ],
    users: [ANN, BOB].map((email) => ({ email })),
    lists: [{ name: 'Staff', members: [ANN, BOB] }],
    notifications: [
      {
        ...{ name: 'Tell', distribution_list: 'Staff', steps },
        templates: steps.flatMap(({ channels }) => channels).map((channel) => ({ channel, text: TEXT })),
        ...more,
      },
    ],
  });

async function triggered(tenant: Tenant): Promise<string> {
  const id = await tenant.trigger();
  await quiet(app.pool, id);
  return id;
}

const look = async (tenant: Tenant, id: string) =>
  (await tenant.deliveries(id)).map(
    ({ channel, user, status, gate }) => `${channel} ${user?.split('@')[0] ?? 'room'} ${gate ?? status}`,
  );

const read = (occurrence: string, user: string) =>
  app.pool.query(
    `update inbox_messages set seen_at = now(), read_at = now()
     where delivery_id in (select d.id from deliveries d join users u on u.id = d.user_id where d.occurrence_id = $1 and u.email = $2)`,
    [occurrence, user],
  );

/** What was posted for a user, in order: the channel, and the step and its repetition as the template saw them. */
const posted = (user: string) =>
  hooks.requests
    .map(({ path, body }) => ({ path, data: (JSON.parse(body) as { data: { user: string; text: string } }).data }))
    .filter(({ data }) => data.user === user)
    .map(({ path, data }) => `${path} ${data.text.split(' ')[0]}`);

async function explained(tenant: Tenant, occurrence: string, channel: string, user = ANN): Promise<string> {
  const path = `/api/o/${tenant.org}/occurrences/${occurrence}/explain/`;
  const { body } = await app.as(tenant.key).get(path).query({ user });
  const { rules } = body as { rules: { channels: { channel: string; sentence: string }[] }[] };
  return rules[0]!.channels.find((each) => each.channel === channel)!.sentence;
}

describe('a step with repeat', () => {
  it('is taken again for those without its evidence, and the next step follows the last time', async () => {
    const tenant = await tenantOf();
    const id = await triggered(tenant);
    await passMinutes(app, id, 10);
    await passMinutes(app, id, 14);
    expect(posted(ANN)).toEqual(['/hook 2/0']);
    await read(id, BOB);
    await passMinutes(app, id, 1);
    expect(posted(ANN)).toEqual(['/hook 2/0', '/hook 2/1']);
    await passMinutes(app, id, 15);
    await passMinutes(app, id, 30);
    expect(posted(ANN)).toEqual(['/hook 2/0', '/hook 2/1', '/hook 2/2']);
    expect(posted(BOB)).toEqual(['/hook 2/0']);
    expect(await openSteps(app, id)).toHaveLength(1);
    await passMinutes(app, id, 30);
    expect(posted(ANN).at(-1)).toBe('/last 3/0');
    expect(await look(tenant, id)).toEqual([
      ...['app ann sent', 'app bob sent', 'hook ann sent', 'hook bob sent', 'last ann sent'],
    ]);
    const { body } = await app.as(tenant.key).get(`/api/o/${tenant.org}/occurrences/${id}/deliveries/?channel=hook`);
    expect(body).toMatchObject([
      { user: ANN, repeat: 2 },
      { user: BOB, repeat: 0 },
    ]);
    expect(await openSteps(app, id)).toBeNull();
    const ids = hooks.requests.map(({ headers }) => headers['webhook-id']);
    expect(new Set(ids).size).toBe(ids.length);
    expect(hooks.requests[0]!.body).toContain(`since ${new Date().getFullYear()}`);
  });

  it('may be the first', async () => {
    const tenant = await tenantOf([
      { channels: ['hook'], unless: 'acknowledged', repeat: REPEAT },
      { after: '5m', unless: 'acknowledged', channels: ['last'] },
    ]);
    const id = await triggered(tenant);
    for (const minutes of [15, 15, 4]) await passMinutes(app, id, minutes);
    expect(posted(ANN)).toEqual(['/hook 1/0', '/hook 1/1', '/hook 1/2']);
    const path = `/api/o/${tenant.org}/occurrences/${id}/acknowledge/`;
    await app.as(tenant.key).post(path).send({ user: BOB }).expect(200);
    await passMinutes(app, id, 60);
    expect(posted(ANN)).toHaveLength(3);
    expect(await openSteps(app, id)).toBeNull();
  });

  it('counts each time for a limit, and is not taken again above it', async () => {
    const tenant = await tenantOf(STEPS, { limit: { count: 2, per: 'week', then: 'drop' } });
    const id = await triggered(tenant);
    for (const minutes of [10, 15, 15]) await passMinutes(app, id, minutes);
    expect(posted(ANN)).toEqual(['/hook 2/0', '/hook 2/1']);
    expect(await look(tenant, id)).toContain('hook ann capped');
    await passMinutes(app, id, 60);
    expect(posted(ANN).at(-1)).toBe('/last 3/0');
  });

  it('repeats the fallback with the message whose place it takes', async () => {
    const tenant = await tenantOf(STEPS, {}, 'spare');
    hooks.reply = ({ path }) => ({ status: path === '/hook' ? 400 : 200 });
    const id = await triggered(tenant);
    for (const minutes of [10, 15]) await passMinutes(app, id, minutes);
    expect(posted(ANN)).toEqual(['/hook 2/0', '/spare 2/0', '/hook 2/1', '/spare 2/1']);
  });

  it('is taken once each time, also by jobs that run twice', async () => {
    const tenant = await tenantOf();
    const id = await triggered(tenant);
    await app.pool.query(
      `insert into jobs (task, organization_id, lane, priority, state, run_at, payload)
       select task, organization_id, lane, priority, state, run_at, payload from jobs where task = 'step' and payload->>'occurrence' = $1`,
      [id],
    );
    for (const minutes of [10, 15, 15]) await passMinutes(app, id, minutes);
    expect(posted(ANN)).toEqual(['/hook 2/0', '/hook 2/1', '/hook 2/2']);
  });

  it('waits for a message that is still tried, and goes on after one that was given up', async () => {
    const tenant = await tenantOf();
    hooks.reply = () => ({ status: 500, headers: { 'Retry-After': '3600' } });
    const id = await triggered(tenant);
    for (const minutes of [10, 15, 15]) await passMinutes(app, id, minutes);
    expect(posted(ANN)).toEqual(['/hook 2/0']);
    hooks.reply = () => ({ status: 400 });
    await passMinutes(app, id, 40);
    expect(posted(ANN)).toEqual(['/hook 2/0', '/hook 2/0']);
    hooks.reply = () => ({ status: 200 });
    for (const minutes of [15, 15]) await passMinutes(app, id, minutes);
    expect(posted(ANN).slice(2)).toEqual(['/hook 2/1', '/hook 2/2']);
  });
});

it('explain says how often a message was repeated, and when it is again, or why not', async () => {
  const tenant = await tenantOf();
  const id = await triggered(tenant);
  for (const minutes of [10, 15]) await passMinutes(app, id, minutes);
  expect(await explained(tenant, id, 'hook')).toMatch(
    /over hook at \S+Z on attempt 2; .*; repeated 1 time; repeated at \S+Z, unless the user has read the message by then\.$/,
  );
  expect(await explained(tenant, id, 'last')).toMatch(/step 3 follows 1h after step 2 and its repetitions, unless /);
  await read(id, ANN);
  expect(await explained(tenant, id, 'hook')).toMatch(
    /; repeated 1 time; not repeated any more, because the user had read the message before over app at \S+Z\.$/,
  );
  expect(await explained(tenant, id, 'last')).toMatch(/was not sent "Tell" over last, because the user had read /);
});

it('simulate prints every repetition', async () => {
  const tenant = await tenantOf();
  const path = `/api/o/${tenant.org}/p/shop/a/web/e/order-paid/simulate/`;
  const { body } = await app.as(tenant.key).post(path).send({ at: '2030-01-01T08:00:00Z' });
  const { time_line, messages } = body as {
    time_line: { sentence: string }[];
    messages: { channel: string; text: string; until: string | null }[];
  };
  expect(time_line.map(({ sentence }) => sentence)).toEqual([
    '2030-01-01T08:00:00Z: app to 2 users.',
    '2030-01-01T08:10:00Z: hook to those who have not read it by then.',
    '2030-01-01T08:25:00Z: hook again (1 of 2) to those who have not read it by then.',
    '2030-01-01T08:40:00Z: hook again (2 of 2) to those who have not read it by then.',
    '2030-01-01T09:40:00Z: last to those for whom nobody has acknowledged it by then.',
  ]);
  expect(messages.find(({ channel }) => channel === 'last')).toMatchObject({
    ...{ text: '3/0 since 2030', until: '2030-01-01T09:40:00.000Z' },
  });
});
