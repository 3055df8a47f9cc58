import { describe, expect, it } from '@jest/globals';
import type { NotificationEntry } from '../../src/operate/provisioning/file.js';
import { Purge } from '../../src/engine/purge/purge.js';
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

/** The steps of ann, who never reads. */
const rule = (more: Partial<NotificationEntry> = {}): NotificationEntry => ({
  name: 'Tell',
  distribution_list: 'Staff',
  steps: [{ channels: ['app'] }, { after: '10m', channels: ['hook'] }],
  thread: 'incident.id',
  templates: ['app', 'hook'].map((channel) => ({ channel, text: 'Hi' })),
  ...more,
});

const { thread: _, ...WITHOUT_THREAD } = rule();

const tenantOf = (notifications = [rule()]) =>
  Tenant.create(app, {
    channels: [inbox('app'), webhook('hook', hooks.url('/hook'))],
    users: [{ email: ANN }],
    lists: [{ name: 'Staff', members: [ANN] }],
    notifications,
  });

const EVENTS = 'p/shop/a/web/e';
const send = async (tenant: Tenant, path: string, body: object) => {
  const answer = await app.as(tenant.key).post(`/api/o/${tenant.org}/${path}/`).send(body);
  return { status: answer.status, body: answer.body as { occurrence: string; errors: Record<string, string[]> } };
};

/** Creates an event without notifications. */
const event = (tenant: Tenant, slug: string, more: object = {}) => send(tenant, EVENTS, { slug, name: slug, ...more });

async function triggered(tenant: Tenant, path: string, body: object): Promise<string> {
  const answer = await send(tenant, `${path}/trigger`, body);
  expect([answer.status, answer.body.errors]).toEqual([201, undefined]);
  return answer.body.occurrence;
}

const resolved = (tenant: Tenant, thread: string) =>
  triggered(tenant, `${EVENTS}/done`, { options: { resolves_thread: thread } });

const incident = (id: unknown) => ({ incident: { id } });

async function opened(tenant: Tenant, id: unknown): Promise<string> {
  const occurrence = await tenant.trigger(incident(id));
  await quiet(app.pool, occurrence);
  return occurrence;
}

/** Whether the second step was taken, now that it is due. */
async function tookStep(tenant: Tenant, occurrence: string): Promise<boolean> {
  await passMinutes(app, occurrence, 10);
  expect(await openSteps(app, occurrence)).toBeNull();
  return (await tenant.deliveries(occurrence)).some(({ channel }) => channel === 'hook');
}

interface Detail {
  ended: object[];
  warnings: object[];
  next_step_at: string | null;
  resolutions: object[];
  options: object;
}

const detail = async (tenant: Tenant, id: string) =>
  (await app.as(tenant.key).get(`/api/o/${tenant.org}/occurrences/${id}/`)).body as Detail;

async function explained(tenant: Tenant, id: string) {
  const { body } = await app.as(tenant.key).get(`/api/o/${tenant.org}/occurrences/${id}/explain/`).query({ user: ANN });
  const { rules } = body as { rules: { channels: { channel: string }[] }[] };
  return rules[0]!.channels.find(({ channel }) => channel === 'hook')!;
}

