import { expect, it } from '@jest/globals';
import { tooMany } from './http/limit/too-many.js';
import { TenantLimiter } from './tenant-limiter.js';
import type { TenantLimits } from './tenant-limiter.js';

const LIMITS: TenantLimits = {
  perOrganization: 2,
  inAll: 3,
  maxWaiting: 1,
  waitMs: 3_600_000,
  refusal: tooMany('tasks'),
};
const [ACME, GLOBEX, INITECH] = [1, 2, 3];

/** Starts work that lasts until `end` is called. */
function world(limits: Partial<TenantLimits> = {}) {
  const shares = new TenantLimiter({ ...LIMITS, ...limits });
  const started: string[] = [];
  const ends = new Map<string, () => void>();
  const start = (tenant: number, name: string) =>
    shares.run(tenant, () => {
      started.push(name);
      return new Promise<string>((resolve) => ends.set(name, () => resolve(name)));
    });
  return { start, started, end: (name: string) => ends.get(name)!() };
}

it('an organization has only its share under way, and the others do not wait for it', async () => {
  const { start, started, end } = world();
  const first = start(ACME, 'a1');
  void start(ACME, 'a2');
  const third = start(ACME, 'a3');
  void start(GLOBEX, 'g1');
  expect(started).toEqual(['a1', 'a2', 'g1']);
  end('a1');
  await first;
  expect(started).toEqual(['a1', 'a2', 'g1', 'a3']);
  end('a3');
  expect(await third).toBe('a3');
});

it('refuses what would wait behind too much of the same organization, and says why', async () => {
  const { start } = world();
  void start(ACME, 'a1');
  void start(ACME, 'a2');
  void start(ACME, 'a3');
  await expect(start(ACME, 'a4')).rejects.toMatchObject({
    status: 429,
    detail: 'The organization has too many tasks under way: 2 is the limit. Wait until one has ended.',
    headers: { 'Retry-After': '1' },
  });
});

it('refuses what has waited for too long', async () => {
  const { start, started, end } = world({ waitMs: 1 });
  void start(ACME, 'a1');
  const second = start(ACME, 'a2');
  await expect(start(ACME, 'a3')).rejects.toMatchObject({ status: 429 });
  end('a2');
  await second;
  expect(started).toEqual(['a1', 'a2']);
});

it('above the limit of all, each organization may still have one, and who has least is next', async () => {
  const { start, started, end } = world({ waitMs: 3_600_000 });
  const first = start(ACME, 'a1');
  const second = start(ACME, 'a2');
  void start(GLOBEX, 'g1');
  void start(GLOBEX, 'g2');
  void start(INITECH, 'i1');
  expect(started).toEqual(['a1', 'a2', 'g1', 'i1']);
  void start(ACME, 'a3');
  end('a1');
  await first;
  expect(started).toHaveLength(4);
  end('a2');
  await second;
  expect(started.slice(4)).toEqual(['a3']);
});

it('work that fails frees its share', async () => {
  const shares = new TenantLimiter({ ...LIMITS, perOrganization: 1, maxWaiting: 0 });
  await expect(shares.run(ACME, () => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
  expect(await shares.run(ACME, () => Promise.resolve('next'))).toBe('next');
});

it('runs two at a time and the others in order, however many wait for however long', async () => {
  const { start, started, end } = world({ maxWaiting: Infinity, waitMs: Infinity });
  const all = ['1', '2', '3', '4'].map((name) => start(ACME, name));
  expect(started).toEqual(['1', '2']);
  end('2');
  await all[1];
  expect(started).toEqual(['1', '2', '3']);
  end('1');
  await all[0];
  expect(started).toEqual(['1', '2', '3', '4']);
  end('3');
  end('4');
  expect(await Promise.all(all)).toEqual(['1', '2', '3', '4']);
});
