import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { Command } from 'commander';
import { RemoteClient, RemoteError } from './client.js';
import { remoteService, withRemoteOptions } from './options.js';
import type { RemoteOptions } from './options.js';

const NO_PROFILES = { HOME: '/nowhere' };

let server: Server;
let answer: (request: IncomingMessage, response: ServerResponse) => void;
let client: RemoteClient;

beforeEach(async () => {
  server = createServer((request, response) => answer(request, response));
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  client = new RemoteClient({ url: `http://127.0.0.1:${port}/`, key: 'the-key' });
});

afterEach(() => {
  server.closeAllConnections();
  server.close();
});

it('sends the key, the query and the body, and returns the answer', async () => {
  answer = async (request, response) => {
    const chunks = await request.toArray();
    const { method, url, headers } = request;
    response.end(JSON.stringify({ method, url, key: headers.authorization, body: Buffer.concat(chunks).toString() }));
  };
  expect(await client.send('POST', '/api/x/', { query: { a: 'b c', left_out: undefined }, body: { c: 1 } })).toEqual({
    ...{ method: 'POST', url: '/api/x/?a=b+c', key: 'Key the-key', body: '{"c":1}' },
  });
});

it('throws a refusal with its detail and one line for each field', async () => {
  answer = (_, response) => {
    response.writeHead(400, { 'Content-Type': 'application/problem+json' });
    response.end(JSON.stringify({ detail: 'The request is invalid.', errors: { name: ['is required', 'is odd'] } }));
  };
  const refused = client.send('GET', '/api/x/');
  await expect(refused).rejects.toMatchObject({ status: 400, detail: 'The request is invalid.' });
  await expect(refused).rejects.toBeInstanceOf(RemoteError);
  await expect(refused).rejects.toThrow('The request is invalid.\nname: is required\nname: is odd');
});

it('names the status if a proxy answers instead of the service', async () => {
  answer = (_, response) => response.writeHead(502, { 'Content-Type': 'text/html' }).end('<html>');
  await expect(client.send('GET', '/')).rejects.toThrow('the service answered 502 Bad Gateway');
});

it('gives up when the service does not answer in time', async () => {
  answer = () => undefined;
  await expect(client.send('GET', '/', { timeoutMs: 20 })).rejects.toThrow(/did not answer within 0.02 s/);
});

it('does not send the key to another host after a redirection', async () => {
  answer = (_, response) => response.writeHead(302, { Location: 'http://127.0.0.1:1/' }).end();
  await expect(client.send('GET', '/')).rejects.toThrow(/cannot be reached: unexpected redirect/);
});

it('takes the address and the key from options, then from the environment', () => {
  const env = { ...NO_PROFILES, CARILLON_URL: 'http://a', CARILLON_KEY: 'k' };
  expect(remoteService({}, NO_PROFILES)).toBeNull();
  expect(remoteService({}, env)).toEqual({ url: 'http://a', key: 'k' });
  expect(remoteService({ url: 'http://b', key: 'l' }, env)).toEqual({ url: 'http://b', key: 'l' });
  expect(() => remoteService({ url: 'http://b' }, NO_PROFILES)).toThrow('an API key is required');
  expect(() => remoteService({ url: 'ftp://b', key: 'l' }, NO_PROFILES)).toThrow('is not the address of a service');
  expect(() => remoteService({ key: 'l' }, NO_PROFILES)).toThrow('--key needs --url');
});

it('adds the options to a command', () => {
  const command = withRemoteOptions(new Command('x'));
  const options = command.parse(['--url', 'http://a', '--key', 'k'], { from: 'user' }).opts<RemoteOptions>();
  expect(remoteService(options, NO_PROFILES)).toEqual({ url: 'http://a', key: 'k' });
});
