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
const MANAGER = 'manager@acme.test';
const STEPS: NonNullable<NotificationEntry['steps']> = [
  { channels: ['app'] },
  { after: '10m', unless: 'acknowledged', channels: ['hook'] },
];

const rule = (more: Partial<NotificationEntry> = {}): NotificationEntry => ({
  name: 'Tell',
  distribution_list: 'Staff',
  steps: STEPS,
  templates: ['app', 'hook'].map((channel) => ({ channel, text: 'Hi {{ user.email }}' })),
  ...more,
});

const tenantOf = (more: Partial<NotificationEntry> = {}) =>
  Tenant.create(app, {
    channels: [inbox('app'), webhook('hook', hooks.url('/hook'))],
    users: [ANN, BOB, MANAGER].map((email) => ({ email })),
    lists: [{ name: 'Staff', members: [ANN, BOB] }],
    notifications: [rule(more)],
  });

async function triggered(tenant: Tenant): Promise<string> {
  const id = await tenant.trigger();
  await quiet(app.pool, id);
  return id;
}

const pathOf = (tenant: Tenant, occurrence: string) => `/api/o/${tenant.org}/occurrences/${occurrence}/`;

const acknowledge = (tenant: Tenant, occurrence: string, body: object) =>
  app
    .as(tenant.key)
    .post(`${pathOf(tenant, occurrence)}acknowledge/`)
    .send(body);

const read = async (tenant: Tenant, occurrence: string) =>
  (await app.as(tenant.key).get(pathOf(tenant, occurrence))).body as { acknowledgements: object[] };

const look = async (tenant: Tenant, id: string) =>
  (await tenant.deliveries(id)).map(
    ({ channel, user, status, gate }) => `${channel} ${user?.split('@')[0] ?? 'room'} ${gate ?? status}`,
  );

async function explained(tenant: Tenant, occurrence: string, user: string) {
  const { body } = await app
    .as(tenant.key)
    .get(`${pathOf(tenant, occurrence)}explain/`)
    .query({ user });
  const { rules } = body as { rules: { channels: { channel: string; sentence: string }[] }[] };
  return rules[0]!.channels.find(({ channel }) => channel === 'hook')!;
}

const FIRST = ['app ann sent', 'app bob sent'];
const ALL = [...FIRST, 'hook ann sent', 'hook bob sent'];

/** The messages after somebody acknowledged and ten minutes have passed. */
async function after(more: Partial<NotificationEntry>, user: string): Promise<string[]> {
  const tenant = await tenantOf(more);
  const id = await triggered(tenant);
  await acknowledge(tenant, id, { user }).expect(200);
  await passMinutes(app, id, 10);
  expect(await openSteps(app, id)).toBeNull();
  return look(tenant, id);
}

describe('an acknowledgement', () => {
  it('ends the steps for all users', async () => {
    expect(await after({}, ANN)).toEqual(FIRST);
  });

  it('of a user who got no message ends them, too', async () => {
    expect(await after({}, MANAGER)).toEqual(FIRST);
  });

  it('ends them for its user only, if each needs their own', async () => {
    expect(await after({ acknowledge: { by: 'each' } }, ANN)).toEqual([...FIRST, 'hook bob sent']);
  });

  it('is more than any other evidence', async () => {
    const steps = (['sent', 'delivered', 'seen', 'read'] as const).map(
      (unless): NonNullable<NotificationEntry['steps']> => [{ channels: ['app'] }, { ...STEPS[1]!, unless }],
    );
    expect(await after({ steps: steps[3]! }, ANN)).toEqual(FIRST);
    expect(await after({ steps: steps[2]!, acknowledge: { by: 'each' } }, ANN)).toEqual([...FIRST, 'hook bob sent']);
  });

  it('does not end a step that is taken in any case', async () => {
    expect(await after({ steps: [STEPS[0]!, { after: '10m', channels: ['hook'] }] }, ANN)).toEqual(ALL);
  });

  it('is needed: who has read the message has not acknowledged it', async () => {
    const tenant = await tenantOf();
    const id = await triggered(tenant);
    await app.pool.query(
      `update inbox_messages set seen_at = now(), read_at = now() where delivery_id in (select id from deliveries where occurrence_id = $1)`,
      [id],
    );
    await passMinutes(app, id, 10);
    expect(await look(tenant, id)).toEqual(ALL);
  });

  it('of another occurrence does not count', async () => {
    const tenant = await tenantOf();
    const [id, other] = [await triggered(tenant), await triggered(tenant)];
    await acknowledge(tenant, other, { user: ANN }).expect(200);
    await passMinutes(app, id, 10);
    expect(await look(tenant, id)).toEqual(ALL);
  });
});

