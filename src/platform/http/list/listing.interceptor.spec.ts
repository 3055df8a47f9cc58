import { once } from 'node:events';
import { Controller, Get, Res } from '@nestjs/common';
import type { INestApplication } from '@nestjs/common';
import { APP_INTERCEPTOR } from '@nestjs/core';
import { Test } from '@nestjs/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Response as ExpressResponse } from 'express';
import { ConnectionShares } from '../limit/connection-shares.js';
import { ResponseBuffers } from '../limit/response-buffers.js';
import { Listing } from './listing.js';
import { ListingInterceptor } from './listing.interceptor.js';
import { CurrentPage } from './page.js';
import type { Page } from './page.js';

/**
 * Larger than the buffers between the service and a client that reads nothing, so that items are read only as the client takes
 * them.
 */
const LARGE = 'x'.repeat(2 ** 20);

let ids: number[];
let padding: string;
let reads: (string | null)[];
/** Resolves when the answer is finished or aborted. */
let over: Promise<unknown>;
/** Called before each read. */
let beforeRead: (after: string | null) => void;

beforeEach(() => {
  ids = [1, 2, 3, 4, 5];
  padding = '';
  reads = [];
  beforeRead = () => undefined;
});

@Controller()
class Numbers {
  @Get()
  list(@CurrentPage() page: Page, @Res({ passthrough: true }) response: ExpressResponse) {
    over = once(response, 'close');
    const read = (after: string | null, limit: number) => {
      reads.push(after);
      beforeRead(after);
      return Promise.resolve(ids.filter((id) => id > Number(after)).slice(0, limit));
    };
    return new Listing(
      page,
      read,
      (id) => ({ id, padding }),
      (id) => id,
      2,
    );
  }
}

let app: INestApplication;
let url: string;
beforeAll(async () => {
  const providers = [
    { provide: APP_INTERCEPTOR, useClass: ListingInterceptor },
    { provide: ConnectionShares, useValue: new ConnectionShares(4) },
    { provide: ResponseBuffers, useValue: new ResponseBuffers() },
  ];
  app = (await Test.createTestingModule({ controllers: [Numbers], providers }).compile()).createNestApplication({
    logger: false,
  });
  await app.listen(0, '127.0.0.1');
  url = await app.getUrl();
});
afterAll(() => app.close());

const ask = (query = '') => fetch(`${url}/${query}`);
const idsOf = async (answer: Response) => ((await answer.json()) as { id: number }[]).map(({ id }) => id);

describe('the whole of a list', () => {
  it.each([[[]], [[1]], [[1, 2]]])('is read and answered at once when it is %j', async (few) => {
    ids = few;
    const answer = await ask();
    const { status, headers } = answer;
    expect([status, headers.get('content-type'), headers.has('content-length'), headers.get('link')]).toEqual([
      200,
      'application/json; charset=utf-8',
      true,
      null,
    ]);
    expect([await idsOf(answer), reads]).toEqual([few, [null]]);
  });

  it('is read part after part when it is longer', async () => {
    const answer = await ask();
    const { status, headers } = answer;
    expect([status, headers.get('content-type'), headers.get('link')]).toEqual([
      200,
      'application/json; charset=utf-8',
      null,
    ]);
    expect([await idsOf(answer), reads]).toEqual([ids, [null, '2', '4']]);
  });

  it('can start after any of its items', async () => {
    expect(await idsOf(await ask('?after=2'))).toEqual([3, 4, 5]);
    expect(reads).toEqual(['2', '4']);
  });

  it('ends well when the rest of it was deleted meanwhile', async () => {
    beforeRead = (after) => (ids = after === '4' ? [1, 2, 3, 4] : ids);
    expect(await idsOf(await ask())).toEqual([1, 2, 3, 4]);
    expect(reads).toEqual([null, '2', '4']);
  });

  it('is an error when the first read fails', async () => {
    beforeRead = () => {
      throw new Error('broken');
    };
    expect((await ask()).status).toBe(500);
  });

  it('is cut off when a later read fails', async () => {
    beforeRead = (after) => {
      if (after === '4') throw new Error('broken');
    };
    const answer = await ask();
    expect(answer.status).toBe(200);
    await expect(answer.text()).rejects.toThrow();
  });

  it('is read no faster than it is taken, and no further when its reader has gone', async () => {
    ids = Array.from({ length: 100 }, (_, n) => n + 1);
    padding = LARGE;
    const reader = new AbortController();
    const answer = await fetch(url, { signal: reader.signal });
    reader.abort();
    await expect(answer.text()).rejects.toThrow();
    await over;
    const taken = reads.length;
    expect(taken).toBeLessThan(25);
    expect(await idsOf(await ask('?limit=1'))).toEqual([1]);
    expect(reads).toHaveLength(taken + 1);
  });
});

it('a page is one read, and says where the next begins', async () => {
  const first = await ask('?limit=3');
  expect([await idsOf(first), first.headers.get('link')]).toEqual([[1, 2, 3], `<${url}/?limit=3&after=3>; rel="next"`]);
  const second = await ask('?limit=3&after=3');
  expect([await idsOf(second), second.headers.get('link')]).toEqual([[4, 5], null]);
  expect(reads).toEqual([null, '3']);
});
