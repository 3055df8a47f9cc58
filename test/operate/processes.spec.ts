import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import { Client } from 'pg';
import { createDatabase } from '../support/app/database.js';
import type { TestDatabase } from '../support/app/database.js';
import { Service } from '../support/app/service.js';
import { itOnLinux } from '../support/linux.js';
import { isLong } from '../support/long.js';
import { HttpSink } from '../support/sinks/http-sink.js';
import { until } from '../support/until.js';
import { createCrowd, withClient } from '../support/world/crowd.js';

const PATIENCE_MS = 60_000;

let database: TestDatabase;

beforeAll(async () => void (database = await createDatabase()));
afterAll(() => database.drop());

const start = (env: Record<string, string> = {}, args: string[] = []) =>
  Service.start({ DATABASE_URL: database.url, PROCESSES: '2', ...env }, { args });

const children = ({ pid }: Service) =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number);

/** A database whose owner is given as many connections as the test says. */
async function createLimited() {
  const database = await createDatabase('template0');
  const role = `role_${randomUUID().replaceAll('-', '')}`;
  const admin = new Client({ connectionString: database.url });
  await admin.connect();
  await admin.query(`create role ${role} login password 'secret'`);
  await admin.query(`alter database ${new URL(database.url).pathname.slice(1)} owner to ${role}`);
  const url = Object.assign(new URL(database.url), { username: role, password: 'secret' });
  return {
    url: url.href,
    limit: (connections: number) => admin.query(`alter role ${role} connection limit ${connections}`),
    async drop() {
      await admin.end();
      await database.drop();
    },
  };
}

/** Ended, also when nobody has asked for its exit code yet. */
const isGone = (pid: number) =>
  !existsSync(`/proc/${pid}/stat`) || /\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));

const allGone = (pids: number[]) => until(PATIENCE_MS, () => pids.every(isGone));

const lines = ({ output }: Service) =>
  output
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);

const said = (service: Service, message: string) => lines(service).filter((line) => line.message === message);

const STARTED_AGAIN = 'a process ended and is restarted';

function open({ url }: Service): Socket {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  socket.write(`GET /health/ready HTTP/1.1\r\nHost: ${hostname}\r\n\r\n`);
  return socket;
}

/** A connection that has been answered once, and is kept. */
async function visit(service: Service): Promise<Socket> {
  const socket = open(service);
  const answer = await new Promise<Buffer>((resolve, reject) => {
    socket.once('data', resolve);
    socket.once('close', () => reject(new Error('closed')));
  });
  expect(answer.toString()).toMatch(/^HTTP\/1.1 200/);
  return socket;
}

