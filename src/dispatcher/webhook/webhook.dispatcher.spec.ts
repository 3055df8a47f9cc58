import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { HttpSink, type HttpReply } from '../../../test/support/sinks/http-sink.js';
import { about } from '../../../test/support/world/about.js';
import type { Message } from '../dispatcher.js';
import { Outbound } from '../outbound/outbound.js';
import { WebhookDispatcher } from './webhook.dispatcher.js';

let sink: HttpSink;
const outbound = new Outbound({ allow: ['127.0.0.0/8'] });
const webhook = new WebhookDispatcher(outbound);

beforeAll(async () => {
  sink = await HttpSink.start();
});
afterAll(async () => {
  await outbound.close();
  await sink.close();
});
beforeEach(() => {
  sink.requests.length = 0;
  sink.reply = () => ({ status: 200, body: 'ok' });
});

const message: Message = {
  id: 'm1',
  to: '',
  subject: 'Paid',
  text: 'Hi 🛎 "you"',
  html: '<p>Hi</p>',
  about,
  context: { order: 'A-17' },
};

const WHSEC = `whsec_${Buffer.from('a signing secret of 32 bytes or so').toString('base64')}`;
const headersOf = (at = 0) => sink.requests[at]?.headers as Record<string, string>;

describe('a webhook', () => {
  it('posts the message with its names', async () => {
    expect(await webhook.send(message, { url: sink.url('/in') })).toEqual({ kind: 'sent', answer: '200 ok' });
    expect(sink.requests[0]).toMatchObject({ method: 'POST', path: '/in' });
    expect(headersOf()).toMatchObject({
      'content-type': 'application/json',
      'webhook-id': 'm1',
      'user-agent': 'Carillon',
    });
    const body = JSON.parse(sink.requests[0]?.body ?? '') as { timestamp: string };
    expect(body).toEqual({
      type: 'notification',
      timestamp: body.timestamp,
      data: { ...about, subject: 'Paid', text: 'Hi 🛎 "you"', html: '<p>Hi</p>', context: { order: 'A-17' } },
    });
    expect(new Date(body.timestamp).toISOString()).toBe(body.timestamp);
  });

  it('is signed so that Standard Webhooks verifies it', async () => {
    await webhook.send(message, { url: sink.url(), secret: WHSEC });
    const { body } = sink.requests[0] ?? { body: '' };
    expect(new Webhook(WHSEC).verify(body, headersOf())).toMatchObject({ type: 'notification' });
    expect(() => new Webhook(WHSEC).verify(`${body} `, headersOf())).toThrow('No matching signature');
  });

  it('is signed with a secret of plain text', async () => {
    await webhook.send(message, { url: sink.url(), secret: 'plain, not base64' });
    const verifier = new Webhook('plain, not base64', { format: 'raw' });
    expect(verifier.verify(sink.requests[0]?.body ?? '', headersOf())).toMatchObject({ type: 'notification' });
  });

  it('is signed with both secrets while they change', async () => {
    const old = `whsec_${Buffer.from('the one before').toString('base64')}`;
    await webhook.send(message, { url: sink.url(), secret: WHSEC, previous_secret: old });
    for (const secret of [WHSEC, old]) {
      expect(new Webhook(secret).verify(sink.requests[0]?.body ?? '', headersOf())).toBeTruthy();
    }
    expect(headersOf()['webhook-signature']?.split(' ')).toHaveLength(2);
  });

  it('has no signature without a secret', async () => {
    await webhook.send(message, { url: sink.url() });
    expect(headersOf()).not.toHaveProperty('webhook-signature');
    expect(headersOf()).toHaveProperty('webhook-timestamp');
  });

  it('has the same message id at every attempt', async () => {
    for (let i = 0; i < 2; i += 1) await webhook.send(message, { url: sink.url(), secret: WHSEC });
    expect(headersOf(0)['webhook-id']).toBe(headersOf(1)['webhook-id']);
  });
});