describe('an acknowledgement that lapses', () => {
  const steps: typeof STEPS = [STEPS[0]!, { ...STEPS[1]!, repeat: { every: '30m', times: 1 } }];
  const posts = () => hooks.requests.length;

  it('ends the steps until then, and may be renewed', async () => {
    const tenant = await tenantOf({ steps, acknowledge: { for: '1h' } });
    const id = await triggered(tenant);
    await acknowledge(tenant, id, { user: ANN, note: 'I am on it.' }).expect(200);
    await passMinutes(app, id, 10);
    await passMinutes(app, id, 49);
    expect(await look(tenant, id)).toEqual(FIRST);
    expect(await openSteps(app, id)).toHaveLength(1);
    expect(await explained(tenant, id, BOB)).toMatchObject({
      outcome: 'waiting',
      sentence: expect.stringMatching(/: ann@acme.test acknowledged it over api at \S+Z, which lapses at \S+Z\.$/),
    });
    await acknowledge(tenant, id, { user: ANN, note: 'Still' }).expect(200);
    await passMinutes(app, id, 1);
    expect(await look(tenant, id)).toEqual(ALL);
    // The first of those that count stays; it had lapsed, so this one is new.
    const again = await acknowledge(tenant, id, { user: ANN, note: 'Again' });
    expect(again.body).toMatchObject({ note: 'Again' });
    await passMinutes(app, id, 59);
    expect(posts()).toBe(2);
    await passMinutes(app, id, 1);
    expect(posts()).toBe(4);
    expect(await openSteps(app, id)).toBeNull();
  });

  it('lapses for each user, if each needs their own', async () => {
    const tenant = await tenantOf({ acknowledge: { by: 'each', for: '1h' } });
    const id = await triggered(tenant);
    await acknowledge(tenant, id, { user: ANN }).expect(200);
    await passMinutes(app, id, 10);
    expect(await look(tenant, id)).toEqual([...FIRST, 'hook bob sent']);
    await passMinutes(app, id, 50);
    expect(await look(tenant, id)).toEqual(ALL);
  });

  it('holds back a step with users of its own', async () => {
    const tenant = await tenantOf({
      steps: [STEPS[0]!, { ...STEPS[1]!, to: { audience: { field: 'email', is: MANAGER } } }],
      acknowledge: { for: '1h' },
    });
    const id = await triggered(tenant);
    await acknowledge(tenant, id, { user: ANN }).expect(200);
    await passMinutes(app, id, 10);
    await passMinutes(app, id, 49);
    expect(await look(tenant, id)).toEqual(FIRST);
    await passMinutes(app, id, 1);
    expect(await look(tenant, id)).toEqual([...FIRST, 'hook manager sent']);
  });
});

