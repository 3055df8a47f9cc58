import { once } from 'node:events';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { takeCounts } from '../../bench/measure/add-up.mjs';
import { sendUntilAccepted } from '../../bench/measure/closed-loop.mjs';
import { trigger } from '../../bench/world/crowd.mjs';

// A busy service refuses the first requests. A benchmark that is not about refusals must not end with them.
let server: Server;
let url: string;
let refusals: number[];
beforeEach(async () => {
  server = createServer((request, response) => {
    request.resume();
    const status = refusals.shift() ?? 201;
    response.writeHead(status, { ...(status !== 201 && status !== 500 && { 'retry-after': '1' }) });
    response.end('{"occurrence":"x"}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  takeCounts();
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

const crowd = { headers: {}, paths: { told: '/' } };

it('sends a refused trigger again, and counts it', async () => {
  refusals = [429, 503];
  expect(await trigger({ url }, crowd)).toMatchObject({ occurrence: 'x' });
  expect(takeCounts()).toEqual({ 'refused and sent again': 2 });
});

it('ends with a trigger that failed otherwise', async () => {
  refusals = [500];
  await expect(trigger({ url }, crowd)).rejects.toThrow('a trigger was answered 500');
});

it('sends requests again until each was accepted', async () => {
  refusals = [429, 503, 503];
  await sendUntilAccepted({ url, method: 'POST', body: '{}', status: 201 }, 4, 10);
  expect(takeCounts()).toEqual({ 'answers 201': 10, errors: 0, timeouts: 0, 'refused and sent again': 3 });
});
