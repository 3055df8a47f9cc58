import { describe, expect, it } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import type { ChannelEntry, TemplateEntry } from '../../src/operate/provisioning/file.js';
import { Task } from '../../src/platform/queue/task.js';
import type { TestApp } from '../support/app/app.js';
import { useApp, useSink } from '../support/app/use.js';
import { HttpSink } from '../support/sinks/http-sink.js';
import type { HttpReply, ReceivedRequest } from '../support/sinks/http-sink.js';
import { until } from '../support/until.js';
import { Tenant, inbox, queueIsEmpty, travelToNextAttempt, webhook } from '../support/world/tenant.js';
import type { AttemptRow, DeliveryRow, Given } from '../support/world/tenant.js';

let app: TestApp;
let sink: HttpSink;
useApp({ ROLE: 'all' }, (started) => (app = started));
useSink(
  () => HttpSink.start(),
  (started) => (sink = started),
);

/** A tenant who tells Ann over one webhook. */
const tenantWith = (config: ChannelEntry['config'] = {}) =>
  Tenant.create(app, {
    channels: [webhook('hook', sink.url('/in'), config)],
    users: [{ email: 'ann@acme.test', first_name: 'Ann' }],
    lists: [{ name: 'Staff', members: ['ann@acme.test'] }],
    notifications: [
      {
        name: 'Tell',
        distribution_list: 'Staff',
        templates: [{ channel: 'hook', subject: 'Order {{ order }}', text: 'Hi {{ user.first_name }}' }],
      },
    ],
  });

const secretOf = (letter: string) => `whsec_${Buffer.alloc(32, letter).toString('base64')}`;

const verify = (secret: string, { body, headers }: ReceivedRequest) =>
  new Webhook(secret).verify(body, headers as Record<string, string>);

/** How long after the end of an attempt the next one is due. */
const waitMs = ({ at, durationMs }: AttemptRow, { nextAttemptAt }: DeliveryRow) =>
  nextAttemptAt!.getTime() - at.getTime() - durationMs;

describe('a webhook', () => {
  it('says what the message is about, and is signed so that a Standard Webhooks library accepts it', async () => {
    const tenant = await tenantWith({ secret: secretOf('a') });
    const occurrence = await tenant.trigger({ order: 'A-17' });
    const [delivery] = await tenant.settled(occurrence);
    expect(sink.requests).toHaveLength(1);
    const [request] = sink.requests;
    expect(request).toMatchObject({
      method: 'POST',
      path: '/in',
      headers: { 'content-type': 'application/json', 'webhook-id': `${occurrence}.${delivery!.id}` },
    });
    expect(verify(secretOf('a'), request!)).toEqual({
      type: 'notification',
      timestamp: expect.any(String),
      data: {
        occurrence,
        organization: tenant.org,
        project: 'shop',
        application: 'web',
        event: 'order-paid',
        user: 'ann@acme.test',
        subject: 'Order A-17',
        text: 'Hi Ann',
        html: '',
        context: { order: 'A-17' },
      },
    });
    expect(() => verify(secretOf('b'), request!)).toThrow('No matching signature found');
  });

  it('is accepted under the new and under the previous secret while receivers change over', async () => {
    const tenant = await tenantWith({ secret: secretOf('b'), previous_secret: secretOf('a') });
    await tenant.triggerAndSettle();
    const [request] = sink.requests;
    expect(() => verify(secretOf('a'), request!)).not.toThrow();
    expect(() => verify(secretOf('b'), request!)).not.toThrow();
    expect(() => verify(secretOf('c'), request!)).toThrow('No matching signature found');
  });
});