/** Which of the processes has the other end of the connection. */
function serverOf(socket: Socket, pids: number[]): number | undefined {
  const hex = (port: number) => `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const rows = readFileSync('/proc/net/tcp', 'utf8')
    .split('\n')
    .map((row) => row.trim().split(/\s+/));
  const row = rows.find(
    ([, near, far]) => near?.endsWith(hex(socket.remotePort!)) && far?.endsWith(hex(socket.localPort!)),
  );
  return pids.find((pid) =>
    readdirSync(`/proc/${pid}/fd`).some((fd) => {
      try {
        return readlinkSync(`/proc/${pid}/fd/${fd}`) === `socket:[${row?.[9]}]`;
      } catch {
        return false; // closed meanwhile
      }
    }),
  );
}

/** The processes that serve, as many connections find them. */
async function servers(service: Service): Promise<number[]> {
  const pids = children(service);
  const sockets = [await visit(service), await visit(service), await visit(service), await visit(service)];
  const found = sockets.map((socket) => serverOf(socket, pids));
  for (const socket of sockets) socket.destroy();
  return children(service).filter((pid) => found.includes(pid));
}

describe('a service of two processes', () => {
  let service: Service;
  beforeAll(async () => void (service = await start({ PROCESSES: '1' }, ['--processes', '2'])));
  afterAll(() => service.stop());

  itOnLinux('serves one port from as many processes as the command says, whatever the environment says', async () => {
    const pids = children(service);
    expect(pids).toHaveLength(2);
    expect(await servers(service)).toEqual(pids);
    expect(said(service, 'listening')).toEqual([expect.objectContaining({ url: service.url, processes: 2 })]);
    for (const pid of pids) expect(readFileSync(`/proc/${pid}/cmdline`, 'utf8')).not.toContain('postgres');
  });

  itOnLinux('starts a killed process again, and the other one serves meanwhile', async () => {
    const [, victim] = children(service);
    process.kill(victim!, 'SIGKILL');
    await until(PATIENCE_MS, async () => said(service, STARTED_AGAIN).some((line) => line.pid === victim));
    const failed: unknown[] = [];
    await until(PATIENCE_MS, async () => {
      const answer = await fetch(`${service.url}/health/ready`, { headers: { connection: 'close' } }).catch(String);
      if (!(answer instanceof Response && answer.ok)) failed.push(answer);
      return (await servers(service)).length === 2;
    });
    expect(failed).toEqual([]);
    expect(said(service, STARTED_AGAIN)).toEqual([
      expect.objectContaining({ pid: victim, cause: 'SIGKILL', pauseMs: 100 }),
    ]);
  });

  itOnLinux('lets nobody wait for a process that died before it took their connection', async () => {
    const [victim] = children(service);
    process.kill(victim!, 'SIGSTOP');
    const sockets = [open(service), open(service)];
    const answered: Socket[] = [];
    for (const socket of sockets) socket.once('data', () => answered.push(socket));
    await until(PATIENCE_MS, () => answered.length === 1);
    const waiting = sockets.find((socket) => !answered.includes(socket))!;
    process.kill(victim!, 'SIGKILL');
    await until(PATIENCE_MS, () => waiting.closed);
    answered[0]!.destroy();
    await until(PATIENCE_MS, async () => (await servers(service)).length === 2);
  });

  itOnLinux('comes back on its port after all its processes were killed at once', async () => {
    const pids = children(service);
    for (const pid of pids) process.kill(pid, 'SIGKILL');
    await allGone(pids);
    await until(PATIENCE_MS, async () => (await servers(service).catch(() => [])).length === 2);
  });

  itOnLinux('ends with the process that was started, also when that one is killed', async () => {
    const pids = children(service);
    await service.stop('SIGKILL');
    await allGone(pids);
  });
});

itOnLinux('is one process when nobody says otherwise', async () => {
  const service = await start({ PROCESSES: '' });
  expect(children(service)).toEqual([]);
  await service.stop();
});

const STOPS: [string, boolean][] = [['SIGTERM to the one that was started', false]];
if (isLong) STOPS.push(['Ctrl-C, which reaches them all', true]);

itOnLinux.each(STOPS)('stops on %s, with nothing lost, repeated or left', async (_, everyone) => {
  const sink = await HttpSink.start();
  const database = await createDatabase();
  try {
    sink.reply = () => ({ status: 200, delayMs: 1000 });
    const { key, trigger } = await createCrowd(database.url, sink.url('/in'), 60);
    const service = await start({ DATABASE_URL: database.url, OUTBOUND_ALLOW: '127.0.0.0/8' });
    const pids = children(service);
    await fetch(service.url + trigger, { method: 'POST', headers: { authorization: `Key ${key}` } });
    await until(PATIENCE_MS, () => sink.requests.length > 0);
    if (everyone) for (const pid of pids) process.kill(pid, 'SIGINT');
    expect(await service.stop(everyone ? 'SIGINT' : 'SIGTERM')).toBe(0);
    expect(pids.filter((pid) => !isGone(pid))).toEqual([]);
    const sent = `select count(*)::int sent from deliveries where status = 'sent'`;
    const { rows } = await withClient(database.url, (client) => client.query(sent));
    expect(rows).toEqual([{ sent: sink.requests.length }]);
    expect(lines(service).filter(({ level }) => level !== 'info')).toEqual([]);
  } finally {
    await sink.close();
    await database.drop();
  }
});

itOnLinux('says once why it cannot start: the port is taken', async () => {
  const stranger = createServer().listen(0, '127.0.0.1');
  await once(stranger, 'listening');
  const { port } = stranger.address() as AddressInfo;
  const env = { DATABASE_URL: database.url, PORT: String(port), PROCESSES: '2' };
  const { code, stdout, stderr } = await Service.try(['start'], env);
  stranger.close();
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toBe(
    `carillon: listen EADDRINUSE: address already in use 127.0.0.1:${port}. Stop the program that uses it, or choose another port, such as PORT=${port + 1}\n`,
  );
});

if (isLong) {
  itOnLinux('says once why it cannot start: the database takes no more connections', async () => {
    const limited = await createLimited();
    await Service.run(['migrate'], { DATABASE_URL: limited.url });
    await limited.limit(2); // enough to migrate; three processes hold one each, and more
    const env = { DATABASE_URL: limited.url, PROCESSES: '3', ROLE: 'worker', PORT: '0', LOG_LEVEL: 'error' };
    const { code, stdout, stderr } = await Service.try(['start'], env);
    await limited.drop();
    expect([code, stdout, stderr]).toEqual([
      1,
      '',
      expect.stringMatching(/^carillon: too many connections for role "\w+"\n$/),
    ]);
  });

  itOnLinux('tries again, later each time, while a killed process cannot be replaced', async () => {
    const limited = await createLimited();
    const service = await start({ DATABASE_URL: limited.url, ROLE: 'worker' });
    const causes = () => said(service, STARTED_AGAIN).map(({ cause, pauseMs }) => [cause, pauseMs]);
    await limited.limit(0);
    process.kill(children(service)[0]!, 'SIGKILL');
    await until(PATIENCE_MS, () => causes().length >= 3);
    const full = expect.stringMatching(/^too many connections for role/);
    expect(causes().slice(0, 3)).toEqual([
      ['SIGKILL', 100],
      [full, 200],
      [full, 400],
    ]);
    await limited.limit(-1);
    await until(PATIENCE_MS, async () => (await servers(service)).length === 2);
    expect(await service.stop()).toBe(0);
    await limited.drop();
  });
}
