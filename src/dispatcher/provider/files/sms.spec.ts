import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { FakeTwilio } from '../../../../test/support/providers/twilio.js';
import type { HttpReply } from '../../../../test/support/sinks/http-sink.js';
import type { ChannelConfig, Message } from '../../dispatcher.js';
import { Outbound } from '../../outbound/outbound.js';
import { builtInDispatcher } from '../built-in.js';
import type { FileDispatcher } from '../file.dispatcher.js';
import { NUMBER_FAULTS } from '../../sms/twilio-notice.js';

const SID = `AC${'0123456789abcdef'.repeat(2)}`;
const TOKEN = 'fedcba98765432100123456789abcdef';
const account = { account_sid: SID, auth_token: TOKEN };
const config = { ...account, from: '+15550001111' };

let twilio: FakeTwilio;
let sms: FileDispatcher;
const outbound = new Outbound({ allow: ['127.0.0.0/8'] });

beforeAll(async () => {
  twilio = await FakeTwilio.start({ sid: SID, token: TOKEN });
  sms = builtInDispatcher('sms', outbound, twilio.origin);
});
afterAll(async () => {
  await outbound.close();
  await twilio.close();
});
beforeEach(() => {
  twilio.reset();
  twilio.lines.set('+15551234567', 'mobile');
});

const message: Message = {
  id: 'm1',
  to: '+15551234567',
  subject: 'Paid',
  text: 'Hi Ann & you + 100% = 🛎',
  html: '<p>Hi</p>',
  about: { occurrence: 'o1', organization: 'acme', project: 'shop', application: 'web', event: 'paid', user: 'ann' },
  context: {},
};

