import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { FakeTelegram } from '../../../../test/support/providers/telegram.js';
import type { HttpReply } from '../../../../test/support/sinks/http-sink.js';
import type { ChannelConfig, Message } from '../../dispatcher.js';
import { Outbound } from '../../outbound/outbound.js';
import { builtInDispatcher } from '../built-in.js';
import type { FileDispatcher } from '../file.dispatcher.js';

const SECRET = 'AAE-x_1234567890123456789012345678a';
const TOKEN = `123456:${SECRET}`;
const config = { bot_token: TOKEN };

let api: FakeTelegram;
let telegram: FileDispatcher;
const outbound = new Outbound({ allow: ['127.0.0.0/8'] });

beforeAll(async () => {
  api = await FakeTelegram.start(TOKEN);
  telegram = builtInDispatcher('telegram', outbound, api.origin);
});
afterAll(async () => {
  await outbound.close();
  await api.close();
});
beforeEach(() => {
  api.reset();
  api.chats.set('42', 'open');
});

const message: Message = {
  id: 'm1',
  to: '42',
  subject: 'Paid',
  text: 'Hi *Ann* <b> & _you_ 🛎',
  html: '<p>Hi</p>',
  about: { occurrence: 'o1', organization: 'acme', project: 'shop', application: 'web', event: 'paid', user: 'ann' },
  context: {},
};

