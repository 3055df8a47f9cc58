import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import webpushLibrary from 'web-push';
import { FakePushService } from '../../../test/support/providers/push-service.js';
import type { HttpReply } from '../../../test/support/sinks/http-sink.js';
import { about } from '../../../test/support/world/about.js';
import type { ChannelConfig, Message } from '../dispatcher.js';
import { Outbound } from '../outbound/outbound.js';
import { WebpushDispatcher } from './webpush.dispatcher.js';

const vapid = webpushLibrary.generateVAPIDKeys();
const other = webpushLibrary.generateVAPIDKeys();
const config = { public_key: vapid.publicKey, private_key: vapid.privateKey, subject: 'mailto:ops@acme.test' };

let service: FakePushService;
const outbound = new Outbound({ allow: ['127.0.0.0/8'] });
const webpush = new WebpushDispatcher(outbound);

beforeAll(async () => {
  service = await FakePushService.start();
});
afterAll(async () => {
  await outbound.close();
  await service.close();
});
beforeEach(() => service.reset());

const message: Message = { id: 'm1', to: '', subject: 'Paid', text: 'Hi Ann 🛎', html: '<p>Hi</p>', about, context: {} };

type Subscription = ReturnType<FakePushService['subscribe']>;

const send = (
  subscription: Partial<Subscription> = service.subscribe(vapid.publicKey),
  change: Partial<Message> = {},
  changed: ChannelConfig = config,
) => webpush.send({ ...message, to: JSON.stringify(subscription), ...change }, changed);

describe('a push message', () => {
  it('reaches the browser, and only the browser can read it', async () => {
    const subscription = service.subscribe(vapid.publicKey);
    expect(await send(subscription)).toEqual({ kind: 'sent', answer: '201' });
    expect(service.shown).toEqual([
      {
        path: new URL(subscription.endpoint).pathname,
        payload: { title: 'Paid', body: 'Hi Ann 🛎', data: { occurrence: 'o1', event: 'paid' } },
        bytes: expect.any(Number),
      },
    ]);
    expect(service.requests[0]).toMatchObject({
      method: 'POST',
      headers: { ttl: '604800', urgency: 'normal', 'content-encoding': 'aes128gcm', 'user-agent': 'Carillon' },
    });
    expect(service.requests[0]?.body).not.toContain('Paid');
  });

  it.each(['x', '🛎', '"'])('of many %j is cut to the limit of push services', async (letter) => {
    expect(await send(undefined, { text: letter.repeat(9000) })).toMatchObject({ kind: 'sent' });
    expect(service.shown[0]?.bytes).toBeLessThanOrEqual(4096);
    expect(service.shown[0]?.bytes).toBeGreaterThan(4088);
  });

  it('names the host that it is sent to, however the endpoint is written', async () => {
    const { endpoint, ...rest } = service.subscribe(vapid.publicKey);
    const odd = endpoint.replace('http://127.0.0.1', 'hTTp:\\\\0x7f.\t0.0.1');
    expect(await send({ ...rest, endpoint: odd })).toEqual({ kind: 'sent', answer: '201' });
  });
});

describe('the push service’s answer', () => {
  it('that the subscription is gone is final', async () => {
    expect(await send(service.subscribe(vapid.publicKey, 'gone'))).toEqual({
      kind: 'rejected',
      answer: expect.stringMatching(/^410 .*"Gone"/),
      fault: 'device',
    });
    const unknown = { ...service.subscribe(vapid.publicKey), endpoint: `${service.origin}/push/unknown` };
    expect(await send(unknown)).toEqual({
      kind: 'rejected',
      answer: expect.stringMatching(/^404 .*"Not Found"/),
      fault: 'device',
    });
  });

  it('to a key that the browser did not subscribe to is final', async () => {
    expect(await send(service.subscribe(other.publicKey))).toEqual({
      kind: 'rejected',
      answer: expect.stringMatching(/^403 .*"Forbidden"/),
      fault: 'message',
    });
    const mixed = { ...config, private_key: other.privateKey };
    expect(await send(undefined, {}, mixed)).toEqual({
      kind: 'rejected',
      answer: expect.stringMatching(/^401 .*"Unauthorized"/),
      fault: 'message',
    });
  });

  it('to too many messages says when to try again', async () => {
    expect(await send(service.subscribe(vapid.publicKey, 'too busy'))).toEqual({
      kind: 'retry',
      about: 'recipient',
      afterSeconds: 11,
      answer: expect.stringMatching(/^429 .*"Too Many Requests"/),
    });
  });

  it.each<[HttpReply, string]>([
    [{ status: 202 }, 'sent'],
    [{ status: 301, headers: { location: 'http://169.254.169.254/' } }, 'rejected'],
    [{ status: 400, body: 'UnauthorizedRegistration' }, 'rejected'],
    [{ status: 413, body: 'Payload Too Large' }, 'rejected'],
    [{ status: 500 }, 'retry'],
    [{ status: 503, headers: { 'retry-after': '7' } }, 'retry'],
    ['reset', 'retry'],
  ])('%j means %s', async (reply, kind) => {
    service.sink.reply = () => reply;
    expect(await send()).toMatchObject({ kind });
  });

  it('is stored without our keys and tokens', async () => {
    service.sink.reply = ({ headers }) => ({ status: 400, body: `${headers.authorization} ${vapid.privateKey}` });
    const { answer } = await send();
    expect(answer).toBe(`400 vapid t=***, k=${vapid.publicKey} ***`);
    expect(service.requests[0]?.headers.authorization).toMatch(/^vapid t=[\w-]+\.[\w-]+\.[\w-]+, k=/);
  });
});

