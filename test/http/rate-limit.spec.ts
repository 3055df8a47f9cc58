import { describe, expect, it } from '@jest/globals';
import type { TestApp } from '../support/app/app.js';
import { useAcme } from '../support/app/use.js';
import { Clock } from '../support/clock.js';

const PING = '/api/system/ping/';

let app: TestApp;
useAcme((acme) => void ({ app } = acme));

/** So many requests at once, and what came of them. */
async function ask(key: string, times: number, path = PING) {
  const answers = await Promise.all(
    Array.from({ length: times }, () => fetch(app.url + path, { headers: { Authorization: `Key ${key}` } })),
  );
  const of = (status: number) => answers.filter((answer) => answer.status === status);
  return { of, counts: { passed: of(200).length, refused: of(429).length } };
}

describe('a key with a rate limit', () => {
  it('is let through as often as that at once, and then told to wait, truly', async () => {
    const key = await app.key({ org: 'acme', rateLimit: 2 });
    await Clock.stopped(async (clock) => {
      const { of, counts } = await ask(key, 5);
      expect(counts).toEqual({ passed: 2, refused: 3 });
      const [refused] = of(429);
      expect(refused!.headers.get('content-type')).toBe('application/problem+json');
      expect(await refused!.json()).toEqual({
        ...{ type: 'urn:carillon:problem:too-many-requests', title: 'Too many requests', status: 429 },
        detail: 'The API key may ask 2 times a second.',
      });
      expect(refused!.headers.get('ratelimit')).toBe('"key";r=0;t=1');
      clock.advance(499);
      expect((await ask(key, 1)).counts).toEqual({ passed: 0, refused: 1 });
      clock.advance(Number(refused!.headers.get('retry-after')) * 1000 - 499);
      expect((await ask(key, 1)).counts).toEqual({ passed: 1, refused: 0 });
    });
  });

  it('reads on every answer what is left, on errors too', async () => {
    const key = await app.key({ org: 'acme', rateLimit: 1000, permissions: ['system:ping', 'user:read'] });
    for (const [path, status] of [
      [PING, 200],
      ['/api/o/acme/p/', 403],
      ['/api/o/nowhere/u/', 404],
    ] as const) {
      const [answer] = (await ask(key, 1, path)).of(status);
      expect(answer!.headers.get('ratelimit-policy')).toBe('"key";q=1000;w=1');
      expect(answer!.headers.get('ratelimit')).toMatch(/^"key";r=99\d;t=1$/);
    }
  });

  it('is limited also where it may do nothing, and no other key is for that', async () => {
    const key = await app.key({ org: 'acme', rateLimit: 1, permissions: ['system:ping'] });
    const { of } = await Clock.stopped(() => ask(key, 4, '/api/o/acme/u/'));
    expect([of(403).length, of(429).length]).toEqual([1, 3]);
    const other = await app.key({ org: 'acme', rateLimit: 1 });
    expect((await ask(other, 1)).counts).toEqual({ passed: 1, refused: 0 });
  });
});

it('says nothing of limits to a key that has none', async () => {
  const { of, counts } = await ask(await app.key({ org: 'acme' }), 50);
  expect(counts).toEqual({ passed: 50, refused: 0 });
  expect([...of(200)[0]!.headers.keys()].filter((name) => name.startsWith('ratelimit'))).toEqual([]);
});

describe('a new key', () => {
  const create = async (key: string, body: object) => {
    const { status, body: answer } = await app
      .as(key)
      .post('/api/o/acme/k/')
      .send({ name: 'new', permissions: ['system:ping'], ...body });
    return [status, answer as unknown];
  };

  it('has the limit that it was given, which the list shows and its use feels', async () => {
    const all = await app.key({ org: 'acme' });
    const [status, body] = await create(all, { rate_limit: 3 });
    expect([status, body]).toMatchObject([201, { rate_limit: 3 }]);
    const { id, key } = body as { id: number; key: string };
    const { body: listed } = await app.as(all).get('/api/o/acme/k/');
    expect((listed as { id: number }[]).find((each) => each.id === id)).toMatchObject({ rate_limit: 3 });
    expect((await Clock.stopped(() => ask(key, 9))).counts).toEqual({ passed: 3, refused: 6 });
  });

  it('has that of the key that creates it, or a lower one', async () => {
    const limited = await app.key({ org: 'acme', rateLimit: 100 });
    expect(await create(limited, {})).toMatchObject([201, { rate_limit: 100 }]);
    expect(await create(limited, { rate_limit: 100 })).toMatchObject([201, { rate_limit: 100 }]);
    expect(await create(limited, { rate_limit: 101 })).toMatchObject([
      400,
      { errors: { rate_limit: ['must not exceed that of your own key, 100'] } },
    ]);
    expect(await create(await app.key({ org: 'acme' }), {})).toMatchObject([201, { rate_limit: null }]);
  });

  it.each([0, -1, 1.5, 1_000_001, '7', true])('has no limit of %p', async (limit) => {
    expect(await create(await app.key({ org: 'acme' }), { rate_limit: limit })).toMatchObject([
      400,
      { errors: { rate_limit: ['must be a whole number of requests a second, 1 to 1000000'] } },
    ]);
  });
});
