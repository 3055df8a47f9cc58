import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { Message, Outcome } from '../dispatcher.js';
import { Outbound } from '../outbound/outbound.js';
import { EmailDispatcher } from './email.dispatcher.js';
import { POOL_LIMITS } from './smtp-pool.js';
import { SMTP_DEADLINES } from './smtp-session.js';

/** What the server does with a command, or with `CONTENT`: the reply, or something else. */
type Answer = string | ((socket: Socket) => void) | undefined;

interface Turn {
  verb: string;
  /** The recipient of the message. */
  to: string;
  /** Whether more had already come when the server answered. */
  isFollowed: boolean;
}

/** A mail server that announces PIPELINING, and answers as told. */
class PipeliningServer {
  /** The recipients of the mails that it took, in order. */
  readonly taken: string[] = [];
  /** The recipients of messages whose MAIL came before the content of another one was answered. */
  joined = 0;
  connections = 0;
  /** Everything that each connection sent at once. */
  readonly packets: string[] = [];
  answer: (turn: Turn) => Answer = () => undefined;

  private constructor(private readonly server: Server) {
    server.on('connection', (socket: Socket) => this.converse(socket));
  }

  static async start(): Promise<PipeliningServer> {
    const server = new PipeliningServer(createServer().listen(0, '127.0.0.1'));
    await once(server.server, 'listening');
    return server;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  close(): void {
    this.server.close();
  }

  private converse(socket: Socket): void {
    this.connections += 1;
    let [text, to, readsContent, hasEnded] = ['', '', false, false];
    socket.on('error', () => {});
    socket.write('220 here\r\n');
    socket.on('data', (chunk: Buffer) => {
      if (hasEnded) return;
      text += chunk.toString();
      this.packets.push(chunk.toString());
      socket.cork();
      for (;;) {
        const isEmpty = readsContent && text.startsWith('.\r\n');
        const mark = isEmpty ? '.\r\n' : readsContent ? '\r\n.\r\n' : '\r\n';
        const end = text.indexOf(mark);
        if (end < 0) break;
        const line = text.slice(0, end);
        text = text.slice(end + mark.length);
        const verb = readsContent ? 'CONTENT' : line.slice(0, 4);
        if (verb === 'RCPT') to = /<(.*)>/.exec(line)![1]!;
        if (verb === 'CONTENT' && text.startsWith('MAIL')) this.joined += 1;
        const answer = this.answer({ verb, to, isFollowed: text !== '' }) ?? this.usual(verb, to);
        if (verb === 'CONTENT' && (typeof answer === 'function' || answer.startsWith('250'))) this.taken.push(to);
        readsContent = typeof answer === 'string' && answer.startsWith('354');
        if (typeof answer === 'string') socket.write(`${answer}\r\n`);
        else {
          hasEnded = true;
          socket.uncork();
          return answer(socket);
        }
      }
      socket.uncork();
    });
  }

  private usual(verb: string, to: string): string {
    if (verb === 'EHLO') return '250-here\r\n250 PIPELINING';
    return verb === 'DATA' ? '354 go on' : verb === 'CONTENT' ? `250 taken for ${to}` : '250 ok';
  }
}

const outbound = new Outbound({ allow: ['127.0.0.0/8'] });
let server: PipeliningServer;
let email: EmailDispatcher;

afterEach(async () => {
  await email.close();
  server.close();
});

async function start(connections = 1, deadlines = SMTP_DEADLINES): Promise<void> {
  server = await PipeliningServer.start();
  email = new EmailDispatcher(outbound, null, { ...POOL_LIMITS, connections }, deadlines);
}

/** Sends messages to `user0@acme.test`, `user1@acme.test`, ... together. */
function sendMany(count: number): Promise<Outcome[]> {
  const about = { occurrence: 'o', organization: 'acme', project: 'p', application: 'a', event: 'e', user: 'u' };
  const config = { host: '127.0.0.1', port: server.port, from: 'a@acme.test' };
  const message = (n: number): Message => ({
    ...{ id: `m${n}`, to: `user${n}@acme.test`, subject: 'Hello', text: 'Hi', html: '', about, context: {} },
  });
  return Promise.all(Array.from({ length: count }, (_, n) => email.send(message(n), config)));
}

const users = (count: number) => Array.from({ length: count }, (_, n) => `user${n}@acme.test`);
const sent = (n: number) => ({ kind: 'sent', answer: `250 taken for user${n}@acme.test` });
const allSent = (count: number) => Array.from({ length: count }, (_, n) => sent(n));

describe('waiting messages', () => {
  it('leave in one packet with the content of the message before, and each gets its own answer', async () => {
    await start();
    expect(await sendMany(20)).toEqual(allSent(20));
    expect(server.taken).toEqual(users(20));
    expect(server.joined).toBe(19);
    // The greeting, and then one packet for each message.
    expect(server.packets.filter((packet) => packet.includes('MAIL FROM'))).toHaveLength(20);
  });

  it('use all connections, and each connection for at most a hundred messages', async () => {
    await start(10);
    expect(await sendMany(1200)).toEqual(allSent(1200));
    expect([...server.taken].sort()).toEqual([...users(1200)].sort());
    expect(server.connections).toBeGreaterThanOrEqual(12);
  });

  it('are sent although the content of the message before is refused', async () => {
    await start();
    const isSpam = (to: string) => Number(/\d+/.exec(to)![0]) % 3 === 1;
    server.answer = ({ verb, to }) => (verb === 'CONTENT' && isSpam(to) ? `554 no ${to}` : undefined);
    const outcomes = await sendMany(12);
    const refused = (n: number) => ({ kind: 'rejected', fault: 'message', answer: `554 no user${n}@acme.test` });
    expect(outcomes).toEqual(users(12).map((to, n) => (isSpam(to) ? refused(n) : sent(n))));
    expect(server.connections).toBe(1);
  });

  it('are sent although the recipient of the message before is refused', async () => {
    await start();
    const isGone = (to: string) => Number(/\d+/.exec(to)![0]) % 3 === 1;
    server.answer = ({ verb, to }) =>
      verb === 'RCPT' && isGone(to) ? `550 no ${to}` : verb === 'DATA' && isGone(to) ? '503 nobody' : undefined;
    const outcomes = await sendMany(12);
    const refused = (n: number) => ({ kind: 'rejected', fault: 'recipient', answer: `550 no user${n}@acme.test` });
    expect(outcomes).toMatchObject(users(12).map((to, n) => (isGone(to) ? refused(n) : sent(n))));
    expect(server.taken).toEqual(users(12).filter((to) => !isGone(to)));
    expect(server.connections).toBe(1);
  });

  it('are not sent to a server that asks for the content of a message whose recipient it refused', async () => {
    await start();
    server.answer = ({ verb, to }) => (verb === 'RCPT' && to === 'user1@acme.test' ? '550 no such user' : undefined);
    const outcomes = await sendMany(3);
    expect(outcomes).toMatchObject([sent(0), { kind: 'rejected', answer: '550 no such user' }, sent(2)]);
    expect(server.connections).toBe(1);
  });
});

describe('a server that ends the connection', () => {
  it('after each message gets no message twice, and soon messages join no other', async () => {
    await start(3);
    server.answer = ({ verb, to }) =>
      verb === 'CONTENT' ? (socket) => socket.end(`250 taken for ${to}\r\n`) : undefined;
    const outcomes = await sendMany(30);
    // Each is sent over at most two connections. The second one may be about to end, too.
    const isSent = (_to: string, n: number) => outcomes[n]!.kind === 'sent';
    expect([...server.taken].sort()).toEqual(users(30).filter(isSent).sort());
    for (const [n, outcome] of outcomes.entries())
      expect([sent(n), { kind: 'retry', answer: 'the mail server closed the connection' }]).toContainEqual(outcome);
    const { joined } = server;
    expect(joined).toBeLessThanOrEqual(3);
    server.answer = () => undefined;
    expect(await sendMany(30)).toEqual(allSent(30));
    expect(server.joined).toBe(joined);
  });

  it('before it answers a content may have that message, and not the one that joined it', async () => {
    await start();
    let cuts = 0;
    server.answer = ({ verb, to, isFollowed }) =>
      verb === 'CONTENT' && isFollowed && to === 'user1@acme.test' && (cuts += 1) === 1
        ? (socket) => socket.resetAndDestroy()
        : undefined;
    const outcomes = await sendMany(5);
    expect(outcomes[1]).toMatchObject({ kind: 'retry', mayHaveArrived: true });
    expect(outcomes.toSpliced(1, 1)).toEqual(allSent(5).toSpliced(1, 1));
    expect([...server.taken].sort()).toEqual(users(5));
    expect(server.connections).toBe(2);
  });

  it('with 421 instead of an answer to a joined message gets that message over another connection', async () => {
    await start();
    let closings = 0;
    server.answer = ({ verb }) => (verb === 'MAIL' && (closings += 1) === 3 ? '421 enough for now' : undefined);
    expect(await sendMany(6)).toEqual(allSent(6));
    expect([...server.taken].sort()).toEqual(users(6));
    // It said so, and did not mind the joining.
    expect(server.joined).toBe(5);
  });

  it('whenever a message joins another fails none', async () => {
    await start(2);
    server.answer = ({ verb, to, isFollowed }) =>
      verb === 'CONTENT' && isFollowed ? (socket) => socket.end(`250 taken for ${to}\r\n`) : undefined;
    expect(await sendMany(20)).toEqual(allSent(20));
    expect([...server.taken].sort()).toEqual([...users(20)].sort());
  });
});

describe('a server that', () => {
  it('refuses commands that come early gets them once more, after its answer', async () => {
    await start();
    let isEarly = false;
    server.answer = ({ verb, isFollowed }) => {
      if (verb === 'CONTENT') isEarly = isFollowed;
      if (verb === 'RSET') isEarly = false;
      return isEarly && verb !== 'CONTENT' ? '503 bad sequence of commands' : undefined;
    };
    const outcomes = await sendMany(5);
    expect(outcomes).toEqual(allSent(5));
    expect([...server.taken].sort()).toEqual(users(5));
    expect(server.joined).toBe(1);
  });

  it('does not answer a content in time does not fail the message that joined it', async () => {
    await start(1, { ...SMTP_DEADLINES, contentMs: 300 });
    let silences = 0;
    server.answer = ({ verb, to }) =>
      verb === 'CONTENT' && to === 'user0@acme.test' && (silences += 1) === 1 ? () => {} : undefined;
    const outcomes = await sendMany(3);
    expect(outcomes[0]).toEqual({
      kind: 'retry',
      answer: 'the mail server did not accept the content of the message in 0.3 s',
      mayHaveArrived: true,
    });
    expect(outcomes.slice(1)).toEqual(allSent(3).slice(1));
  });
});