describe('a webhook that is one room', () => {
  const PEOPLE = ['ann', 'bob', 'cem'].map((name) => `${name}@acme.test`);
  const POST: TemplateEntry = { channel: 'hook', subject: 'Order {{ order }}', text: 'paid', per: undefined };

  /** A tenant with a room, which posts to it without any list unless something else is said. */
  const roomWith = (given: Partial<Given> = {}, post: Partial<TemplateEntry> = {}) =>
    Tenant.create(app, {
      channels: [webhook('hook', sink.url('/in')), inbox('inbox')],
      users: PEOPLE.map((email) => ({ email })),
      lists: [{ name: 'Staff', members: PEOPLE }],
      notifications: [{ name: 'Tell', templates: [{ ...POST, ...post }] }],
      ...given,
    });

  const bodies = () => sink.requests.map(({ body }) => (JSON.parse(body) as { data: object }).data);

  it('gets one post with the context of the trigger, and needs no people', async () => {
    const tenant = await roomWith();
    const occurrence = await tenant.trigger({ order: 'A-17', lines: [{ price: 12 }] });
    expect(await tenant.settled(occurrence)).toMatchObject([{ user: null, status: 'sent', attempts: 1 }]);
    expect(bodies()).toEqual([
      {
        ...{ occurrence, organization: tenant.org, project: 'shop', application: 'web', event: 'order-paid' },
        ...{ user: null, subject: 'Order A-17', text: 'paid', html: '' },
        context: { order: 'A-17', lines: [{ price: 12 }] },
      },
    ]);
    const { body } = await app.as(tenant.key).get(`/api/o/${tenant.org}/occurrences/${occurrence}/deliveries/`);
    expect(body).toMatchObject([{ channel: 'hook', per: 'room', user: null, status: 'sent' }]);
  });

  it('gets one post whoever the list and the audience reach, who do not count it as a person', async () => {
    const audience = { field: 'email', is: PEOPLE[0] };
    const templates: TemplateEntry[] = [POST, { channel: 'inbox', text: 'Hi {{ user.email }}' }];
    const tenant = await roomWith({
      maxRecipients: 3,
      notifications: [
        { name: 'Both', distribution_list: 'Staff', audience, templates },
        { name: 'Other', audience: { field: 'email', is: 'nobody@acme.test' }, templates: [POST] },
      ],
    });
    const deliveries = await tenant.triggerAndSettle();
    expect(deliveries.map(({ notification, channel, user }) => [notification, channel, user])).toEqual([
      ['Both', 'hook', null],
      ...PEOPLE.map((user) => ['Both', 'inbox', user]),
      ['Other', 'hook', null],
    ]);
    expect(sink.requests).toHaveLength(2);
  });

  it('gets a message for each person where its template says per: person', async () => {
    const notifications = [
      { name: 'Tell', distribution_list: 'Staff', templates: [{ ...POST, per: 'person' as const, text: 'Hi' }] },
    ];
    const tenant = await roomWith({ notifications });
    await tenant.triggerAndSettle({ order: 1 });
    expect(bodies().map((data) => 'user' in data && data.user)).toEqual(expect.arrayContaining(PEOPLE));
    expect(sink.requests).toHaveLength(3);
    for (const data of bodies()) expect(data).toMatchObject({ context: { order: 1 } });
  });

  it('gets no second post from a large expansion that is made again', async () => {
    const crowd = Array.from({ length: 150 }, (_, n) => `user${n}@acme.test`);
    const templates: TemplateEntry[] = [POST, { channel: 'inbox', text: 'Hi' }];
    const tenant = await roomWith({
      maxRecipients: 150,
      users: [...crowd, 'other@acme.test'].map((email) => ({ email })),
      lists: [{ name: 'Staff', members: crowd }],
      notifications: [
        { name: 'Tell', distribution_list: 'Staff', templates },
        // The ceiling does not count the people of a rule that only posts to a room.
        { name: 'Other', audience: { field: 'email', is: 'other@acme.test' }, templates: [POST] },
      ],
    });
    const occurrence = await tenant.trigger();
    expect(await tenant.settled(occurrence)).toHaveLength(152);
    // As after a crash between the chunk of the room and the next one.
    await app.pool.query(
      `with again as (
         update occurrences set status = 'expanding', expanded_at = null, checkpoint = '{"target": 0, "after": 0, "people": 0}'
         where id = $1 returning id, organization_id)
       insert into jobs (task, organization_id, payload)
       select $2, organization_id, jsonb_build_object('occurrence', id) from again`,
      [occurrence, Task.ExpandOne],
    );
    expect(await tenant.settled(occurrence)).toHaveLength(152);
    await queueIsEmpty(app);
    expect(sink.requests).toHaveLength(2);
  });

  it('gets its post after a retry by hand, under the same id, and the status webhook hears of both', async () => {
    const secret = secretOf('s');
    const tenant = await roomWith({ statusWebhook: { url: sink.url('/status'), secret } });
    const posts = () => sink.requests.filter(({ path }) => path === '/in');
    sink.reply = ({ path }) => ({ status: path === '/in' && posts().length === 1 ? 410 : 200 });
    const occurrence = await tenant.trigger();
    expect(await tenant.settled(occurrence)).toMatchObject([{ user: null, status: 'dead' }]);
    const retry = `/api/o/${tenant.org}/occurrences/${occurrence}/retry/`;
    expect((await app.as(tenant.key).post(retry)).body).toMatchObject({ retrying: 1 });
    await until(15_000, async () => (await tenant.deliveries(occurrence))[0]!.status === 'sent');
    await queueIsEmpty(app);
    expect(posts()).toHaveLength(2);
    expect(new Set(posts().map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    const reports = sink.requests.filter(({ path }) => path === '/status').map((request) => verify(secret, request));
    const reported = reports.flatMap((each) => (each as { data: { deliveries: object[] } }).data.deliveries);
    expect(reported).toHaveLength(2);
    for (const outcome of ['dead', 'sent'])
      expect(reported).toContainEqual(expect.objectContaining({ channel: 'hook', user: null, outcome }));
  });

  it('gives its post to the room that is its fallback, and ends with it when it is canceled', async () => {
    const fallback = { ...webhook('hook', sink.url('/in')), fallback: 'spare' };
    const tenant = await roomWith({ channels: [fallback, webhook('spare', sink.url('/spare')), inbox('inbox')] });
    sink.reply = ({ path }) => ({ status: path === '/in' ? 410 : 503, headers: { 'retry-after': '3600' } });
    const occurrence = await tenant.trigger();
    const spare = await until(15_000, async () =>
      (await tenant.deliveries(occurrence)).find(({ channel, attempts }) => channel === 'spare' && attempts === 1),
    );
    expect(spare).toMatchObject({ user: null, status: 'pending' });
    expect((await app.as(tenant.key).post(`/api/o/${tenant.org}/occurrences/${occurrence}/cancel/`)).status).toBe(200);
    expect(await tenant.settled(occurrence, undefined, 'canceled')).toMatchObject([
      { channel: 'hook', user: null, status: 'dead' },
      { channel: 'spare', user: null, status: 'skipped', gate: 'canceled' },
    ]);
    expect(sink.requests.map(({ path }) => path)).toEqual(['/in', '/spare']);
    // The job of the next attempt, which finds nothing to do.
    await app.pool.query(`update jobs set run_at = now() where state = 'scheduled'`);
    await queueIsEmpty(app);
  });

  it('gets a dead post when the condition of its rule fails, and none when only some people are meant', async () => {
    const tenant = await roomWith({ notifications: [{ name: 'Tell', when: 'length(total)', templates: [POST] }] });
    const failed = await tenant.triggerAndSettle({ total: 7 });
    expect(failed).toMatchObject([{ user: null, status: 'dead', reason: expect.stringContaining('length()') }]);
    const limited = await tenant.trigger({ total: 'x' }, { limit_to: [PEOPLE[0]] });
    expect(await tenant.settled(limited)).toEqual([]);
    expect(await tenant.decisions(limited)).toMatchObject([{ channels: [{ slug: 'hook', verdict: 'limited' }] }]);
    expect(sink.requests).toEqual([]);
  });
});

describe('the answer of the receiver', () => {
  it.each<[string, HttpReply, DeliveryRow['status'], AttemptRow['outcome'], string, string | null]>([
    ['200', { status: 200, body: 'thanks' }, 'sent', 'sent', '200 thanks', null],
    ['400', { status: 400, body: 'bad' }, 'dead', 'rejected', '400 bad', 'rejected by the provider: 400 bad'],
    ['410', { status: 410, body: 'gone' }, 'dead', 'rejected', '410 gone', 'rejected by the provider: 410 gone'],
  ])('%s ends the delivery at the first attempt', async (_, reply, status, outcome, answer, reason) => {
    sink.reply = () => reply;
    const tenant = await tenantWith();
    const occurrence = await tenant.trigger();
    const deliveries = await tenant.settled(occurrence);
    expect(deliveries).toMatchObject([{ status, reason, attempts: 1, gate: null, nextAttemptAt: null }]);
    expect(await tenant.attempts(occurrence)).toEqual([
      { number: 1, at: expect.any(Date), durationMs: expect.any(Number), outcome, answer },
    ]);
    await queueIsEmpty(app);
    expect(sink.requests).toHaveLength(1);
  });

  it.each<[string, HttpReply, string, [number, number], number]>([
    ['500', { status: 500, body: 'oops', delayMs: 100 }, '500 oops', [4000, 6000], 95],
    ['a reset connection', 'reset', '.*(other side closed|ECONNRESET)', [4000, 6000], 0],
    ['no answer in time', 'silence', 'no answer in 1000 ms', [4000, 6000], 995],
    [
      '429 with a Retry-After',
      { status: 429, headers: { 'retry-after': '120' }, body: 'slow down' },
      '429 slow down',
      [120_000, 120_000],
      0,
    ],
  ])('%s is tried again later', async (_, reply, answer, [earliest, latest], shortest) => {
    sink.reply = () => (sink.requests.length === 1 ? reply : { status: 200 });
    const tenant = await tenantWith({ timeout_seconds: 1 });
    const occurrence = await tenant.trigger();
    const [delivery] = await tenant.tried(occurrence, 1);
    const [attempt] = await tenant.attempts(occurrence);
    expect(delivery).toMatchObject({ status: 'pending', attempts: 1, gate: null, reason: null });
    expect(attempt).toMatchObject({ number: 1, outcome: 'retry', answer: expect.stringMatching(`^(${answer})$`) });
    expect(attempt!.durationMs).toBeGreaterThanOrEqual(shortest);
    expect(waitMs(attempt!, delivery!)).toBeGreaterThanOrEqual(earliest - 1);
    expect(waitMs(attempt!, delivery!)).toBeLessThanOrEqual(latest);
    await travelToNextAttempt(app);
    expect(await tenant.settled(occurrence)).toMatchObject([{ status: 'sent', attempts: 2 }]);
    expect((await tenant.attempts(occurrence)).map(({ outcome }) => outcome)).toEqual(['retry', 'sent']);
  });

  it('500 for ever is given up after eight attempts over eighteen hours, all under one webhook-id', async () => {
    const schedule = [5, 30, 300, 1800, 7200, 18_000, 36_000];
    sink.reply = () => ({ status: 500, body: 'oops' });
    const tenant = await tenantWith();
    const occurrence = await tenant.trigger();
    for (const [index, seconds] of schedule.entries()) {
      const [delivery] = await tenant.tried(occurrence, index + 1);
      const attempt = (await tenant.attempts(occurrence)).at(-1)!;
      expect([delivery!.status, attempt.number]).toEqual(['pending', index + 1]);
      expect(waitMs(attempt, delivery!)).toBeGreaterThanOrEqual(seconds * 800 - 1);
      expect(waitMs(attempt, delivery!)).toBeLessThanOrEqual(seconds * 1200);
      await travelToNextAttempt(app);
    }
    expect(await tenant.settled(occurrence)).toMatchObject([
      { status: 'dead', attempts: 8, reason: 'given up after 8 attempts: 500 oops', nextAttemptAt: null },
    ]);
    expect(await tenant.attempts(occurrence)).toHaveLength(8);
    await queueIsEmpty(app);
    expect(sink.requests).toHaveLength(8);
    expect(new Set(sink.requests.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  });
});
