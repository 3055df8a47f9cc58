import { describe, expect, it } from '@jest/globals';
import type { NotificationEntry } from '../../src/operate/provisioning/file.js';
import type { TestApp } from '../support/app/app.js';
import { useApp, useSink } from '../support/app/use.js';
import { HttpSink } from '../support/sinks/http-sink.js';
import { Reader } from '../support/world/reader.js';
import type { Item } from '../support/world/reader.js';
import { passMinutes, quiet } from '../support/world/steps.js';
import { Tenant, inbox, webhook } from '../support/world/tenant.js';

let app: TestApp;
let hooks: HttpSink;
let reader: Reader;
useApp({ ROLE: 'all' }, (started) => {
  app = started;
  reader = new Reader(started);
});
useSink(
  () => HttpSink.start(),
  (started) => (hooks = started),
);

const [ANN, BOB] = ['ann@acme.test', 'bob@acme.test'];
const STEPS: NonNullable<NotificationEntry['steps']> = [
  { channels: ['app'] },
  { after: '10m', unless: 'acknowledged', channels: ['hook'], repeat: { every: '10m', times: 2 } },
];

const rule = (more: Partial<NotificationEntry> = {}): NotificationEntry => ({
  name: 'Tell',
  distribution_list: 'Staff',
  thread: 'incident',
  steps: STEPS,
  templates: ['app', 'hook'].map((channel) => ({ channel, text: 'Hi' })),
  ...more,
});
const { thread: _, ...WITHOUT_THREAD } = rule();

const EVENTS = 'p/shop/a/web/e';

/** A tenant whose event `over` ends the steps of the event with the notifications. */
async function tenantOf(notifications = [rule()], isTold = true): Promise<Tenant> {
  const tenant = await Tenant.create(app, {
    channels: [inbox('app'), webhook('hook', hooks.url('/hook'))],
    users: [ANN, BOB].map((email) => ({ email })),
    lists: [{ name: 'Staff', members: [ANN] }],
    notifications,
  });
  if (isTold) await send(tenant, EVENTS, { slug: 'over', name: 'Over', resolves_event: 'order-paid' });
  return tenant;
}

async function send(tenant: Tenant, path: string, body: object): Promise<{ occurrence: string }> {
  const answer = await app.as(tenant.key).post(`/api/o/${tenant.org}/${path}/`).send(body);
  expect({ path, isDone: answer.status < 300, body: answer.body as unknown }).toMatchObject({ isDone: true });
  return answer.body as { occurrence: string };
}

async function opened(tenant: Tenant, incident: unknown = 'INC-1', options = {}): Promise<string> {
  const occurrence = await tenant.trigger({ incident }, options);
  await quiet(app.pool, occurrence);
  return occurrence;
}

const over = async (tenant: Tenant, incident: unknown = 'INC-1') =>
  (await send(tenant, `${EVENTS}/over/trigger`, { context: { incident } })).occurrence;

const acknowledge = (tenant: Tenant, occurrence: string, user = ANN) =>
  send(tenant, `occurrences/${occurrence}/acknowledge`, { user });

const steps = async (tenant: Tenant, occurrence: string) =>
  (await reader.list(tenant, 'occurrences/?steps=1')).find(({ id }) => id === occurrence)!.steps as Item;

const open = async (tenant: Tenant, more = '') =>
  (await reader.list(tenant, `occurrences/?open=1${more}`)).map(({ id }) => id);

const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

describe('the list of occurrences', () => {
  it('says who acknowledged one, what ended it, and when its next step is due', async () => {
    const tenant = await tenantOf();
    const occurrence = await opened(tenant);
    const nothing = { open: true, acknowledgement: null, resolution: null, next_at: TIME };
    expect(await steps(tenant, occurrence)).toEqual(nothing);
    await acknowledge(tenant, occurrence);
    const acknowledgement = { user: ANN, at: TIME, way: 'api', step: null, note: '' };
    expect(await steps(tenant, occurrence)).toEqual({ ...nothing, acknowledgement });
    const end = await over(tenant);
    expect(await steps(tenant, occurrence)).toEqual({
      ...{ open: false, acknowledgement, next_at: TIME },
      resolution: { event: 'over', occurrence: end, at: TIME },
    });
    await passMinutes(app, occurrence, 10);
    expect(await steps(tenant, occurrence)).toMatchObject({ open: false, next_at: null });
    expect(await steps(tenant, end)).toBeNull();
  });

  it('says nothing about steps unless it is asked', async () => {
    const tenant = await tenantOf();
    await opened(tenant);
    for (const item of await reader.list(tenant, 'occurrences/')) expect(item).not.toHaveProperty('steps');
  });

  it.each(['steps', 'open'])('takes 1 for %s and nothing else', async (name) => {
    const tenant = await tenantOf();
    const { status, body } = await reader.ask(tenant, `occurrences/?${name}=yes`);
    expect({ status, errors: (body as { errors: object }).errors }).toMatchObject({
      status: 400,
      errors: { [name]: [expect.anything()] },
    });
  });
});