describe('an address', () => {
  const keys = { p256dh: vapid.publicKey, auth: Buffer.alloc(16, 1).toString('base64url') };
  const endpoint = 'https://push.test/1';

  it.each([
    '',
    'ann@acme.test',
    'null',
    '[]',
    '"https://push.test/1"',
    '{"endpoint":',
    { endpoint },
    { keys },
    { endpoint, keys: null },
    { endpoint, keys: { auth: keys.auth } },
    { endpoint, keys: { ...keys, auth: 7 } },
    { endpoint: [endpoint], keys },
  ])('that is not a subscription is rejected: %j', async (address) => {
    const to = typeof address === 'string' ? address : JSON.stringify(address);
    expect(await webpush.send({ ...message, to }, config)).toEqual({
      kind: 'rejected',
      answer: 'the address is not a push subscription: JSON with an endpoint and, in keys, p256dh and auth',
      fault: 'message',
      isLocal: true,
      setsAside: true,
    });
  });

  it.each([
    [{ ...keys, p256dh: 'AAAA' }, 'p256dh value should be 65 bytes long'],
    [{ ...keys, p256dh: Buffer.alloc(65, 4).toString('base64url') }, 'Public key is not valid for specified curve'],
    [{ ...keys, auth: 'AAAA' }, 'auth key should be at least 16 bytes long'],
  ])('with invalid keys is rejected: %j', async (bad, answer) => {
    expect(await send({ endpoint: `${service.origin}/in`, keys: bad })).toEqual({
      kind: 'rejected',
      answer: expect.stringContaining(answer),
      fault: 'message',
      isLocal: true,
      setsAside: true,
    });
    expect(service.requests).toHaveLength(0);
  });

  it.each([
    ['push.test/1', 'the address is not a URL'],
    ['file:///etc/passwd', 'only http and https are allowed'],
    ['https://a:b@push.test/1', 'credentials in the URL are not allowed'],
  ])('whose endpoint is %s is rejected', async (bad, answer) => {
    expect(await send({ endpoint: bad, keys })).toEqual({
      ...{ kind: 'rejected', answer, fault: 'message' },
      ...{ isLocal: true, setsAside: true },
    });
  });

  it('stays as it is when a message has too much data', async () => {
    const rich = { data: { text: 'x'.repeat(3500) } };
    expect(await send(undefined, { rich })).toEqual({
      kind: 'rejected',
      answer: 'data has 3511 bytes, and the channel takes 3400: leave some of it out',
      fault: 'message',
      isLocal: true,
    });
    expect(service.requests).toHaveLength(0);
  });

  it.each(['http://127.0.0.1:1/', 'http://169.254.169.254/latest/', 'https://[::1]/', 'http://2130706433/'])(
    'cannot lead us to %s',
    async (bad) => {
      const closed = new WebpushDispatcher(new Outbound());
      const outcome = await closed.send({ ...message, to: JSON.stringify({ endpoint: bad, keys }) }, config);
      const answer: unknown = expect.stringContaining('is not allowed: it has a');
      expect(outcome).toEqual({ kind: 'rejected', answer, fault: 'message' });
    },
  );

  it('whose push service cannot be found now is tried again', async () => {
    const lost = new WebpushDispatcher(new Outbound({ resolver: () => Promise.reject(new Error('ENOTFOUND')) }));
    expect(await lost.send({ ...message, to: JSON.stringify({ endpoint, keys }) }, config)).toEqual({
      kind: 'retry',
      about: 'either',
      answer: 'push.test cannot be resolved: ENOTFOUND',
    });
  });
});

describe('the settings', () => {
  const zeros = (bytes: number) => Buffer.alloc(bytes).toString('base64url');

  it.each([
    [{ public_key: zeros(64) }, 'public_key must be 65 bytes in base64url'],
    [{ public_key: `${vapid.publicKey}=` }, 'public_key must be 65 bytes in base64url'],
    [{ private_key: zeros(31) }, 'private_key must be 32 bytes in base64url'],
    [{ private_key: 'x y' }, 'private_key must be 32 bytes in base64url'],
    [{ private_key: zeros(32) }, 'public_key and private_key must belong together'],
    [{ public_key: other.publicKey }, 'public_key and private_key must belong together'],
    [{ public_key: zeros(65) }, 'public_key and private_key must belong together'],
    [{ subject: 'ops@acme.test' }, 'subject must be a mailto: or https: URL'],
    [{ subject: 'http://acme.test' }, 'subject must be a mailto: or https: URL'],
    [{ subject: 'mailto:' }, 'subject must be a mailto: or https: URL'],
    [{ subject: 'https://' }, 'subject must be a mailto: or https: URL'],
  ])('cannot be %j', (change, problem) => {
    expect(webpush.check({ ...config, ...change })).toBe(problem);
  });

  it('can be a pair of keys and a contact', () => {
    expect(webpush.check(config)).toBeNull();
    expect(webpush.check({ ...config, subject: 'https://acme.test/contact' })).toBeNull();
  });

  it.each<ChannelConfig>([
    {},
    { ...config, private_key: 'x' },
    { ...config, public_key: 'x' },
    { ...config, subject: 'nobody' },
  ])('that are invalid send nothing: %#', async (bad) => {
    const answer: unknown = expect.stringMatching(/./);
    expect(await send(undefined, {}, bad)).toEqual({ kind: 'rejected', answer, fault: 'channel', isLocal: true });
    expect(service.requests).toHaveLength(0);
  });
});
