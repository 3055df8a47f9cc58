import { afterEach, describe, expect, it } from '@jest/globals';
import {
  flood,
  HostileSmtp,
  silence,
  trickle,
  type Attack,
  type Step,
} from '../../../test/support/sinks/hostile-smtp.js';
import type { Message } from '../dispatcher.js';
import { Outbound } from '../outbound/outbound.js';
import { EmailDispatcher } from './email.dispatcher.js';
import { POOL_LIMITS, SmtpPool } from './smtp-pool.js';
import { SMTP_DEADLINES } from './smtp-session.js';

const message: Message = {
  id: '0192-abc',
  to: 'ann@acme.test',
  subject: 'Hello',
  text: 'Hi Ann',
  html: '',
  about: { occurrence: 'o1', organization: 'acme', project: 'shop', application: 'web', event: 'paid', user: 'ann' },
  context: {},
};

const outbound = new Outbound({ allow: ['127.0.0.0/8'] });

let server: HostileSmtp;
let email: EmailDispatcher;

afterEach(async () => {
  await email.close();
  await server.allClosed(); // the client reads nothing more
  server.close();
});

async function sendTo(at: Step, attack: Attack, tls: boolean, deadlines = SMTP_DEADLINES) {
  server = await HostileSmtp.start({ at, attack, tls });
  email = new EmailDispatcher(outbound, null, POOL_LIMITS, deadlines);
  const config = { host: '127.0.0.1', port: server.port, from: 'a@acme.test', allow_self_signed: true };
  return email.send(message, config);
}

const tooManyLines = { kind: 'retry', answer: 'the mail server sent more than 128 lines in one reply' };
const tooManyBytes = { kind: 'retry', answer: 'the mail server sent more than 16384 bytes in one reply' };

const floods: [string, Attack, object][] = [
  ['empty lines', flood('\r\n'), tooManyLines],
  ['bare line feeds', flood('\n'), tooManyLines],
  ['lines of spaces', flood(' \r\n'), tooManyLines],
  ['short continuation lines', flood('250-more\r\n'), tooManyLines],
  ['long continuation lines', flood(`250-${'x'.repeat(500)}\r\n`), tooManyBytes],
  ['one line without an end', flood('250 endless'), tooManyBytes],
];

/** Once the content was sent, nobody knows whether the server has taken the message. */
const lostAt = (at: string) => (at === 'CONTENT' ? { mayHaveArrived: true } : {});

describe.each([
  ['in plain text', false],
  ['after STARTTLS', true],
])('a mail server that sends an endless reply %s', (_name, tls) => {
  for (const at of ['EHLO', 'MAIL', 'DATA', 'CONTENT'] as const) {
    it.each(floods)(`to ${at}, of %s, is cut off, and the message is retried`, async (_what, attack, outcome) => {
      expect(await sendTo(at, attack, tls)).toEqual({ ...outcome, ...lostAt(at) });
    });
  }

  it('of complete replies is cut off', async () => {
    // The outcome is what the server claims: these replies may arrive just when one is expected.
    expect(['sent', 'retry']).toContain((await sendTo('MAIL', flood('250 ok\r\n'), tls)).kind);
    await server.allClosed();
  });

  it('to QUIT is not read', async () => {
    expect(await sendTo('QUIT', flood('\n'), tls)).toMatchObject({ kind: 'sent' });
  });

  it.each([
    ['EHLO', 'openMs', 'did not complete the greeting and the login'],
    ['MAIL', 'commandsMs', 'did not answer the commands of the message'],
    ['DATA', 'commandsMs', 'did not answer the commands of the message'],
    ['CONTENT', 'contentMs', 'did not accept the content of the message'],
  ] as const)('byte by byte to %s, or no reply at all, runs into a deadline', async (at, deadline, reason) => {
    const hasty = { ...SMTP_DEADLINES, [deadline]: 400 };
    const outcome = { kind: 'retry', answer: `the mail server ${reason} in 0.4 s`, ...lostAt(at) };
    expect(await sendTo(at, trickle(20), tls, hasty)).toEqual(outcome);
    await server.allClosed();
    server.close();
    expect(await sendTo(at, silence, tls, hasty)).toEqual(outcome);
  });
});

describe('a mail server', () => {
  it.each([
    ['continuation lines', flood('220-welcome\r\n'), tooManyLines],
    ['one line without an end', flood('220 welcome'), tooManyBytes],
    ['empty lines', flood('\n'), tooManyLines],
  ])('with an endless greeting of %s is cut off', async (_what, attack, outcome) => {
    expect(await sendTo('GREETING', attack, false)).toEqual(outcome);
  });

  it('that never completes the TLS handshake runs into a deadline', async () => {
    const outcome = await sendTo('STARTTLS', silence, true, { ...SMTP_DEADLINES, openMs: 400 });
    expect(outcome).toMatchObject({ kind: 'retry', answer: expect.stringContaining('in 0.4 s') });
  });
});

it('a message does not wait for a connection forever', async () => {
  const pool = new SmtpPool(() => new Promise(() => {}), { ...POOL_LIMITS, waitMs: 20 });
  const late = pool.send({ from: 'a@acme.test', to: 'b@acme.test' }, 'Hi');
  await expect(late).rejects.toThrow('no connection to the mail server became free in 0.02 s');
});