describe('open occurrences', () => {
  it('are those that no event has ended, also when all steps are taken and somebody acknowledged', async () => {
    const tenant = await tenantOf();
    const [first, second] = [await opened(tenant, 'INC-1'), await opened(tenant, 'INC-2')];
    const end = await over(tenant, 'INC-1');
    expect(await open(tenant)).toEqual([second]);
    for (let i = 0; i < 3; i++) await passMinutes(app, second, 10);
    expect(await steps(tenant, second)).toMatchObject({ open: true, next_at: null });
    await acknowledge(tenant, second);
    expect(await open(tenant)).toEqual([second]);
    await over(tenant, 'INC-2');
    expect(await open(tenant)).toEqual([]);
    // It happens again: what was over stays so, and what is new is open.
    const again = await opened(tenant, 'INC-1');
    expect(await open(tenant, '&steps=1')).toEqual([again]);
    expect([first, end]).not.toContain(again);
  });

  it('end with an acknowledgement where no event says that they are over, until it lapses', async () => {
    const lapsing: NotificationEntry = { ...WITHOUT_THREAD, acknowledge: { by: 'anyone', for: '1h' } };
    for (const tenant of [await tenantOf([lapsing]), await tenantOf([{ ...lapsing, thread: 'incident' }], false)]) {
      const occurrence = await opened(tenant);
      expect(await open(tenant)).toEqual([occurrence]);
      await acknowledge(tenant, occurrence, BOB);
      expect(await open(tenant)).toEqual([]);
      expect(await steps(tenant, occurrence)).toMatchObject({ open: false, acknowledgement: { user: BOB } });
      await passMinutes(app, occurrence, 61);
      expect(await open(tenant)).toEqual([occurrence]);
      expect(await steps(tenant, occurrence)).toMatchObject({ open: true, acknowledgement: null });
    }
  });

  it('are none that were canceled, have expired, ask nobody, or whose notification does not apply', async () => {
    const ask = rule({ name: 'Ask', when: `incident == 'INC-1'` });
    const remind = rule({
      name: 'Remind',
      steps: [{ channels: ['app'] }, { after: '10m', unless: 'read', channels: ['hook'] }],
    });
    const tenant = await tenantOf([ask, remind]);
    const expiring = await opened(tenant, 'INC-1', { expires_at: '2099-01-01T00:00:00Z' });
    const canceled = await opened(tenant);
    const other = await opened(tenant, 'INC-3');
    expect(await open(tenant)).toEqual([canceled, expiring]);
    await send(tenant, `occurrences/${canceled}/cancel`, {});
    expect(await open(tenant)).toEqual([expiring]);
    const options = `jsonb_build_object('expires_at', now())`;
    await app.pool.query(`update occurrences set options = ${options} where id = $1`, [expiring]);
    expect(await open(tenant)).toEqual([]);
    expect(await steps(tenant, other)).toMatchObject({ open: false, next_at: TIME });
  });

  it('stay open when the notification asks nobody any more: their steps are those of the trigger', async () => {
    const tenant = await tenantOf();
    const occurrence = await opened(tenant);
    const path = `/api/o/${tenant.org}/${EVENTS}/order-paid/n/`;
    const [{ id } = { id: 0 }] = (await app.as(tenant.key).get(path)).body as Item[];
    await app.as(tenant.key).patch(`${path}${id}/`).send({ steps: null }).expect(200);
    expect(await open(tenant)).toEqual([occurrence]);
  });

  it('combine with the other filters, and come page by page', async () => {
    const tenant = await tenantOf();
    const ids = [];
    for (const incident of ['INC-1', 'INC-2', 'INC-3']) ids.unshift(await opened(tenant, incident));
    await over(tenant, 'INC-2');
    expect((await reader.pagedList(tenant, 'occurrences/?open=1')).map(({ id }) => id)).toEqual([ids[0], ids[2]]);
    expect(await open(tenant, '&context=INC-3')).toEqual([ids[0]]);
    expect(await open(tenant, '&event=shop/web/over')).toEqual([]);
    expect(await open(tenant, '&event=shop/web/order-paid&status=expanded')).toEqual([ids[0], ids[2]]);
    const stranger = await tenantOf();
    expect(await open(stranger)).toEqual([]);
  });
});
