import { describe, expect, it } from '@jest/globals';
import { newApiKey } from '../../src/auth/api-key.js';
import { ApiKeyStore } from '../../src/auth/api-key-store.js';
import { TestApp } from '../support/app/app.js';
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
        detail: 'Rate limit exceeded: this API key allows 2 requests per second.',
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

describe('wrong keys from one address', () => {
  const wrong = async (
    times: number,
    keyOf: (i: number) => string,
    headers: Record<string, string> = {},
    url = app.url,
  ) => {
    const counts: Record<number, number> = {};
    let last: Response | undefined;
    for (let i = 0; i < times; i++) {
      last = await fetch(url + PING, { headers: { Authorization: `Key ${keyOf(i)}`, ...headers } });
      counts[last.status] = (counts[last.status] ?? 0) + 1;
    }
    return { counts, last: last! };
  };

  it('are answered 429 after a hundred in a minute, and right keys are let through', async () => {
    const revoked = await app.keyWithId({ org: 'acme' });
    await app.app.get(ApiKeyStore).revoke(revoked.id, { actor: 'test' });
    const keys = ['garbage', newApiKey(), newApiKey(), revoked.text];
    await Clock.stopped(async (clock) => {
      // A header that anyone can send does not make a new address.
      const { counts, last } = await wrong(102, (i) => keys[i % 4]!, { 'X-Forwarded-For': '203.0.113.9' });
      expect(counts).toEqual({ 401: 100, 429: 2 });
      expect(await last.json()).toMatchObject({
        type: 'urn:carillon:problem:too-many-requests',
        detail: 'Too many requests with a wrong API key or token came from this address. Check the key.',
      });
      expect(last.headers.get('retry-after')).toBe('1');
      const unseen = await app.key({ org: 'acme' });
      expect((await ask(unseen, 1)).counts).toEqual({ passed: 1, refused: 0 });
      expect((await fetch(app.url + PING)).status).toBe(401); // no key is no wrong key
      clock.advance(1000);
      expect((await wrong(2, () => 'garbage')).counts).toEqual({ 401: 1, 429: 1 });
      clock.advance(60_000);
      expect((await wrong(1, () => 'garbage')).counts).toEqual({ 401: 1 });
    });
  });

  it('are none when a right key asks for what is not there, or what it may not', async () => {
    const key = await app.key({ org: 'acme', permissions: ['user:read'] });
    await Clock.stopped(async () => {
      expect((await ask(key, 101, '/api/o/nowhere/u/')).of(404)).toHaveLength(101);
      expect((await ask(key, 101)).of(403)).toHaveLength(101);
    });
  });

  it('are counted behind a proxy by the address that the proxy saw, not by one that a client made up', async () => {
    const proxied = await TestApp.start({ TRUST_PROXY: 'true' });
    const from = (address: string) => (i: number) => ({ 'X-Forwarded-For': `198.51.100.${i}, ${address}` });
    const statuses = async (times: number, headers: (i: number) => Record<string, string>) => {
      const seen = new Set<number>();
      for (let i = 0; i < times; i++) {
        for (const status of Object.keys((await wrong(1, () => 'garbage', headers(i), proxied.url)).counts))
          seen.add(Number(status));
      }
      return [...seen];
    };
    try {
      await Clock.stopped(async () => {
        expect(await statuses(101, from('203.0.113.1'))).toEqual([401, 429]);
        expect(await statuses(1, from('203.0.113.2'))).toEqual([401]);
        // One household or server has a whole IPv6 network of 64 bits.
        const six = (i: number) => ({ 'X-Forwarded-For': `2001:db8:0:1::${i.toString(16)}` });
        expect(await statuses(101, six)).toEqual([401, 429]);
        expect(await statuses(1, () => ({ 'X-Forwarded-For': '2001:db8:0:2::1' }))).toEqual([401]);
      });
    } finally {
      await proxied.stop();
    }
  });
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

  it('has that of the key that creates it, and no other', async () => {
    const limited = await app.key({ org: 'acme', rateLimit: 100 });
    expect(await create(limited, {})).toMatchObject([201, { rate_limit: 100 }]);
    expect(await create(limited, { rate_limit: 100 })).toMatchObject([201, { rate_limit: 100 }]);
    for (const other of [99, 101]) {
      expect(await create(limited, { rate_limit: other })).toMatchObject([
        400,
        { errors: { rate_limit: ['must be 100 or left out: the new key shares the limit of your own key'] } },
      ]);
    }
    expect(await create(await app.key({ org: 'acme' }), {})).toMatchObject([201, { rate_limit: null }]);
  });

  it('counts together with the key that created it, and so do the keys that it creates', async () => {
    const limited = await app.key({ org: 'acme', rateLimit: 5 });
    await Clock.stopped(async (clock) => {
      const permissions = ['system:ping', 'apikey:write'];
      const child = ((await create(limited, { permissions }))[1] as { key: string }).key;
      const grandchild = ((await create(child, { permissions }))[1] as { key: string }).key;
      clock.advance(1000);
      expect((await ask(grandchild, 2)).counts).toEqual({ passed: 2, refused: 0 });
      expect((await ask(child, 2)).counts).toEqual({ passed: 2, refused: 0 });
      expect((await ask(limited, 9)).counts).toEqual({ passed: 1, refused: 8 });
      expect((await ask(grandchild, 1)).counts).toEqual({ passed: 0, refused: 1 });
    });
  });

  it.each([0, -1, 1.5, 1_000_001, '7', true])('has no limit of %p', async (limit) => {
    expect(await create(await app.key({ org: 'acme' }), { rate_limit: limit })).toMatchObject([
      400,
      { errors: { rate_limit: ['must be a whole number of requests a second, 1 to 1000000'] } },
    ]);
  });
});
