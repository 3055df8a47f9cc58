import { expect, it, jest } from '@jest/globals';
import { RateLimits } from './rate-limit.js';

const KEY = 7;

/** Sends `tries` requests at one moment, and counts those that are allowed. */
const passed = (limits: RateLimits, limit: number, now: number, tries: number, key = KEY) =>
  Array.from({ length: tries }, () => limits.take(key, limit, now)).filter(({ waitMs }) => waitMs === 0).length;

it('allows the requests of one second at once, and says how many are left', () => {
  const limits = new RateLimits();
  expect([1, 2, 3].map(() => limits.take(KEY, 2, 1000))).toEqual([
    { remaining: 1, waitMs: 0 },
    { remaining: 0, waitMs: 0 },
    { remaining: 0, waitMs: 500 },
  ]);
});

it.each([1, 3, 7, 100, 9999])('lets %i a second through, however the requests are spread', (limit) => {
  const limits = new RateLimits();
  let all = 0;
  for (let now = 1000; now < 11_000; now += 10) all += passed(limits, limit, now, 1 + limit / 10);
  expect(all).toBeGreaterThanOrEqual(10.9 * limit - 2);
  expect(all).toBeLessThanOrEqual(11 * limit);
});

it.each([1, 3, 7, 1000])('lets a client through that has waited as long as it was told, at %i a second', (limit) => {
  const limits = new RateLimits();
  passed(limits, limit, 5000, limit);
  const { waitMs } = limits.take(KEY, limit, 5000);
  expect(waitMs).toBeGreaterThan(0);
  expect(limits.take(KEY, limit, 5000 + waitMs)).toEqual({ remaining: 0, waitMs: 0 });
});

it('is full again after a second, and never more than full', () => {
  const limits = new RateLimits();
  expect(passed(limits, 5, 1000, 9)).toBe(5);
  expect(passed(limits, 5, 2000, 9)).toBe(5);
  expect(passed(limits, 5, 90_000, 9)).toBe(5);
});

it('knows whether a request would be refused, without counting one', () => {
  const limits = new RateLimits();
  const isEmpty = (now: number) => limits.isEmpty(KEY, 3, now);
  passed(limits, 3, 1000, 2);
  expect([isEmpty(1000), isEmpty(1000)]).toEqual([false, false]);
  expect(passed(limits, 3, 1000, 9)).toBe(1);
  const { waitMs } = limits.take(KEY, 3, 1000);
  expect([1000, 999 + waitMs, 1000 + waitMs].map(isEmpty)).toEqual([true, true, false]);
});

it('counts each key by itself', () => {
  const limits = new RateLimits();
  expect(passed(limits, 2, 1000, 5)).toBe(2);
  expect(passed(limits, 2, 1000, 5, 8)).toBe(2);
});

it('asks for the time until the next request is allowed, not for a whole one', () => {
  const limits = new RateLimits();
  passed(limits, 2, 1000, 2);
  expect(limits.take(KEY, 2, 1250)).toEqual({ remaining: 0, waitMs: 250 });
});

it('tells each request of a key what is left, and refuses those above the limit', () => {
  jest.spyOn(performance, 'now').mockReturnValue(1000);
  const limits = new RateLimits();
  const headers: string[] = [];
  const answer = { setHeader: (name: string, value: unknown) => headers.push(`${name}: ${String(value)}`) as never };
  limits.count(KEY, 2, answer);
  limits.count(KEY, 2, answer);
  const refused = {
    detail: 'Rate limit exceeded: this API key allows 2 requests per second.',
    headers: { 'Retry-After': '1' },
  };
  expect(() => limits.count(KEY, 2, answer)).toThrow(expect.objectContaining(refused));
  const policy = 'RateLimit-Policy: "key";q=2;w=1';
  const left = (remaining: number) => [policy, `RateLimit: "key";r=${remaining};t=1`];
  expect(headers).toEqual([...left(1), ...left(0), ...left(0)]);
  jest.restoreAllMocks();
});