describe('resolves_thread', () => {
  it('ends the open steps of its value, and the occurrence, explain and the audit log say so', async () => {
    const tenant = await tenantOf();
    await event(tenant, 'done');
    const [first, second, number, other] = [
      await opened(tenant, 'a'),
      await opened(tenant, 'a'),
      await opened(tenant, 7),
      await opened(tenant, 'b'),
    ];
    expect((await detail(tenant, first)).resolutions).toEqual([]);
    const by = await resolved(tenant, 'a');
    await resolved(tenant, 'a');
    await resolved(tenant, '7');
    const own = { notification: 'Tell', occurrence: by, at: expect.any(String) };
    expect((await detail(tenant, first)).resolutions).toEqual([own]);
    expect((await detail(tenant, by)).options).toEqual({ resolves_thread: 'a' });
    expect(await explained(tenant, first)).toMatchObject({
      gate: 'step_ended',
      sentence: expect.stringMatching(
        new RegExp(`was not sent "Tell" over hook, because the occurrence ${by} resolved the thread at \\S+Z\\.$`),
      ),
      evidence: { step: 2, resolved_by: by },
    });
    const { rows } = await app.pool.query(`select from audit_entries where verb = 'resolve' and name = $1`, [by]);
    expect(rows).toHaveLength(1);
    expect(await Promise.all([first, second, number, other].map((occurrence) => tookStep(tenant, occurrence)))).toEqual(
      [false, false, false, true],
    );
    expect((await detail(tenant, first)).resolutions).toEqual([own]);
    expect((await detail(tenant, other)).resolutions).toEqual([]);
  });

  it('does not end those of a later trigger, of another application, or without a thread', async () => {
    const tenant = await tenantOf([rule(), { ...WITHOUT_THREAD, name: 'Without' }]);
    await event(tenant, 'done');
    await send(tenant, 'p/shop/a', { slug: 'other', name: 'Other' });
    await send(tenant, 'p/shop/a/other/e', { slug: 'done', name: 'Done' });
    const before = await opened(tenant, 'a');
    await triggered(tenant, 'p/shop/a/other/e/done', { options: { resolves_thread: 'a' } });
    expect((await detail(tenant, before)).resolutions).toEqual([]);
    await resolved(tenant, 'a');
    const after = await opened(tenant, 'a');
    expect(await tookStep(tenant, after)).toBe(true);
    await passMinutes(app, before, 10);
    const hooked = (await tenant.deliveries(before)).filter(({ channel }) => channel === 'hook');
    expect(hooked.map(({ notification }) => notification)).toEqual(['Without']);
  });

  it('also ends those of an occurrence that waits to be expanded, and a replay of it ends what came since', async () => {
    const tenant = await tenantOf();
    await event(tenant, 'done');
    await tenant.apply({ enabled: { event: false } });
    const waiting = await tenant.trigger(incident('a'));
    const by = await resolved(tenant, 'a');
    await tenant.apply({ enabled: { event: true } });
    expect(await tookStep(tenant, waiting)).toBe(false);
    const since = await opened(tenant, 'a');
    const { body } = await send(tenant, `occurrences/${by}/replay`, {});
    expect(await tookStep(tenant, since)).toBe(false);
    expect((await detail(tenant, since)).resolutions).toMatchObject([{ occurrence: body.occurrence }]);
  });

  it('of an event with steps itself ends those before, and not its own', async () => {
    const tenant = await tenantOf();
    const first = await opened(tenant, 'a');
    const second = await tenant.trigger(incident('a'), { resolves_thread: 'a' });
    await quiet(app.pool, second);
    expect([await tookStep(tenant, first), await tookStep(tenant, second)]).toEqual([false, true]);
  });

  it('is noted together with the occurrence, or not at all', async () => {
    const tenant = await tenantOf();
    const [id, path] = [await opened(tenant, 'a'), `${EVENTS}/order-paid/trigger`];
    const options = { resolves_thread: 'a', recipients: [ANN] };
    expect((await send(tenant, path, { options })).status).toBe(400);
    for (const wrong of ['', 7, 'x'.repeat(1001)])
      expect((await send(tenant, path, { options: { resolves_thread: wrong } })).body.errors).toEqual({
        'options.resolves_thread': ['must be a text of 1 to 1000 characters'],
      });
    expect((await detail(tenant, id)).resolutions).toEqual([]);
    expect(await tookStep(tenant, id)).toBe(true);
  });

  it('is forgotten with the last occurrence before it', async () => {
    const tenant = await tenantOf();
    await event(tenant, 'done');
    const [id, by] = [await opened(tenant, 'a'), await resolved(tenant, 'a')];
    await tookStep(tenant, id);
    const left = async () =>
      (await app.pool.query('select from thread_resolutions where occurrence_id = $1', [by])).rowCount;
    await app.pool.query(`update thread_resolutions set at = at - interval '2 days' where occurrence_id = $1`, [by]);
    await app.pool.query(`update occurrences set created_at = created_at - interval '5 days' where id = $1`, [id]);
    await app.app.get(Purge).run();
    expect(await left()).toBe(1);
    await app.pool.query(`update occurrences set created_at = now() where id = $1`, [id]);
    await app.app.get(Purge).run();
    expect(await left()).toBe(0);
  });
});

