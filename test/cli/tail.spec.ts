import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { root } from '../../src/platform/config/root.js';
import type { TestApp } from '../support/app/app.js';
import { spawnCarillon } from '../support/app/service.js';
import { useAcme } from '../support/app/use.js';
import { until } from '../support/until.js';

let app: TestApp;
let key: string;
useAcme((acme) => ({ app, key } = acme));

/** Between the command and the service. While it is down, it closes every connection. */
let between: Server;
let isDown = false;
let url: string;
beforeAll(async () => {
  between = createServer((incoming, response) => {
    if (isDown) return incoming.socket.destroy();
    const forwarded = request(app.url + incoming.url!, { headers: incoming.headers }, (answer) => {
      response.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(response);
    });
    return incoming.pipe(forwarded);
  });
  await new Promise<void>((done) => between.listen(0, '127.0.0.1', done));
  url = `http://127.0.0.1:${(between.address() as AddressInfo).port}`;
});
afterAll(() => void between.close());

const trigger = async (event: string) => {
  const [project, application, slug] = event.split('/') as [string, string, string];
  const path = `/api/o/acme/p/${project}/a/${application}/e/${slug}/trigger/`;
  return ((await app.as(key).post(path).send({})).body as { occurrence: string }).occurrence;
};

interface Tail {
  child: ChildProcess;
  lines(): string[];
  errors(): string;
  ended: Promise<[number | null, string | null]>;
}

const running = new Set<ChildProcess>();
afterEach(() => {
  for (const child of running) child.kill('SIGKILL');
  running.clear();
});

function tail(...args: string[]): Tail {
  const env = { CARILLON_URL: url, CARILLON_KEY: key };
  const child = spawnCarillon(['tail', '--interval', '0.1', ...args], env, root);
  running.add(child);
  let [stdout, stderr] = ['', ''];
  child.stdout!.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr!.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  return {
    child,
    lines: () => stdout.split('\n').slice(0, -1),
    errors: () => stderr,
    ended: once(child, 'close') as Promise<[number | null, string | null]>,
  };
}

const shows = (watched: Tail, occurrence: string) =>
  until(20_000, () => watched.lines().some((line) => line.includes(occurrence)), watched.errors);

it('prints the last occurrences, then new ones, and ends with Ctrl-C', async () => {
  const [, second, third] = [
    await trigger('shop/web/order-paid'),
    await trigger('shop/web/order-sent'),
    await trigger('depot/gate/opened'),
  ];
  const watched = tail('acme', '--last', '2');
  await shows(watched, third);
  expect(watched.lines().map((line) => line.split(/ {2}/).slice(1, 3))).toEqual([
    [`acme/${second}`, 'shop/web/order-sent'],
    [`acme/${third}`, 'depot/gate/opened'],
  ]);
  const fourth = await trigger('shop/web/order-paid');
  await shows(watched, fourth);
  watched.child.kill('SIGINT');
  expect(await watched.ended).toEqual([0, null]);
  expect(watched.errors()).toBe('');
  expect(watched.lines()).toHaveLength(3);
});

it.each(['acme/shop', 'acme/shop/web', 'acme/shop/web/order-paid'])('prints only occurrences of %s', async (path) => {
  const watched = tail(path, '--last', '1', '--count', '2', '--json');
  await until(20_000, () => watched.lines().length === 1, watched.errors);
  await trigger('depot/gate/opened');
  const wanted = await trigger('shop/web/order-paid');
  expect(await watched.ended).toEqual([0, null]);
  const found = watched.lines().map((line) => JSON.parse(line) as Record<string, string>);
  expect(found[1]).toMatchObject({ id: wanted, project: 'shop', application: 'web', event: 'order-paid' });
});

it('connects again after the service was away, and misses nothing', async () => {
  const watched = tail('acme', '--last', '1');
  await until(20_000, () => watched.lines().length === 1, watched.errors);
  isDown = true;
  try {
    await until(20_000, () => /trying again/.test(watched.errors()));
  } finally {
    isDown = false;
  }
  const missed = await trigger('shop/web/order-paid');
  await shows(watched, missed);
  expect(watched.errors()).toMatch(/^the service at \S+ cannot be reached: .*; trying again\nconnected again\n$/);
});

it('gives up after the time that it was given', async () => {
  isDown = true;
  try {
    const watched = tail('acme', '--reconnect', '0');
    expect(await watched.ended).toEqual([1, null]);
    expect(watched.errors()).toMatch(/^carillon: the service at \S+ cannot be reached: /);
  } finally {
    isDown = false;
  }
});

it('ends when nobody reads its output any more', async () => {
  const watched = tail('acme', '--last', '1');
  await until(20_000, () => watched.lines().length === 1, watched.errors);
  watched.child.stdout!.destroy();
  await trigger('shop/web/order-paid');
  expect((await watched.ended)[0]).toBe(0);
});

it('does not repeat a request that the service refuses', async () => {
  const watched = tail('globex');
  expect(await watched.ended).toEqual([1, null]);
  expect(watched.errors()).toBe('carillon: There is no such organization.\n');
});
