import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { TestApp } from '../support/app/app.js';
import { startWorker } from '../support/app/worker.js';
import { HttpSink } from '../support/sinks/http-sink.js';
import { Tenant, queueIsEmpty, travelToNextAttempt, webhook } from '../support/world/tenant.js';
import type { Given } from '../support/world/tenant.js';

let app: TestApp;
let worker: Awaited<ReturnType<typeof startWorker>> | undefined;
let sink: HttpSink;
beforeEach(async () => {
  app = await TestApp.start({ ROLE: 'api' });
  sink = await HttpSink.start();
});
afterEach(async () => {
  await worker?.stop();
  worker = undefined;
  await app.stop();
  await sink.close();
});

const ANN = 'ann@acme.test';
const BOB = 'bob@acme.test';

const told = (text: string, when?: string): Given => ({
  notifications: [{ name: 'Tell', when, distribution_list: 'Staff', templates: [{ channel: 'hook', text }] }],
});

const tenantWith = (given: Given) =>
  Tenant.create(app, {
    channels: [webhook('hook', sink.url())],
    lists: [{ name: 'Staff', members: [ANN] }],
    ...given,
  });

/** What arrived: who was told what. */
const arrived = () =>
  sink.requests
    .map(({ body }) => (JSON.parse(body) as { data: { user: string; text: string } }).data)
    .map(({ user, text }) => `${user}: ${text}`)
    .sort();

async function addToStaff(tenant: Tenant, email: string): Promise<void> {
  const lists = `/api/o/${tenant.org}/p/shop/d/`;
  const { body } = await app.as(tenant.key).get(lists);
  const [{ id }] = body as [{ id: number }];
  const { status } = await app.as(tenant.key).post(`${lists}${id}/add/`).send([email]);
  expect(status).toBe(200);
}

it('what was triggered before a rule and its template were edited goes out as they were; the next as they are', async () => {
  const tenant = await tenantWith(told('old {{ order }}'));
  const before = await tenant.trigger({ order: 1 });
  await tenant.apply(told('new {{ order }}', 'order > `1`'));
  const filtered = await tenant.trigger({ order: 1 });
  const after = await tenant.trigger({ order: 2 });
  expect(await tenant.deliveries(before)).toEqual([]);
  worker = await startWorker(app);
  expect(await tenant.settled(before)).toMatchObject([{ status: 'sent' }]);
  expect(await tenant.settled(filtered)).toEqual([]);
  expect(await tenant.settled(after)).toMatchObject([{ status: 'sent' }]);
  expect(arrived()).toEqual([`${ANN}: new 2`, `${ANN}: old 1`]);
});

it('a retry says what the first attempt said, whatever was edited in between', async () => {
  sink.reply = () => ({ status: 500 });
  const tenant = await tenantWith(told('old'));
  const occurrence = await tenant.trigger();
  worker = await startWorker(app);
  await tenant.tried(occurrence, 1);
  await tenant.apply(told('new', 'never'));
  sink.reply = () => ({ status: 200 });
  await travelToNextAttempt(app);
  expect(await tenant.settled(occurrence)).toMatchObject([{ status: 'sent', attempts: 2 }]);
  expect(arrived()).toEqual([`${ANN}: old`, `${ANN}: old`]);
});

it('people are read when a message is expanded: who joined the list after the trigger is told too', async () => {
  const tenant = await tenantWith(told('hi'));
  const occurrence = await tenant.trigger();
  await addToStaff(tenant, BOB);
  worker = await startWorker(app);
  expect(await tenant.settled(occurrence)).toMatchObject([
    { user: ANN, status: 'sent' },
    { user: BOB, status: 'sent' },
  ]);
  expect(arrived()).toEqual([`${ANN}: hi`, `${BOB}: hi`]);
});

it('who leaves or joins the list after the expansion changes nothing', async () => {
  sink.reply = () => ({ status: 500 });
  const tenant = await tenantWith(told('hi'));
  const occurrence = await tenant.trigger();
  worker = await startWorker(app);
  await tenant.tried(occurrence, 1);
  await app.pool.query('delete from members');
  await addToStaff(tenant, BOB);
  sink.reply = () => ({ status: 200 });
  await travelToNextAttempt(app);
  expect(await tenant.settled(occurrence)).toMatchObject([{ user: ANN, status: 'sent', attempts: 2 }]);
  await queueIsEmpty(app);
  expect(arrived()).toEqual([`${ANN}: hi`, `${ANN}: hi`]);
});
