import { describe, expect, it } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import type { ChannelEntry } from '../../src/provisioning/file.js';
import type { TestApp } from '../support/app/app.js';
import { useApp, useSink } from '../support/app/use.js';
import { HttpSink } from '../support/sinks/http-sink.js';
import type { HttpReply, ReceivedRequest } from '../support/sinks/http-sink.js';
import { Tenant, queueIsEmpty, travelToNextAttempt, webhook } from '../support/world/tenant.js';
import type { AttemptRow, DeliveryRow } from '../support/world/tenant.js';

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