describe('resolves_event', () => {
  it('ends the open steps of that event with the same value of its thread', async () => {
    const tenant = await tenantOf([rule(), rule({ name: 'By host', thread: 'host' })]);
    const created = await event(tenant, 'resolved', { resolves_event: 'order-paid' });
    expect([created.status, created.body]).toEqual([201, expect.objectContaining({ resolves_event: 'order-paid' })]);
    const same = await opened(tenant, 7);
    const by = await triggered(tenant, `${EVENTS}/resolved`, { context: { ...incident(7), host: 8 } });
    const crossed = await tenant.trigger({ ...incident(8), host: 7 });
    await quiet(app.pool, crossed);
    await triggered(tenant, `${EVENTS}/resolved`, { context: { ...incident(7), host: 8 } });
    expect((await detail(tenant, crossed)).resolutions).toEqual([]);
    expect((await detail(tenant, same)).resolutions).toMatchObject([{ notification: 'Tell', occurrence: by }]);
    expect(await tookStep(tenant, crossed)).toBe(true);
    await passMinutes(app, same, 10);
    const hooked = (await tenant.deliveries(same)).filter(({ channel }) => channel === 'hook');
    expect(hooked.map(({ notification }) => notification)).toEqual(['By host']);
  });

  it('names an event of the application, is removed with null, and simulate warns when it ends nothing', async () => {
    const tenant = await tenantOf();
    expect((await event(tenant, 'resolved', { resolves_event: 'nothing' })).body.errors).toEqual({
      resolves_event: ['there is no event nothing in the application'],
    });
    expect((await event(tenant, 'resolved', { resolves_event: 'resolved' })).status).toBe(201);
    const patch = (slug: string | null) =>
      app.as(tenant.key).patch(`/api/o/${tenant.org}/${EVENTS}/resolved/`).send({ resolves_event: slug });
    const warned = async () => {
      const { body } = await send(tenant, `${EVENTS}/resolved/simulate`, {});
      const { warnings } = body as unknown as { warnings: { kind: string; detail: string }[] };
      return warnings.filter(({ kind }) => kind === 'nothing_to_resolve').map(({ detail }) => detail);
    };
    expect(await warned()).toEqual([
      'The event resolved has no notification with steps and a thread: the trigger ends no steps.',
    ]);
    await patch('order-paid').expect(200);
    expect(await warned()).toEqual([
      'The context has no value for "incident.id", the thread of the event order-paid: the trigger ends no steps.',
    ]);
    expect((await patch(null)).body).toMatchObject({ resolves_event: null });
    expect(await warned()).toEqual([]);
  });
});

it('simulate says what a trigger would end, and how many occurrences have open steps about it', async () => {
  const tenant = await tenantOf();
  await event(tenant, 'over', { resolves_event: 'order-paid' });
  const other = await tenantOf();
  await opened(other, 'a');
  const ends = async (context: object, options = {}) => {
    const { body } = await send(tenant, `${EVENTS}/over/simulate`, { context, options });
    return (body as unknown as { ends: object[] }).ends;
  };
  const of = (value: string, occurrences: number) => ({
    ...{ event: 'order-paid', field: 'incident.id', value, occurrences },
  });
  expect(await ends({})).toEqual([]);
  expect(await ends(incident('a'))).toEqual([of('a', 0)]);
  const first = await opened(tenant, 'a');
  await opened(tenant, 'a');
  await opened(tenant, 7);
  expect([await ends(incident('a')), await ends(incident('7'))]).toEqual([[of('a', 2)], [of('7', 1)]]);
  const ofAll = { event: null, field: null, value: 'a', occurrences: 2 };
  expect(await ends(incident('7'), { resolves_thread: 'a' })).toEqual([ofAll, of('7', 1)]);
  // One that took its last step has none left, and one that is over has none either.
  expect(await tookStep(tenant, first)).toBe(true);
  expect(await ends(incident('a'))).toEqual([of('a', 1)]);
  await triggered(tenant, `${EVENTS}/over`, { context: incident('a') });
  expect(await ends(incident('a'))).toEqual([of('a', 0)]);
  await tenant.apply({ enabled: { event: false } });
  await tenant.trigger(incident('b'));
  expect(await ends(incident('b'))).toEqual([of('b', 1)]);
});

