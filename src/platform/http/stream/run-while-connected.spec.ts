import { once } from 'node:events';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import express from 'express';
import { until } from '../../../../test/support/until.js';
import type { Problem } from '../problem.js';
import { runWhileConnected } from './run-while-connected.js';

let server: Server;
let work: (signal: AbortSignal) => Promise<string>;
let seen: AbortSignal | undefined;

beforeEach(async () => {
  seen = undefined;
  const app = express();
  app.get('/:ms', async ({ params }, response) => {
    try {
      const said = await runWhileConnected(response, Number(params.ms), 'Ask for less.', (signal) =>
        work((seen = signal)),
      );
      response.end(said);
    } catch (error) {
      const { status, detail } = error as Problem;
      response.status(status).end(detail);
    }
  });
  server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(async () => {
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
});

const url = (ms: number) => `http://127.0.0.1:${(server.address() as AddressInfo).port}/${ms}`;
const never = () => new Promise<never>(() => undefined);

it('answers the result of the work, and aborts nothing afterwards', async () => {
  work = () => Promise.resolve('done');
  const answer = await fetch(url(60_000));
  expect([answer.status, await answer.text(), seen!.aborted]).toEqual([200, 'done', false]);
});

it('says what to do when the work takes too long, and tells the work to stop', async () => {
  work = never;
  const answer = await fetch(url(50));
  expect([answer.status, await answer.text(), seen!.aborted]).toEqual([503, 'Ask for less.', true]);
});

it('tells the work to stop when its client has disconnected', async () => {
  work = never;
  const leave = new AbortController();
  const asking = fetch(url(60_000), { signal: leave.signal });
  await until(5000, () => seen);
  leave.abort();
  await expect(asking).rejects.toThrow();
  await until(5000, () => seen!.aborted);
});

it('fails as the work fails', async () => {
  work = () => Promise.reject(Object.assign(new Error(), { status: 418, detail: 'tea' }));
  expect((await fetch(url(60_000))).status).toBe(418);
});