describe('the receiver’s answer', () => {
  it.each<[HttpReply, string, number | undefined]>([
    [{ status: 200 }, 'sent', undefined],
    [{ status: 204 }, 'sent', undefined],
    [{ status: 301, headers: { location: 'http://169.254.169.254/' } }, 'rejected', undefined],
    [{ status: 307, headers: { location: '/elsewhere', 'retry-after': '5' } }, 'rejected', undefined],
    [{ status: 400, headers: { 'retry-after': '5' } }, 'rejected', undefined],
    [{ status: 401 }, 'rejected', undefined],
    [{ status: 404 }, 'rejected', undefined],
    [{ status: 408 }, 'retry', undefined],
    [{ status: 410 }, 'rejected', undefined],
    [{ status: 425 }, 'retry', undefined],
    [{ status: 429, headers: { 'retry-after': '7' } }, 'retry', 7],
    [{ status: 429, headers: { 'retry-after': '999999' } }, 'retry', 86400],
    [{ status: 500 }, 'retry', undefined],
    [{ status: 503, headers: { 'retry-after': 'Thu, 01 Jan 1970 00:00:00 GMT' } }, 'retry', 0],
  ])('%p means %s', async (reply, kind, afterSeconds) => {
    sink.reply = () => reply;
    const outcome = await webhook.send(message, { url: sink.url() });
    expect(outcome).toMatchObject({ kind, ...(afterSeconds === undefined ? {} : { afterSeconds }) });
    if (afterSeconds === undefined) expect(outcome).not.toHaveProperty('afterSeconds');
    expect(outcome.answer).not.toBe('');
    expect(sink.requests).toHaveLength(1);
  });

  it.each([
    [301, 'channel'],
    [401, 'channel'],
    [400, 'message'],
    [403, 'message'],
    [404, 'message'],
    [410, 'message'],
    [422, 'message'],
  ])('%i is the fault of the %s', async (status, fault) => {
    sink.reply = () => ({ status });
    expect(await webhook.send(message, { url: sink.url() })).toMatchObject({ kind: 'rejected', fault });
  });

  it('that never comes because the connection breaks means retry', async () => {
    sink.reply = () => 'reset';
    const fresh = new Outbound({ allow: ['127.0.0.0/8'] });
    expect(await new WebhookDispatcher(fresh).send(message, { url: sink.url() })).toMatchObject({ kind: 'retry' });
    expect(sink.requests).toHaveLength(1);
    await fresh.close();
  });

  it.each<[string, (text: string) => Buffer]>([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
  ])('that is compressed (%s), although we did not ask for it, is stored as text', async (coding, compress) => {
    const body = compress(`no such order ${'x'.repeat(100_000)}`);
    sink.reply = () => ({ status: 400, headers: { 'content-encoding': coding }, body });
    const { answer } = await webhook.send(message, { url: sink.url() });
    expect(answer).toMatch(/^400 no such order x+$/);
    expect(headersOf()['accept-encoding']).toBe('identity');
  });

  it.each([429, 503])('%i with Retry-After asks to slow down', async (status) => {
    sink.reply = () => ({ status, headers: { 'retry-after': '2' } });
    expect(await webhook.send(message, { url: sink.url() })).toMatchObject({ afterSeconds: 2, isSlowDown: true });
    sink.reply = () => ({ status });
    const outcome = await webhook.send(message, { url: sink.url() });
    if (status === 429) expect(outcome).toMatchObject({ kind: 'retry', isSlowDown: true });
    else expect(outcome).not.toHaveProperty('isSlowDown');
  });

  it('is kept up to 1 KB, on one line and without our secrets', async () => {
    sink.reply = () => ({ status: 500, body: `no\r\n\0 ${WHSEC} ${WHSEC.slice(6)} ${'x'.repeat(9000)}` });
    const { answer } = await webhook.send(message, { url: sink.url(), secret: WHSEC });
    expect(answer).toMatch(/^500 no \*\*\* \*\*\* x+$/);
    expect(Buffer.byteLength(answer)).toBeLessThanOrEqual(1024);
  });

  it('that does not come in time means retry', async () => {
    sink.reply = () => 'silence';
    const outcome = await webhook.send(message, { url: sink.url(), timeout_seconds: 1 });
    expect(outcome).toEqual({ kind: 'retry', answer: 'no answer in 1000 ms', mayHaveArrived: true });
  });
});

describe('a webhook that cannot be reached', () => {
  it('is rejected when the address is not allowed', async () => {
    const closed = new WebhookDispatcher(new Outbound());
    expect(await closed.send(message, { url: sink.url() })).toEqual({
      kind: 'rejected',
      answer: '127.0.0.1 is not allowed: it has a loopback address. The operator can allow it with OUTBOUND_ALLOW',
      fault: 'message',
    });
    expect(await closed.send(message, { url: 'http://169.254.169.254/latest/meta-data/' })).toMatchObject({
      kind: 'rejected',
    });
    expect(await webhook.send(message, { url: 'ftp://127.0.0.1/' })).toMatchObject({ kind: 'rejected' });
    expect(await webhook.send(message, { url: 'http://a:b@127.0.0.1/' })).toMatchObject({ kind: 'rejected' });
  });

  it('is tried again when its name does not resolve', async () => {
    const lost = new Outbound({ resolver: () => Promise.reject(new Error('ENOTFOUND')) });
    expect(await new WebhookDispatcher(lost).send(message, { url: 'http://gone.test/' })).toEqual({
      kind: 'retry',
      answer: 'gone.test cannot be resolved: ENOTFOUND',
    });
  });

  it.each(['m\r\nx-a: b', 'm\nb', 'm\0b'])('is rejected when the id %p would break a header', async (id) => {
    expect(await webhook.send({ ...message, id }, { url: sink.url() })).toMatchObject({ kind: 'rejected' });
    expect(sink.requests).toHaveLength(0);
  });
});