describe('to acknowledge', () => {
  it('stores the first of each user, which the occurrence shows', async () => {
    const tenant = await tenantOf();
    const id = await triggered(tenant);
    const first = await acknowledge(tenant, id, { user: 'Ann@Acme.test', note: 'I am on it.' });
    expect(first.status).toBe(200);
    expect(first.body).toEqual({ user: ANN, at: expect.any(String), way: 'api', step: null, note: 'I am on it.' });
    const again = await acknowledge(tenant, id, { user: ANN, note: 'Once more' });
    expect(again.body).toEqual(first.body);
    await acknowledge(tenant, id, { user: BOB });
    expect((await read(tenant, id)).acknowledgements).toEqual([
      first.body,
      { user: BOB, at: expect.any(String), way: 'api', step: null, note: '' },
    ]);
    const { rows } = await app.pool.query(`select from audit_entries where verb = 'acknowledge' and name = $1`, [id]);
    expect(rows).toHaveLength(2);
  });

  it('needs a user of the organization and an occurrence of it, and refuses a long note', async () => {
    const [tenant, other] = [await tenantOf(), await tenantOf()];
    const id = await triggered(tenant);
    const unknown = await acknowledge(tenant, id, { user: 'nobody@acme.test' });
    expect([unknown.status, unknown.body]).toEqual([
      400,
      expect.objectContaining({ errors: { user: ['nobody@acme.test is not a user of the organization'] } }),
    ]);
    expect((await acknowledge(other, id, { user: ANN })).status).toBe(404);
    const wrong = await acknowledge(tenant, id, { user: 'ann', note: 'x'.repeat(1001) });
    expect(wrong.status).toBe(400);
    expect(Object.keys((wrong.body as { errors: object }).errors).toSorted()).toEqual(['note', 'user']);
    expect((await read(tenant, id)).acknowledgements).toEqual([]);
  });

  it('is forgotten with the user', async () => {
    const tenant = await tenantOf();
    const id = await triggered(tenant);
    await acknowledge(tenant, id, { user: MANAGER }).expect(200);
    await app.pool.query(
      `delete from users where email = $1 and organization_id = (select organization_id from occurrences where id = $2)`,
      [MANAGER, id],
    );
    expect((await read(tenant, id)).acknowledgements).toEqual([]);
  });
});

it('the export of a user has their acknowledgements', async () => {
  const tenant = await tenantOf();
  const id = await triggered(tenant);
  await acknowledge(tenant, id, { user: ANN, note: 'I am on it.' }).expect(200);
  const answer = await app
    .as(tenant.key)
    .get(`/api/o/${tenant.org}/u/${ANN}/export/`)
    .buffer(true)
    .parse((response, done) => {
      let text = '';
      response.on('data', (chunk: Buffer) => (text += chunk));
      response.on('end', () => done(null, text));
    });
  const lines = (answer.body as string).trimEnd().split('\n');
  expect(lines.map((line) => JSON.parse(line) as object)).toContainEqual({
    ...{ kind: 'acknowledgement', occurrence: id, at: expect.any(String), way: 'api', note: 'I am on it.' },
    step: null,
  });
});

describe('explain', () => {
  it('says who acknowledged, when and how', async () => {
    const tenant = await tenantOf();
    const id = await triggered(tenant);
    expect((await explained(tenant, id, BOB)).sentence).toMatch(/unless somebody has acknowledged it by then\.$/);
    await acknowledge(tenant, id, { user: ANN }).expect(200);
    expect(await explained(tenant, id, BOB)).toMatchObject({
      gate: 'step_ended',
      sentence: expect.stringMatching(
        /^bob@acme.test was not sent "Tell" over hook, because ann@acme.test acknowledged it before over api at \S+Z\.$/,
      ),
      evidence: { step: 2, unless: 'acknowledged', over: 'api', acknowledged_by: ANN },
    });
  });

  it('names only their own where each needs one', async () => {
    const tenant = await tenantOf({ acknowledge: { by: 'each' } });
    const id = await triggered(tenant);
    await acknowledge(tenant, id, { user: ANN }).expect(200);
    expect((await explained(tenant, id, ANN)).sentence).toContain('because ann@acme.test acknowledged it before');
    expect((await explained(tenant, id, BOB)).sentence).toMatch(/unless the user has acknowledged it by then\.$/);
  });
});

it.each([
  [undefined, 'hook to those for whom nobody has acknowledged it by then.'],
  [{ by: 'each' as const }, 'hook to those who have not acknowledged it by then.'],
])('simulate prints who is meant: %j', async (by, sentence) => {
  const tenant = await tenantOf({ acknowledge: by });
  const path = `/api/o/${tenant.org}/p/shop/a/web/e/order-paid/simulate/`;
  const { body } = await app.as(tenant.key).post(path).send({ at: '2030-01-01T08:00:00Z' });
  const { time_line: line } = body as { time_line: { sentence: string }[] };
  expect(line[1]!.sentence).toBe(`2030-01-01T08:10:00Z: ${sentence}`);
});
