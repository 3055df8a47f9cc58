import { createServer, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { hostname } from 'node:os';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import PostalMime from 'postal-mime';
import { TEST_CERTIFICATE } from '../../../test/support/sinks/certificate.js';
import { SmtpSink, type SmtpSinkOptions } from '../../../test/support/sinks/smtp-sink.js';
import { until } from '../../../test/support/until.js';
import type { ChannelConfig, Message, Outcome } from '../dispatcher.js';
import { Outbound } from '../outbound/outbound.js';
import { BounceAddresses } from '../bounce/bounce-address.js';
import { referenceOf } from '../report/reference.js';
import { EmailDispatcher } from './email.dispatcher.js';
import { heloNameOf } from './helo-name.js';
import { POOL_LIMITS } from './smtp-pool.js';

const outbound = new Outbound({ allow: ['127.0.0.0/8'] });
let sink: SmtpSink;
let email: EmailDispatcher;

beforeEach(async () => {
  email = new EmailDispatcher(outbound);
  sink = await SmtpSink.start();
});
afterEach(async () => {
  await email.close();
  await sink.close();
});

async function restart(options: SmtpSinkOptions): Promise<void> {
  await sink.close();
  sink = await SmtpSink.start(options);
}

const message: Message = {
  id: '0192-abc',
  to: 'ann@acme.test',
  subject: 'Größe 5',
  text: 'Hi Ann\n.\nbye',
  html: '<p>Hi Ann</p>',
  about: { occurrence: 'o1', organization: 'acme', project: 'shop', application: 'web', event: 'paid', user: 'ann' },
  context: {},
};

const send = (change: Partial<Message> = {}, config: ChannelConfig = {}): Promise<Outcome> =>
  email.send(
    { ...message, ...change },
    { host: '127.0.0.1', port: sink.port, from: 'Acme <no-reply@acme.test>', ...config },
  );

const sendMany = (count: number): Promise<Outcome[]> =>
  Promise.all(Array.from({ length: count }, (_, n) => send({ id: `m${n}`, to: `user${n}@acme.test` })));

describe('a mail', () => {
  it('arrives as it was written', async () => {
    const outcome = await send({}, { reply_to: 'help@acme.test', helo_name: 'notify.acme.test' });
    expect(outcome).toEqual({ kind: 'sent', answer: expect.stringMatching(/^250 /) });
    const [mail] = sink.mails;
    expect(mail).toMatchObject({
      envelope: { from: 'no-reply@acme.test', to: ['ann@acme.test'] },
      helo: 'notify.acme.test',
      isEncrypted: false,
      user: null,
    });
    const parsed = await PostalMime.parse(mail?.raw ?? '');
    expect(parsed).toMatchObject({
      subject: 'Größe 5',
      from: { name: 'Acme', address: 'no-reply@acme.test' },
      to: [{ address: 'ann@acme.test' }],
      replyTo: [{ address: 'help@acme.test' }],
      messageId: '<0192-abc@acme.test>',
      text: 'Hi Ann\n.\nbye\n',
      html: '<p>Hi Ann</p>\n',
    });
  });

  it('greets the server by a full name, which is the sender’s domain on a machine without one', async () => {
    await send();
    expect(sink.mails[0]?.helo).toBe(heloNameOf(hostname(), 'acme.test'));
    expect(sink.mails[0]?.helo).toContain('.');
  });

  it('of text alone is plain text', async () => {
    await send({ html: '' });
    expect(sink.mails[0]?.raw.toString()).toContain('Content-Type: text/plain');
    expect(sink.mails[0]?.raw.toString()).not.toContain('multipart');
  });

  it('has the same Message-ID at every attempt', async () => {
    await send();
    await send();
    const ids = sink.mails.map(({ raw }) => /^Message-ID: .*$/m.exec(raw.toString())?.[0]);
    expect(ids).toEqual(['Message-ID: <0192-abc@acme.test>', 'Message-ID: <0192-abc@acme.test>']);
  });

  it('comes back to an address that only it has, if the channel has a domain of bounces', async () => {
    const bounces = new BounceAddresses(Buffer.alloc(32, 7));
    email = new EmailDispatcher(outbound, bounces);
    const id = '0192f0c1-7a52-7cc3-9d6a-1f2e3d4c5b6a.7';
    await send({ id }, { bounce_domain: 'Bounces.acme.test' });
    await send({ id });
    const [first, second] = sink.mails.map(({ envelope }) => envelope.from);
    expect(first).toMatch(/@bounces\.acme\.test$/);
    expect(bounces.referenceIn(first!)).toBe(referenceOf(id));
    expect(second).toBe('no-reply@acme.test');
    const parsed = await PostalMime.parse(sink.mails[0]!.raw);
    expect(parsed.from).toEqual({ name: 'Acme', address: 'no-reply@acme.test' });
  });

  it('reaches an address with letters beyond ASCII if the server supports it', async () => {
    expect(await send({ to: 'jörg@acme.test' })).toMatchObject({ kind: 'sent' });
    expect(sink.mails[0]?.envelope.to).toEqual(['jörg@acme.test']);
  });
});

describe('an injection', () => {
  const evil = [
    '\r\nBcc: bob@acme.test',
    '\nBcc: bob@acme.test',
    '\rBcc: bob@acme.test',
    '\0',
    ',bob@acme.test',
    '>,<b@c.test',
  ];

  it.each(evil)('of %j in the address is rejected', async (text) => {
    for (const to of [`ann@acme.test${text}`, `${text}ann@acme.test`, `ann${text}@acme.test`]) {
      expect(await send({ to })).toEqual({
        kind: 'rejected',
        answer: 'the address is not one e-mail address',
        fault: 'message',
        isLocal: true,
      });
    }
    expect(sink.mails).toHaveLength(0);
    expect(sink.connections).toBe(0);
  });

  it.each(evil)('of %j in a sender sends nothing', async (text) => {
    for (const key of ['from', 'reply_to']) {
      expect(await send({}, { [key]: `a@acme.test${text}` })).toMatchObject({ kind: 'rejected', fault: 'channel' });
    }
    expect(sink.connections).toBe(0);
  });

  it.each(evil)('of %j in the HELO name, the host or the login sends nothing', async (text) => {
    expect(await send({}, { helo_name: `a.test${text}` })).toMatchObject({ kind: 'rejected', fault: 'channel' });
    expect(await send({}, { host: `127.0.0.1${text}` })).not.toMatchObject({ kind: 'sent' });
    expect(sink.connections).toBe(0);
    await restart({ login: { username: 'ann', password: 'hunter22' } });
    const login = { username: `ann${text}`, password: `hunter22${text}`, security: 'none' };
    expect(await send({}, login)).not.toMatchObject({ kind: 'sent' });
    expect(sink.mails).toHaveLength(0);
  });

  it.each(evil)('of %j in the subject, the bodies, the id or a quoted name has no effect', async (text) => {
    const change = { subject: `a${text}`, text: `a${text}`, html: `a${text}`, id: `a${text}` };
    expect(await send(change, { from: '"A, <b@c.test>" <a@acme.test>' })).toMatchObject({ kind: 'sent' });
    const [mail] = sink.mails;
    expect(mail?.envelope).toEqual({ from: 'a@acme.test', to: ['ann@acme.test'] });
    const parsed = await PostalMime.parse(mail?.raw ?? '');
    expect(parsed.to).toHaveLength(1);
    expect([parsed.cc ?? [], parsed.bcc ?? []]).toEqual([[], []]);
    expect(parsed.subject).toBe(`a${text}`.replace(/[\r\n\0]+/g, ' ').trim());
  });

  it('of an end of data in a body stays in the body', async () => {
    const text = 'a\r\n.\r\nMAIL FROM:<x@y.test>\r\n.\n.\r';
    expect(await send({ text, html: '' })).toMatchObject({ kind: 'sent' });
    expect(sink.mails).toHaveLength(1);
    expect((await PostalMime.parse(sink.mails[0]?.raw ?? '')).text).toContain('a\n.\nMAIL FROM:<x@y.test>\n.\n.');
  });
});

describe('the server’s answer', () => {
  it('is final about a user', async () => {
    sink.reply = { rcpt: () => ({ code: 550, text: 'no such user' }) };
    expect(await send()).toEqual({ kind: 'rejected', answer: '550 no such user', fault: 'recipient' });
  });

  it('may be temporary', async () => {
    sink.reply = { rcpt: () => ({ code: 450, text: 'greylisted' }) };
    expect(await send()).toEqual({ kind: 'retry', answer: '450 greylisted', about: 'recipient' });
    sink.reply = { data: () => ({ code: 451, text: 'later' }) };
    expect(await send()).toEqual({ kind: 'retry', answer: '451 later', about: 'either' });
    sink.reply = { data: () => ({ code: 554, text: 'spam' }) };
    expect(await send()).toEqual({ kind: 'rejected', answer: '554 spam', fault: 'message' });
  });

  it('about the channel is the fault of the channel', async () => {
    sink.reply = { connect: () => ({ code: 554, text: 'go away' }) };
    expect(await send()).toEqual({ kind: 'rejected', answer: '554 go away', fault: 'channel' });
    sink.reply = { mail: () => ({ code: 550, text: 'not your domain' }) };
    const answer = '550 not your domain';
    expect(await send()).toEqual({ kind: 'rejected', answer, fault: 'channel' });
    // Other templates have other senders.
    expect(await send({ sender: { from: 'news@acme.test' } })).toEqual({ kind: 'retry', answer });
  });

  it('is not needed for a message that is too large', async () => {
    await restart({ size: 2000 });
    expect(await send({ text: 'x'.repeat(5000) })).toMatchObject({ kind: 'rejected' });
    expect(await send({})).toMatchObject({ kind: 'sent' });
  });

  it('leaves the connection usable for the next message', async () => {
    for (const hidePipelining of [false, true]) {
      await restart({ hidePipelining });
      sink.reply = { rcpt: (to) => (to.startsWith('bad') ? { code: 550, text: 'no' } : undefined) };
      const outcomes = [];
      for (const to of ['a@acme.test', 'bad@acme.test', 'b@acme.test']) outcomes.push((await send({ to })).kind);
      expect(outcomes).toEqual(['sent', 'rejected', 'sent']);
      expect(sink.mails.map(({ envelope }) => envelope.to)).toEqual([['a@acme.test'], ['b@acme.test']]);
    }
  });

  it('is kept up to 1 KB', async () => {
    sink.reply = { rcpt: () => ({ code: 550, text: 'x'.repeat(3000) }) };
    expect((await send()).answer).toHaveLength(1024);
  });
});

describe('a login', () => {
  const login = { username: 'ann', password: 'hunter22-secret' };

  it('is made when the channel has one', async () => {
    await restart({ login, tls: 'starttls' });
    expect(await send({}, { ...login, allow_self_signed: true })).toMatchObject({ kind: 'sent' });
    expect(sink.mails[0]).toMatchObject({ user: 'ann', isEncrypted: true });
  });

  it('that fails is the fault of the channel, and the answer hides the password', async () => {
    await restart({ login });
    const outcome = await send({}, { ...login, password: 'wrong-secret', security: 'none' });
    expect(outcome).toEqual({ kind: 'rejected', answer: '535 no login with ***', fault: 'channel' });
  });

  it('is not sent unencrypted unless the channel allows it', async () => {
    await restart({ login });
    for (const security of ['opportunistic', 'starttls']) {
      expect(await send({}, { ...login, security })).toMatchObject({ kind: 'rejected', fault: 'channel' });
    }
    expect(await send({}, login)).toMatchObject({ kind: 'rejected', fault: 'channel' });
    expect(sink.mails).toHaveLength(0);
    expect(await send({}, { ...login, security: 'none' })).toMatchObject({ kind: 'sent' });
  });

  it('needs a user name and a password', async () => {
    expect(await send({}, { username: 'ann' })).toMatchObject({ kind: 'rejected', fault: 'channel' });
    expect(await send({}, { password: 'x' })).toMatchObject({ kind: 'rejected', fault: 'channel' });
    expect(sink.connections).toBe(0);
  });
});

describe('encryption', () => {
  it.each([
    ['starttls', 'starttls', true],
    ['starttls', 'opportunistic', true],
    ['starttls', undefined, true],
    ['starttls', 'none', false],
    ['implicit', 'tls', true],
    [undefined, 'opportunistic', false],
    [undefined, undefined, false],
  ] as const)('of a server with %s and a channel with %s', async (tls, security, isEncrypted) => {
    await restart({ tls });
    const config = { allow_self_signed: true, ...(security ? { security } : {}) };
    expect(await send({}, config)).toMatchObject({ kind: 'sent' });
    expect(sink.mails[0]?.isEncrypted).toBe(isEncrypted);
  });

  it('that is required and not offered sends nothing', async () => {
    expect(await send({}, { security: 'starttls' })).toMatchObject({ kind: 'rejected', fault: 'channel' });
    expect(sink.mails).toHaveLength(0);
  });

  it.each([
    ['starttls', 'starttls'],
    ['starttls', 'opportunistic'],
    ['implicit', 'tls'],
  ] as const)('with an untrusted certificate sends nothing (%s)', async (tls, security) => {
    await restart({ tls });
    const outcome = await send({}, { security });
    expect(outcome).toEqual({ kind: 'retry', answer: expect.stringMatching(/self-signed certificate/) });
    expect(sink.mails).toHaveLength(0);
  });

  it('trusts the certificates of the channel’s own authority, and no others', async () => {
    await restart({ tls: 'implicit' });
    const known = new Outbound({ allow: ['127.0.0.0/8'], resolver: async () => [{ address: '127.0.0.1', family: 4 }] });
    const trusting = new EmailDispatcher(known);
    const config = { port: sink.port, security: 'tls', from: 'a@acme.test', ca: TEST_CERTIFICATE };
    expect(await trusting.send(message, { ...config, host: 'mail.test' })).toMatchObject({ kind: 'sent' });
    const outcome = await trusting.send(message, { ...config, host: 'other.test' });
    expect(outcome).toEqual({ kind: 'retry', answer: expect.stringMatching(/does not match certificate/) });
    await trusting.close();
  });
});

describe('the host', () => {
  it.each(['127.0.0.1', 'localhost', '2130706433', '0x7f.1', '::ffff:127.0.0.1', '169.254.169.254', '10.0.0.1'])(
    '%s is not called unless the operator allows it',
    async (host) => {
      const closed = new EmailDispatcher(new Outbound());
      const outcome = await closed.send(message, { host, port: sink.port, from: 'a@acme.test' });
      expect(outcome).toEqual({ kind: 'retry', answer: expect.stringContaining(`${host} is not allowed`) });
      expect(sink.connections).toBe(0);
    },
  );

  it('is resolved once, and the checked address is used', async () => {
    let asked = 0;
    const rebinding = new Outbound({
      allow: ['127.0.0.1'],
      resolver: async () => [{ address: (asked += 1) === 1 ? '127.0.0.1' : '169.254.169.254', family: 4 }],
    });
    email = new EmailDispatcher(rebinding);
    expect(await send({}, { host: 'mail.test' })).toMatchObject({ kind: 'sent' });
    expect(asked).toBe(1);
  });

  it('that does not answer fails all waiting messages together, to be retried', async () => {
    const gone = sink.port;
    await restart({});
    const config = { host: '127.0.0.1', port: gone, from: 'a@acme.test' };
    const outcomes = await Promise.all(Array.from({ length: 40 }, () => email.send(message, config)));
    for (const outcome of outcomes) expect(outcome).toMatchObject({ kind: 'retry' });
  });
});

describe('connections', () => {
  it('are few, shared by messages, and replaced after a hundred', async () => {
    const outcomes = await sendMany(1200);
    expect(outcomes.every(({ kind }) => kind === 'sent')).toBe(true);
    expect(new Set(sink.mails.map(({ envelope }) => envelope.to[0])).size).toBe(1200);
    expect(sink.connections).toBeGreaterThanOrEqual(12);
    expect(sink.connections).toBeLessThan(25);
    // Ten, and those that are closing.
    expect(sink.mostConnections).toBeLessThanOrEqual(20);
  });

  it('are reused for messages that come one after another', async () => {
    for (let n = 0; n < 10; n += 1) await send();
    expect(sink.connections).toBe(1);
  });

  it('are not shared with another login', async () => {
    await restart({ login: { username: 'ann', password: 'right-one' } });
    const right = { username: 'ann', password: 'right-one', security: 'none' };
    expect(await send({}, right)).toMatchObject({ kind: 'sent' });
    const wrong = { ...right, password: 'wrong-one' };
    expect(await send({}, wrong)).toMatchObject({ kind: 'rejected', fault: 'channel' });
  });

  it('are not shared with another organization, so that a slow one takes only its own', async () => {
    const globex = { ...message.about, organization: 'globex' };
    await send();
    await send({ about: globex });
    expect(sink.connections).toBe(2);
  });

  it('are closed when they are idle', async () => {
    email = new EmailDispatcher(outbound, null, { ...POOL_LIMITS, idleMs: 20 });
    await sendMany(10);
    await sink.until(({ openConnections }) => openConnections === 0);
    expect(await send()).toMatchObject({ kind: 'sent' });
  });

  it('are closed at the end', async () => {
    await sendMany(10);
    await email.close();
    await sink.until(({ openConnections }) => openConnections === 0);
  });

  it('that the server cut while idle are replaced without a failure', async () => {
    await sendMany(10);
    sink.cut();
    expect((await sendMany(10)).map(({ kind }) => kind)).toEqual(Array(10).fill('sent'));
    expect(sink.mails).toHaveLength(20);
  });

  it('that the server cut before their first message are replaced without a failure', async () => {
    const opened: { heard: string }[] = [];
    let openSecond = (): void => {};
    const second = new Promise<void>((resolve) => (openSecond = resolve));
    const connect: Outbound['connect'] = async (...to) => {
      const mine = { heard: '' };
      if (opened.push(mine) === 2) await second;
      const socket = await outbound.connect(...to);
      return socket.on('data', (chunk: Buffer) => (mine.heard += chunk.toString()));
    };
    email = new EmailDispatcher({ connect } as Outbound);
    await sendMany(2); // both over the first, for the second is not open yet
    openSecond();
    await until(10_000, () => /^250 /m.test(opened[1]!.heard)); // it is greeted
    await new Promise(setImmediate); // and idle
    sink.cut();
    expect(await send()).toMatchObject({ kind: 'sent' });
  });

  it.each([false, true])(
    'that end before the content are replaced once (pipelining hidden: %s)',
    async (hidePipelining) => {
      await restart({ hidePipelining });
      await send({ to: 'first@acme.test' });
      let cuts = 0;
      sink.reply = { mail: () => ((cuts += 1) === 1 ? 'cut' : undefined) };
      expect(await send({ to: 'second@acme.test' })).toMatchObject({ kind: 'sent' });
      expect(sink.mails.map(({ envelope }) => envelope.to[0])).toEqual(['first@acme.test', 'second@acme.test']);
      sink.reply = { mail: () => ((cuts += 1), 'cut') };
      cuts = 0;
      expect(await send()).toMatchObject({ kind: 'retry' });
      expect(cuts).toBe(2);
    },
  );

  it('that the server closes with 421 are replaced once', async () => {
    await send();
    let closings = 0;
    sink.reply = { mail: () => ((closings += 1) === 1 ? { code: 421, text: 'enough' } : undefined) };
    expect(await send()).toMatchObject({ kind: 'sent' });
  });

  it('that end after the content are not replaced: the server may have the message', async () => {
    await send();
    sink.reply = { data: () => 'cut' };
    expect(await send()).toMatchObject({ kind: 'retry' });
    expect(sink.mails).toHaveLength(2);
  });

  it('are fewer when the server accepts no more', async () => {
    let taken = 0;
    sink.reply = { connect: () => ((taken += 1) > 2 ? { code: 421, text: 'too many connections' } : undefined) };
    const outcomes = await sendMany(50);
    expect(outcomes.every(({ kind }) => kind === 'sent')).toBe(true);
  });

  it('to a server that closes them at once fail', async () => {
    const mute = createServer((socket) => socket.end()).listen(0, '127.0.0.1');
    await once(mute, 'listening');
    expect(await send({}, { port: (mute.address() as AddressInfo).port })).toMatchObject({ kind: 'retry' });
    mute.close();
  });
});
