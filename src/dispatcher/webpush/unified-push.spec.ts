import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import webpushLibrary from 'web-push';
import { FakeUnifiedPush } from '../../../test/support/providers/unified-push.js';
import type { HttpReply } from '../../../test/support/sinks/http-sink.js';
import { about } from '../../../test/support/world/about.js';
import type { Message } from '../dispatcher.js';
import { Outbound } from '../outbound/outbound.js';
import { WebpushDispatcher } from './webpush.dispatcher.js';

const vapid = webpushLibrary.generateVAPIDKeys();
const config = { public_key: vapid.publicKey, private_key: vapid.privateKey, subject: 'mailto:ops@acme.test' };

let server: FakeUnifiedPush;
const outbound = new Outbound({ allow: ['127.0.0.0/8'] });
const webpush = new WebpushDispatcher(outbound);

beforeAll(async () => {
  server = await FakeUnifiedPush.start();
});
afterAll(async () => {
  await outbound.close();
  await server.close();
});
beforeEach(() => {
  server.reset();
  server.wantsVapid = true;
});

const message: Message = { id: 'm1', to: '', subject: 'Paid', text: 'Hi Ann 🛎', html: '', about, context: {} };

const send = (change: Partial<Message> = {}, subscription = server.register(vapid.publicKey)) =>
  webpush.send({ ...message, to: JSON.stringify(subscription), ...change }, config);

const headers = () => server.requests.map(({ headers: { ttl, urgency, topic } }) => ({ ttl, urgency, topic }));

describe('an app with UnifiedPush', () => {
  it('gets a message that only it can read', async () => {
    expect(await send()).toEqual({ kind: 'sent', answer: '201' });
    expect(server.shown).toMatchObject([{ payload: { title: 'Paid', body: 'Hi Ann 🛎' } }]);
    expect(server.requests[0]!.raw.includes('Ann')).toBe(false);
  });

  it('gets one over the longest endpoint that the specification allows', async () => {
    const subscription = server.register(vapid.publicKey, 'live', 1000);
    expect(Buffer.byteLength(subscription.endpoint)).toBe(1000);
    expect(await send({}, subscription)).toEqual({ kind: 'sent', answer: '201' });
  });

  it('gets one through a server that does not know the key of the sender', async () => {
    server.wantsVapid = false;
    const other = webpushLibrary.generateVAPIDKeys();
    expect(await send({}, server.register(other.publicKey))).toEqual({ kind: 'sent', answer: '201' });
  });

  it('gets no more than the 4,096 bytes that every server takes', async () => {
    expect(await send({ subject: '🛎'.repeat(500), text: '"é'.repeat(9000) })).toEqual({ kind: 'sent', answer: '201' });
    expect(server.shown[0]!.bytes).toBeGreaterThan(4080);
    expect(server.shown[0]!.bytes).toBeLessThanOrEqual(4096);
  });

  it('is woken up for urgent messages, and spared for messages to many', async () => {
    for (const priority of ['critical', 'normal', 'bulk', undefined] as const) await send({ priority });
    expect(headers().map(({ urgency }) => urgency)).toEqual(['high', 'normal', 'low', 'normal']);
  });

  it('gets no message that has expired while the device was off', async () => {
    const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1000 + 500);
    for (const expiresAt of [undefined, inSeconds(90), inSeconds(30 * 86_400), inSeconds(-5)])
      await send({ expiresAt });
    expect(headers().map(({ ttl }) => ttl)).toEqual(['604800', '90', '604800', '0']);
  });

  it('gets a message that was repeated while the device was off once', async () => {
    const subscription = server.register(vapid.publicKey);
    for (const id of ['018f3c1e-0000-7000-8000-000000000001.7', '018f3c1e-0000-7000-8000-000000000001.7', 'm2'])
      await send({ id }, subscription);
    const [first, again, other] = headers().map(({ topic }) => topic);
    expect([again === first, other === first]).toEqual([true, false]);
  });
});

describe('the answer of a push server', () => {
  it.each<[HttpReply, object]>([
    [{ status: 200 }, { kind: 'sent' }],
    [{ status: 201 }, { kind: 'sent' }],
    [{ status: 202 }, { kind: 'sent' }],
    [{ status: 204 }, { kind: 'sent' }],
    ...[301, 302, 307, 308].map((status): [HttpReply, object] => [
      { status, headers: { location: 'http://127.0.0.1:1/' } },
      { kind: 'rejected', fault: 'message' },
    ]),
    [{ status: 400 }, { kind: 'rejected', fault: 'message' }],
    [{ status: 401 }, { kind: 'rejected', fault: 'message' }],
    [{ status: 403 }, { kind: 'rejected', fault: 'message' }],
    [{ status: 404 }, { kind: 'rejected', fault: 'device' }],
    [{ status: 410 }, { kind: 'rejected', fault: 'device' }],
    [{ status: 413 }, { kind: 'rejected', fault: 'message' }],
    [
      { status: 429, headers: { 'retry-after': '30' } },
      { kind: 'retry', about: 'recipient', afterSeconds: 30 },
    ],
    [{ status: 429 }, { kind: 'retry', about: 'recipient' }],
    [{ status: 500 }, { kind: 'retry', about: 'either' }],
    [
      { status: 503, headers: { 'retry-after': '7' } },
      { kind: 'retry', about: 'either', afterSeconds: 7 },
    ],
    [{ status: 507 }, { kind: 'retry', about: 'either' }],
    ['reset', { kind: 'retry', about: 'either' }],
  ])('%j means %j', async (reply, outcome) => {
    server.sink.reply = () => reply;
    const given = await send();
    expect(given).toMatchObject(outcome);
    expect(given).not.toHaveProperty('isSlowDown');
    expect(server.requests.length).toBeLessThanOrEqual(2);
  });
});
