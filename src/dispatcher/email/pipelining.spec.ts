import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { Clock } from '../../../test/support/clock.js';
import { until } from '../../../test/support/until.js';
import { Outbound } from '../outbound/outbound.js';
import { EmailDispatcher } from './email.dispatcher.js';
import { Pipelining } from './pipelining.js';

const stall = { firstMs: 1, restMs: 40 };
const stalls = (count: number) => Array.from({ length: count }, () => stall);
const prompt = { firstMs: 1, restMs: 0.1 };

/** Whether pipelining is useful after these exchanges at time 0. */
const after = (...exchanges: { firstMs: number; restMs: number }[]): Pipelining => {
  const pipelining = new Pipelining();
  for (const each of exchanges) pipelining.note(each, 0);
  return pipelining;
};

describe('pipelining', () => {
  it('is useful until the replies to commands stall many times in a row', () => {
    expect(after().isUseful(0)).toBe(true);
    expect(after(...stalls(24)).isUseful(0)).toBe(true);
    expect(after(...stalls(24), prompt, ...stalls(24)).isUseful(0)).toBe(true);
    expect(after(...stalls(25)).isUseful(0)).toBe(false);
  });

  it('is tried again after ten minutes', () => {
    const pipelining = after(...stalls(25));
    expect(pipelining.isUseful(599_999)).toBe(false);
    expect(pipelining.isUseful(600_000)).toBe(true);
  });

  it.each([
    ['far away', { firstMs: 20, restMs: 40 }],
    ['slow', { firstMs: 1, restMs: 3000 }],
    ['prompt', prompt],
  ])('stays useful with a server that is %s', (_name, exchange) => {
    expect(after(...Array(50).fill(exchange)).isUseful(0)).toBe(true);
  });
});

it('commands are sent one at a time to a server that holds back all replies of a batch but the first', async () => {
  await Clock.stopped(async (clock) => {
    /** For each message, whether its commands came together. */
    const together: boolean[] = [];
    /** How many bytes the dispatcher has read. */
    let heard = 0;
    const holdBack = async (socket: Socket) => {
      const before = heard;
      socket.write('250 ok\r\n');
      await until(10_000, () => heard > before);
      clock.advance(60);
      socket.write('250 ok\r\n354 go on\r\n');
    };
    const server = createServer((socket) => {
      socket.on('error', () => {});
      socket.write('220 sink\r\n');
      socket.on('data', (chunk) => {
        const text = chunk.toString();
        if (text.startsWith('MAIL')) together.push(text.includes('DATA'));
        if (text.startsWith('EHLO')) socket.write('250-sink\r\n250 PIPELINING\r\n');
        else if (text.startsWith('MAIL') && text.includes('DATA')) void holdBack(socket);
        else socket.write(text.startsWith('DATA') ? '354 go on\r\n' : '250 ok\r\n');
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const outbound = new Outbound({ allow: ['127.0.0.0/8'] });
    const connect: Outbound['connect'] = async (...to) =>
      (await outbound.connect(...to)).on('data', (chunk: Buffer) => (heard += chunk.length));
    const email = new EmailDispatcher({ connect } as Outbound);
    const config = { host: '127.0.0.1', port: (server.address() as AddressInfo).port, from: 'a@acme.test' };
    const about = { occurrence: 'o', organization: 'acme', project: 'p', application: 'a', event: 'e', user: 'u' };
    const message = { to: 'ann@acme.test', subject: 'Hello', text: 'Hi', html: '', about, context: {} };
    const send = async (id: string) =>
      expect(await email.send({ ...message, id }, config)).toMatchObject({ kind: 'sent' });
    for (let n = 0; n < 26; n += 1) await send(`m${n}`);
    expect(together).toEqual([...Array(25).fill(true), false]);
    // The server is remembered when its connections are closed.
    await email.close();
    await send('last');
    expect(together.at(-1)).toBe(false);
    await email.close();
    server.close();
  });
});
