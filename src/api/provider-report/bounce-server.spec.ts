import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { until } from '../../../test/support/until.js';
import { BounceServer } from './bounce-server.js';

let server: BounceServer;
let taken: string[];
let sockets: Socket[];

const options = {
  host: '127.0.0.1',
  port: 0,
  accepts: (address: string) => address.startsWith('ours'),
  take: (_: string, raw: Buffer) => Promise.resolve(void taken.push(raw.toString())),
};

beforeEach(async () => {
  [taken, sockets] = [[], []];
  server = await BounceServer.listen(options);
});
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  await server.close();
});

/** A connection, and all that it was answered so far. */
async function connection() {
  const socket = connect(server.port, '127.0.0.1');
  sockets.push(socket);
  let text = '';
  socket.on('data', (chunk) => (text += chunk.toString())).on('error', () => undefined);
  await once(socket, 'connect');
  const answered = (pattern: RegExp) =>
    until(10_000, () => Promise.resolve(pattern.test(text))).catch(() => expect(text).toMatch(pattern));
  return { socket, answered, isClosed: () => socket.closed, text: () => text };
}

it('takes 20 connections from one network', async () => {
  for (let n = 0; n < 20; n++) await (await connection()).answered(/^220 /);
  const more = await connection();
  await until(10_000, () => Promise.resolve(more.isClosed()));
  expect(more.text()).toBe('');
  sockets[0]!.destroy();
  await once(sockets[0]!, 'close');
  await until(10_000, async () => {
    const next = await connection();
    await until(10_000, () => Promise.resolve(next.isClosed() || next.text() !== ''));
    return next.text().startsWith('220 ');
  });
});

it('offers neither a login nor TLS, and refuses what it does not know', async () => {
  const { socket, answered, text } = await connection();
  await answered(/^220 /);
  socket.write('EHLO mail.example.com\r\n');
  await answered(/^250 /m);
  expect(text()).not.toMatch(/AUTH|STARTTLS/);
  socket.write(
    'MAIL FROM:<>\r\nRCPT TO:<other@acme.test>\r\nRCPT TO:<ours@acme.test>\r\nRCPT TO:<ours2@acme.test>\r\n',
  );
  await answered(/^550 5\.1\.1 No such address\r\n250 [^\r]*\r\n452 4\.5\.3 One/m);
});

it('does not take a mail whose sender goes away before its end', async () => {
  const { socket, answered } = await connection();
  await answered(/^220 /);
  socket.write('EHLO mail.example.com\r\nMAIL FROM:<>\r\nRCPT TO:<ours@acme.test>\r\nDATA\r\n');
  await answered(/^354 /m);
  socket.write('Subject: cut\r\n\r\nhalf of it');
  socket.destroy();
  const whole = await connection();
  await whole.answered(/^220 /);
  whole.socket.write('EHLO mail.example.com\r\nMAIL FROM:<>\r\nRCPT TO:<ours@acme.test>\r\nDATA\r\n');
  await whole.answered(/^354 /m);
  whole.socket.write('Subject: whole\r\n\r\nall of it\r\n.\r\n');
  await whole.answered(/^354 [^]*^250 /m);
  expect(taken).toEqual(['Subject: whole\r\n\r\nall of it\r\n']);
});

it('does not start on a port that is taken', async () => {
  await expect(BounceServer.listen({ ...options, port: server.port })).rejects.toThrow('EADDRINUSE');
});