describe('a Telegram message', () => {
  it('reaches the chat as plain text, its subject as the first line', async () => {
    const outcome = await telegram.send(message, config);
    expect(outcome).toEqual({
      kind: 'sent',
      answer: expect.stringMatching(/^200 \{"ok":true,"result":\{"message_id":1,/),
    });
    expect(api.sent).toEqual([{ chat_id: '42', text: 'Paid\nHi *Ann* <b> & _you_ 🛎' }]);
    expect(api.requests[0]).toMatchObject({ method: 'POST', path: `/bot${TOKEN}/sendMessage` });
  });

  it('without a subject is the text alone', async () => {
    await telegram.send({ ...message, subject: '' }, config);
    expect(api.sent).toEqual([{ chat_id: '42', text: message.text }]);
  });

  it.each([
    ['x'.repeat(4096), 'x'.repeat(4096)],
    ['x'.repeat(4097), `${'x'.repeat(4095)}…`],
    [`${'x'.repeat(4094)}🛎🛎`, `${'x'.repeat(4094)}…`],
    ['🛎'.repeat(4096), `${'🛎'.repeat(2047)}…`],
  ])('is cut to Telegram’s limit, between two characters (%#)', async (text, cut) => {
    expect(await telegram.send({ ...message, subject: '', text }, config)).toMatchObject({ kind: 'sent' });
    expect(api.sent[0]?.text).toBe(cut);
  });

  it('without any text is rejected', async () => {
    expect(await telegram.send({ ...message, subject: '', text: ' ' }, config)).toEqual({
      kind: 'rejected',
      answer: '400 {"ok":false,"error_code":400,"description":"Bad Request: message text is empty"}',
      fault: 'message',
    });
  });
});

describe('Telegram’s answer', () => {
  it.each([
    ['43', '400 {"ok":false,"error_code":400,"description":"Bad Request: chat not found"}'],
    ['blocked', '403 {"ok":false,"error_code":403,"description":"Forbidden: bot was blocked by the user"}'],
  ])('about the chat %s is final', async (to, answer) => {
    api.chats.set('blocked', 'blocked');
    expect(await telegram.send({ ...message, to }, config)).toEqual({
      kind: 'rejected',
      answer,
      fault: 'recipient',
      cause: 'soft_bounce',
    });
  });

  it('about a group that moved names its new chat', async () => {
    api.chats.set('-7', { migratedTo: -1001234567890 });
    const outcome = await telegram.send({ ...message, to: '-7' }, config);
    expect(outcome).toEqual({
      kind: 'rejected',
      answer: expect.stringContaining('"migrate_to_chat_id":-1001234567890'),
      fault: 'message',
    });
  });

  it.each([
    [7, 7],
    [999_999, 86_400],
  ])('to too many messages says to wait %d seconds', async (retryAfter, afterSeconds) => {
    api.chats.set('42', { retryAfter });
    const outcome = await telegram.send(message, config);
    const answer = expect.stringMatching(/^429 .*retry after \d+"/);
    expect(outcome).toEqual({ kind: 'retry', afterSeconds, isSlowDown: true, answer });
  });

  it.each<[HttpReply, string]>([
    [{ status: 500, body: '{"ok":false,"error_code":500,"description":"Internal Server Error"}' }, 'retry'],
    [{ status: 502, body: '<html>Bad Gateway</html>' }, 'retry'],
    [{ status: 200, body: '{"ok":false,"error_code":403,"description":"Forbidden"}' }, 'rejected'],
    [{ status: 200, body: '{"ok" : false, "description": "Internal Server Error", "error_code" : 500}' }, 'retry'],
    [{ status: 302, headers: { location: 'https://elsewhere.test' } }, 'rejected'],
    ['reset', 'retry'],
  ])('%j means %s', async (reply, kind) => {
    api.sink.reply = () => reply;
    expect(await telegram.send(message, config)).toMatchObject({ kind });
  });

  it('that the account of the user is gone suppresses the address', async () => {
    const body = '{"ok":false,"error_code":403,"description":"Forbidden: user is deactivated"}';
    api.sink.reply = () => ({ status: 403, body });
    expect(await telegram.send(message, config)).toEqual({
      kind: 'rejected',
      answer: `403 ${body}`,
      fault: 'recipient',
    });
  });

  it('is understood even when it was cut', async () => {
    const body = JSON.stringify({ ok: false, error_code: 403, description: 'x'.repeat(5000) });
    api.sink.reply = () => ({ status: 403, body });
    expect(await telegram.send(message, config)).toEqual({
      kind: 'rejected',
      answer: expect.stringMatching(/^403 .*x$/),
      fault: 'recipient',
      cause: 'soft_bounce',
    });
  });
});

describe('the bot token', () => {
  it('that Telegram does not know is rejected', async () => {
    expect(await telegram.send(message, { bot_token: `654321:${SECRET}` })).toEqual({
      kind: 'rejected',
      answer: '401 {"ok":false,"error_code":401,"description":"Unauthorized"}',
      fault: 'channel',
    });
    expect(await telegram.send(message, { bot_token: '1:short' })).toEqual({
      kind: 'rejected',
      answer: '404 {"ok":false,"error_code":404,"description":"Not Found"}',
      fault: 'channel',
    });
  });

  it.each(['', 'abc', '12:', '12:a/../b', '12:a?b', '12:a#b', '12:a%2fb', ':abc', '12:a b', '12:a\n', undefined])(
    'cannot be %j',
    async (bot_token) => {
      const bad: ChannelConfig = bot_token === undefined ? {} : { bot_token };
      expect(telegram.check(bad)).toBe('bot_token must be a number, a colon and letters');
      expect(await telegram.send(message, bad)).toMatchObject({ kind: 'rejected' });
      expect(api.requests).toHaveLength(0);
    },
  );

  it('can be one of @BotFather', () => {
    expect(telegram.check(config)).toBeNull();
  });

  it.each([
    `no such path: /bot${TOKEN}/sendMessage`,
    `no such path: /bot${encodeURIComponent(TOKEN)}/sendMessage`,
    `${'x'.repeat(1000)}/bot${TOKEN}`,
    `${'x'.repeat(990)}${SECRET}`,
  ])('is never shown (%#)', async (body) => {
    for (const status of [200, 404, 502]) {
      api.sink.reply = () => ({ status, body });
      const { answer } = await telegram.send(message, config);
      expect(answer).toContain('***');
      expect(answer).not.toContain(SECRET.slice(0, 6));
    }
  });

  it('is not shown when Telegram cannot be reached', async () => {
    const closed = builtInDispatcher('telegram', new Outbound(), api.origin);
    expect(await closed.send(message, config)).toEqual({
      kind: 'rejected',
      answer: '127.0.0.1 is not allowed: it has a loopback address. The operator can allow it with OUTBOUND_ALLOW',
      fault: 'message',
    });
    const lost = new Outbound({ resolver: () => Promise.reject(new Error('ENOTFOUND')) });
    expect(await builtInDispatcher('telegram', lost).send(message, config)).toEqual({
      kind: 'retry',
      answer: 'api.telegram.org cannot be resolved: ENOTFOUND',
    });
  });
});