it('an occurrence says when its next step is due, and a trigger that ends steps which, or why none', async () => {
  const tenant = await tenantOf();
  await event(tenant, 'over', { resolves_event: 'order-paid' });
  const over = (context: object) => triggered(tenant, `${EVENTS}/over`, { context });
  const open = await opened(tenant, 'a');
  const due = new Date((await detail(tenant, open)).next_step_at!).getTime();
  expect(Math.abs(due - Date.now() - 600_000)).toBeLessThan(60_000);
  const by = await over(incident('a'));
  await quiet(app.pool, by);
  const ended = [{ event: 'order-paid', field: 'incident.id' }];
  expect(await detail(tenant, by)).toMatchObject({ ended, warnings: [], next_step_at: null });
  const nothing = await over({});
  await quiet(app.pool, nothing);
  const why =
    'The context has no value for "incident.id", the thread of the event order-paid: the trigger ended no steps.';
  const warnings = [{ kind: 'nothing_ended', detail: why }];
  expect(await detail(tenant, nothing)).toMatchObject({ ended: [], warnings });
  expect(await tookStep(tenant, open)).toBe(false);
  expect(await detail(tenant, open)).toMatchObject({ ended: [], warnings: [], next_step_at: null });
});

describe('to: told', () => {
  const BOB = 'bob@acme.test';
  const MIA = 'mia@acme.test';

  /** Ann is told, and Mia ten minutes later. Bob is in no list. */
  const escalating = () =>
    Tenant.create(app, {
      channels: [inbox('app'), webhook('hook', hooks.url('/hook'))],
      users: [{ email: ANN }, { email: BOB }, { email: MIA }],
      lists: [
        { name: 'Staff', members: [ANN] },
        { name: 'Managers', members: [MIA] },
      ],
      notifications: [
        rule({
          steps: [{ channels: ['app'] }, { after: '10m', to: { distribution_list: 'Managers' }, channels: ['hook'] }],
        }),
      ],
    });

  /** An event whose notification means those who were told, and what a trigger of it answered. */
  async function all(tenant: Tenant, more: object): Promise<void> {
    expect((await event(tenant, 'over', more)).status).toBe(201);
    const notification = { name: 'Over', to: 'told', templates: [{ channel: 'app', text: 'It is over' }] };
    expect((await send(tenant, `${EVENTS}/over/n`, notification)).body.errors).toBeUndefined();
  }

  const toldBy = async (tenant: Tenant, body: object) => {
    const occurrence = await triggered(tenant, `${EVENTS}/over`, body);
    await quiet(app.pool, occurrence);
    return { occurrence, users: (await tenant.deliveries(occurrence)).map(({ user }) => user) };
  };

  it('reaches those who had a message of the incident, once, and nobody else', async () => {
    const tenant = await escalating();
    await all(tenant, { resolves_event: 'order-paid' });
    const first = await opened(tenant, 'a');
    const second = await opened(tenant, 'b');
    await passMinutes(app, second, 10);
    const simulated = await send(tenant, `${EVENTS}/over/simulate`, { context: incident('b') });
    expect(simulated.body).toMatchObject({ totals: { people: 2 }, warnings: [] });

    expect((await toldBy(tenant, { context: incident('a') })).users).toEqual([ANN]);
    const { occurrence, users } = await toldBy(tenant, { context: incident('b') });
    expect(users).toEqual([ANN, MIA]);
    expect(await tookStep(tenant, first)).toBe(false);
    expect((await toldBy(tenant, { context: incident('b') })).users).toEqual([]);
    expect((await toldBy(tenant, { context: incident('c') })).users).toEqual([]);

    expect((await detail(tenant, occurrence)).options).toEqual({});
    const path = `/api/o/${tenant.org}/occurrences/${occurrence}/`;
    const { body } = await app.as(tenant.key).get(`${path}explain/`).query({ user: BOB });
    expect(JSON.stringify(body)).toContain('the user had no message about what the trigger resolves');
    const { body: replay } = await app.as(tenant.key).post(`${path}replay/`).send({});
    const again = (replay as { occurrence: string }).occurrence;
    await quiet(app.pool, again);
    expect((await tenant.deliveries(again)).map(({ user }) => user)).toEqual([ANN, MIA]);
  });

  it('reaches them after resolves_thread, too, and again when the incident has come back', async () => {
    const tenant = await escalating();
    await all(tenant, {});
    const over = { options: { resolves_thread: 'a' } };
    expect((await toldBy(tenant, over)).users).toEqual([]);
    await passMinutes(app, await opened(tenant, 'a'), 10);
    expect((await toldBy(tenant, over)).users).toEqual([ANN, MIA]);
    await opened(tenant, 'a');
    expect((await toldBy(tenant, over)).users).toEqual([ANN]);
    const other = await escalating();
    await all(other, {});
    expect((await toldBy(other, over)).users).toEqual([]);
  });
});
