import { randomBytes, createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { expect } from '@jest/globals';
import type { TestApp } from '../support/app/app.js';
import { Service } from '../support/app/service.js';
import { useApp } from '../support/app/use.js';
import { itOnLinux } from '../support/linux.js';
import { Tenant, mail } from '../support/world/tenant.js';

const USERS = 1000;
const MB = 1024 * 1024;

let app: TestApp;
useApp({ ROLE: 'api' }, (started) => (app = started));

const END = '\r\n.\r\n';

/** A mail server that only looks for the end of each mail: one that parses them takes longer than the worker. */
async function drain() {
  let bytes = 0;
  const server = createServer((socket) => {
    /** The last characters of the mail that is coming; null between mails. */
    let tail: string | null = null;
    socket
      .on('error', () => undefined)
      .on('data', (chunk: Buffer) => {
        if (tail === null) return answer(chunk.toString('latin1').trim());
        bytes += chunk.length;
        tail = (tail + chunk.subarray(-END.length).toString('latin1')).slice(-END.length);
        if (tail !== END) return;
        tail = null;
        socket.write('250 taken\r\n');
      });
    const answer = (command: string) => {
      if (command === 'DATA') tail = '';
      socket.write(command === 'DATA' ? '354 go on\r\n' : command === 'QUIT' ? '221 bye\r\n' : '250 ok\r\n');
    };
    socket.write('220 drain\r\n');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { port, bytes: () => bytes, close: () => server.close() };
}

const memory = (pid: number, field: 'VmHWM' | 'VmRSS') =>
  Number(new RegExp(`${field}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024;

itOnLinux(
  '10 MB to 1,000 users take one copy in the database and in the memory of the worker',
  async () => {
    const sink = await drain();
    const emails = Array.from({ length: USERS }, (_, i) => `u${i}@acme.test`);
    const tenant = await Tenant.create(app, {
      channels: [mail('mail', sink.port)],
      users: emails.map((email) => ({ email })),
      lists: [{ name: 'All', members: emails }],
      notifications: [
        { name: 'Tell', distribution_list: 'All', templates: [{ channel: 'mail', subject: 'News', text: 'Hi' }] },
      ],
    });
    const worker = await Service.start({
      ...{ ROLE: 'worker', DATABASE_URL: app.databaseUrl, SECRET_KEY: Buffer.alloc(32, 7).toString('base64') },
      OUTBOUND_ALLOW: '127.0.0.0/8',
    });
    const send = async (attachments?: object[]) => {
      const start = performance.now();
      await tenant.settled(await tenant.trigger({}, { attachments }), 900_000);
      return (USERS * 1000) / (performance.now() - start);
    };
    const plain = await send();
    const before = memory(worker.pid, 'VmHWM');
    const bytes = randomBytes(10 * MB);
    const answer = await fetch(`${app.url}/api/o/${tenant.org}/uploads/?filename=report.pdf`, {
      ...{ method: 'POST', body: bytes, headers: { Authorization: `Key ${tenant.key}` } },
    });
    const { id, sha256 } = (await answer.json()) as { id: string; sha256: string };
    expect(sha256).toBe(createHash('sha256').update(bytes).digest('hex'));
    const rate = await send([{ upload: id }]);
    const after = memory(worker.pid, 'VmHWM');
    const { rows } = await app.pool.query<{ stored: number }>(
      `select pg_total_relation_size('file_chunks')::float8 stored`,
    );
    const stored = rows[0]!.stored / MB;
    console.log(
      `10 MB to ${USERS} users: ${rate.toFixed(1)} messages/s (${(sink.bytes() / MB).toFixed(0)} MB sent), without a file ${plain.toFixed(0)}/s; ` +
        `peak memory of the worker ${after.toFixed(0)} MB, before ${before.toFixed(0)} MB; ${stored.toFixed(1)} MB in the database`,
    );
    await worker.stop();
    sink.close();
    expect(sink.bytes()).toBeGreaterThan(USERS * 13.6 * MB);
    expect(stored).toBeLessThan(11.5);
    expect(after - before).toBeLessThan(100);
  },
  1_000_000,
);
