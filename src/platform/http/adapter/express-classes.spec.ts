import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from '@jest/globals';
import express from 'express';
import { expressClasses } from './express-classes.js';

setFlagsFromString('--allow-natives-syntax');
/** False for an object that V8 keeps as a hash table: each access to a property of it is slow. */
const isFast = runInNewContext('(object) => %HasFastProperties(object)') as (object: object) => boolean;

const NOTE = Symbol('note');

it('keeps requests and responses fast, also when a symbol is set on them', async () => {
  const isSlow: string[] = [];
  const server = createServer(expressClasses(express()), (request: IncomingMessage, response: ServerResponse) => {
    for (const [name, object] of Object.entries({ request, response })) {
      Object.assign(object, { originalUrl: '/', params: {}, route: {} });
      (object as unknown as Record<symbol, unknown>)[NOTE] = name;
      if (!isFast(object)) isSlow.push(name);
    }
    response.end('ok');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const answers = await Promise.all(Array.from({ length: 20 }, () => fetch(url)));
  expect(await Promise.all(answers.map((answer) => answer.text()))).toEqual(Array(20).fill('ok'));
  server.close();
  server.closeAllConnections();
  expect(isSlow).toEqual([]);
});
