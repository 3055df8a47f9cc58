import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { RemoteClient } from '../client.js';
import { NewOccurrences } from './new-occurrences.js';

let server: Server;
let client: RemoteClient;
let page: object[];
let hasMore: boolean;
let asked: URLSearchParams;

beforeAll(async () => {
  server = createServer((request, response) => {
    asked = new URL(request.url!, 'http://x').searchParams;
    if (hasMore) response.setHeader('Link', '<http://x/?after=1>; rel="next"');
    response.end(JSON.stringify(page));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  client = new RemoteClient({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, key: 'k' });
});
afterAll(() => void server.close());
beforeEach(() => {
  hasMore = false;
});

/** Newest first, as the service lists them. */
const occurrences = (...numbers: number[]) =>
  numbers.map((number) => ({
    id: `id-${String(number).padStart(3, '0')}`,
    created_at: new Date(Date.UTC(2030, 0, 1, 8, 0, number)).toISOString(),
    ...{ project: 'p', application: 'a', event: 'e' },
  }));

const next = async (source: NewOccurrences) => {
  const { found, isCut } = await source.next();
  return { found: found.map(({ id }) => Number(id.slice(3))), isCut };
};

it('finds the last ones first, then each new one once, also one that was committed late', async () => {
  const source = new NewOccurrences(client, { organization: 'acme' }, 2);
  page = occurrences(30, 28, 27);
  expect(await next(source)).toEqual({ found: [28, 30], isCut: false });
  page = occurrences(31, 30, 29, 28, 27);
  expect(await next(source)).toEqual({ found: [29, 31], isCut: false });
  expect(asked.get('since')).toBe('2030-01-01T08:00:20.000Z');
  expect(await next(source)).toEqual({ found: [], isCut: false });
});

it('finds nothing older than its first page', async () => {
  const source = new NewOccurrences(client, { organization: 'acme' }, 0);
  page = occurrences(30, 29);
  expect(await next(source)).toEqual({ found: [], isCut: false });
  page = occurrences(30, 29, 28);
  expect(await next(source)).toEqual({ found: [], isCut: false });
});

it('says that there were more than one request returns', async () => {
  const source = new NewOccurrences(client, { organization: 'acme' }, 0);
  [page, hasMore] = [occurrences(2, 1), true];
  expect(await next(source)).toEqual({ found: [], isCut: false });
  page = occurrences(9, 8);
  expect(await next(source)).toEqual({ found: [8, 9], isCut: true });
  page = occurrences(10, 9);
  expect(await next(source)).toEqual({ found: [10], isCut: false });
});