describe('a text message', () => {
  it('is sent from a number', async () => {
    const outcome = await sms.send(message, config);
    expect(outcome).toEqual({
      kind: 'sent',
      answer: expect.stringMatching(/^201 \{.*"sid":"SMa+","status":"queued"/),
      providerId: `SM${'a'.repeat(32)}`,
    });
    expect(twilio.sent).toEqual([{ To: '+15551234567', From: '+15550001111', Body: message.text }]);
  });

  it('is sent by a messaging service', async () => {
    const messaging_service_sid = `MG${'a'.repeat(32)}`;
    const outcome = await sms.send(message, { ...account, messaging_service_sid });
    expect(outcome).toMatchObject({ kind: 'sent', answer: expect.stringContaining('"status":"accepted"') });
    expect(twilio.sent).toEqual([{ To: message.to, MessagingServiceSid: messaging_service_sid, Body: message.text }]);
  });

  it.each([
    ['x'.repeat(1600), 'x'.repeat(1600)],
    ['x'.repeat(1601), `${'x'.repeat(1597)}...`],
    [`${'x'.repeat(1596)}${'🛎'.repeat(9)}`, `${'x'.repeat(1596)}...`],
  ])('is cut to Twilio’s limit, between two characters and within its alphabet (%#)', async (text, cut) => {
    expect(await sms.send({ ...message, text }, config)).toMatchObject({ kind: 'sent' });
    expect(twilio.sent[0]?.Body).toBe(cut);
  });

  it('cannot add a field to the form', async () => {
    await sms.send({ ...message, text: 'a&To=%2B1999&MediaUrl=http://x.test' }, config);
    expect(twilio.sent).toEqual([{ To: message.to, From: config.from, Body: 'a&To=%2B1999&MediaUrl=http://x.test' }]);
  });
});

describe('the URL of the reports', () => {
  const reportUrl = 'https://notify.acme.test/reports/acme/sms';
  const refused = {
    status: 400,
    body: JSON.stringify({ code: 21609, message: "Invalid 'StatusCallback'", status: 400 }),
  };

  it('is told with each message that has one', async () => {
    expect(await sms.send({ ...message, reportUrl }, config)).toMatchObject({ kind: 'sent' });
    expect(twilio.sent).toEqual([{ To: message.to, From: config.from, Body: message.text, StatusCallback: reportUrl }]);
  });

  it('is left out at once when Twilio refuses it, and in later messages', async () => {
    const fresh = builtInDispatcher('sms', outbound, twilio.origin);
    const answer = twilio.sink.reply;
    twilio.sink.reply = (request) => (request.body.includes('StatusCallback') ? refused : answer(request));
    expect(await fresh.send({ ...message, reportUrl }, config)).toMatchObject({ kind: 'sent' });
    expect(twilio.requests).toHaveLength(2);
    expect(await fresh.send({ ...message, reportUrl }, config)).toMatchObject({ kind: 'sent' });
    expect(twilio.requests).toHaveLength(3);
    expect(twilio.sent.map((form) => 'StatusCallback' in form)).toEqual([false, false]);
  });

  it('is no reason to send a message again that had none', async () => {
    twilio.sink.reply = () => refused;
    expect(await sms.send(message, config)).toEqual({ kind: 'retry', answer: expect.stringContaining('21609') });
    expect(twilio.requests).toHaveLength(1);
  });
});

it('reads errors about a number as its status callbacks are read', async () => {
  for (const [code, fault] of Object.entries(NUMBER_FAULTS)) {
    twilio.sink.reply = () => ({ status: 400, body: JSON.stringify({ code: Number(code), status: 400 }) });
    expect(await sms.send(message, config)).toMatchObject({ kind: 'rejected', ...fault });
  }
});

describe('Twilio’s answer', () => {
  it.each([
    ['unsubscribed', 21610, { fault: 'recipient', cause: 'stop' }],
    ['landline', 21614, { fault: 'recipient' }],
    ['abroad', 21408, { fault: 'message' }],
  ] as const)('about a number that is %s is final', async (line, code, suppression) => {
    twilio.lines.set(message.to, line);
    expect(await sms.send(message, config)).toEqual({
      kind: 'rejected',
      answer: expect.stringContaining(`400 {"code":${code},"message":"`),
      ...suppression,
    });
  });

  it('about an invalid number is final', async () => {
    expect(await sms.send({ ...message, to: '+1' }, config)).toEqual({
      kind: 'rejected',
      answer: `400 {"code":21211,"message":"Invalid 'To' Phone Number: +1","more_info":"https://www.twilio.com/docs/errors/21211","status":400}`,
      fault: 'recipient',
    });
  });

  it('about an empty text is final', async () => {
    expect(await sms.send({ ...message, text: '' }, config)).toEqual({
      kind: 'rejected',
      answer: expect.stringContaining('21602'),
      fault: 'message',
    });
  });

  it('to too many requests says when to try again', async () => {
    twilio.lines.set(message.to, 'too many requests');
    expect(await sms.send(message, config)).toEqual({
      kind: 'retry',
      afterSeconds: 3,
      isSlowDown: true,
      answer: expect.stringContaining('429 {"code":20429,'),
    });
  });

  it('that the queue is full means retry, although its status is 400', async () => {
    twilio.lines.set(message.to, 'full queue');
    expect(await sms.send(message, config)).toEqual({
      kind: 'retry',
      answer: expect.stringContaining('400 {"code":21611,'),
    });
  });

  it.each<[HttpReply, string]>([
    [{ status: 500, body: '{"code":20500,"message":"Internal Server Error","status":500}' }, 'retry'],
    [{ status: 503, body: '<html>Service Unavailable</html>' }, 'retry'],
    [{ status: 307, headers: { location: 'https://elsewhere.test' } }, 'rejected'],
    ['reset', 'retry'],
  ])('%j means %s', async (reply, kind) => {
    twilio.sink.reply = () => reply;
    expect(await sms.send(message, config)).toMatchObject({ kind });
  });
});

describe('an error of Twilio', () => {
  it.each([
    [400, 21211, { fault: 'recipient' }],
    [400, 21610, { fault: 'recipient', cause: 'stop' }],
    [400, 21614, { fault: 'recipient' }],
    [400, 30005, { fault: 'recipient' }],
    [400, 30006, { fault: 'recipient' }],
    [400, 21401, { fault: 'channel' }],
    [400, 21601, { fault: 'channel' }],
    [400, 21661, { fault: 'channel' }],
    // It depends on the destination.
    [400, 21606, { fault: 'message' }],
    [400, 21408, { fault: 'message' }],
    [401, 20003, { fault: 'channel' }],
    [403, 20005, { fault: 'channel' }],
    [404, 20404, { fault: 'channel' }],
  ])('of status %i and code %i has its fault', async (status, code, expected) => {
    twilio.sink.reply = () => ({ status, body: JSON.stringify({ code, message: 'no', status }) });
    expect(await sms.send(message, config)).toEqual({
      kind: 'rejected',
      answer: expect.stringContaining(`"code":${code}`),
      ...expected,
    });
  });
});

describe('the account', () => {
  it('whose token is wrong is rejected', async () => {
    expect(await sms.send(message, { ...config, auth_token: 'wrong' })).toEqual({
      kind: 'rejected',
      answer: expect.stringContaining('401 {"code":20003,'),
      fault: 'channel',
    });
  });

  it('is never shown with its token', async () => {
    const login = Buffer.from(`${SID}:${TOKEN}`).toString('base64');
    for (const body of [
      `no ${TOKEN}`,
      `no Basic ${login}`,
      `${'x'.repeat(1000)}${TOKEN}`,
      `${'x'.repeat(990)}${login}`,
    ]) {
      twilio.sink.reply = () => ({ status: 401, body });
      const { answer } = await sms.send(message, config);
      expect(answer).toContain('***');
      for (const secret of [TOKEN, login]) expect(answer).not.toContain(secret.slice(0, 6));
    }
  });

  it.each(['AC12', `AC${'g'.repeat(32)}`, `${SID}/../x`, `${SID}?a`, `XX${'a'.repeat(32)}`])(
    'cannot be %s',
    async (account_sid) => {
      const bad = { ...config, account_sid };
      expect(sms.check(bad)).toBe('account_sid must be AC and 32 hexadecimal digits');
      expect(await sms.send(message, bad)).toMatchObject({ kind: 'rejected' });
      expect(twilio.requests).toHaveLength(0);
    },
  );
});

describe('the sender', () => {
  const service = { messaging_service_sid: `MG${'a'.repeat(32)}` };

  it.each<[string, ChannelConfig]>([
    ['neither', account],
    ['both', { ...config, ...service }],
  ])('cannot be %s of a number and a messaging service', async (_, bad) => {
    expect(sms.check(bad)).toBe('exactly one of from and messaging_service_sid must be set');
    expect(await sms.send(message, bad)).toMatchObject({ kind: 'rejected' });
    expect(twilio.requests).toHaveLength(0);
  });

  it('can be one of them', () => {
    expect(sms.check(config)).toBeNull();
    expect(sms.check({ ...account, ...service })).toBeNull();
  });
});

describe('Twilio', () => {
  it('is called at its public address', async () => {
    const lost = new Outbound({ resolver: () => Promise.reject(new Error('ENOTFOUND')) });
    expect(await builtInDispatcher('sms', lost).send(message, config)).toEqual({
      kind: 'retry',
      answer: 'api.twilio.com cannot be resolved: ENOTFOUND',
    });
  });

  it('is not called at an address that is not allowed', async () => {
    const closed = builtInDispatcher('sms', new Outbound(), twilio.origin);
    expect(await closed.send(message, config)).toEqual({
      kind: 'rejected',
      answer: '127.0.0.1 is not allowed: it has a loopback address. The operator can allow it with OUTBOUND_ALLOW',
      fault: 'message',
    });
  });
});
