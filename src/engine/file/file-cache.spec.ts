import { expect, it, jest } from '@jest/globals';
import { FileCache, FilesWait } from './file-cache.js';
import type { FileStore } from './file-store.js';

const KB = 1000;
const WAIT_MS = 30_000;

/** A cache of 100 KB, as base64. Its files have no bytes in common. */
function cacheOf100() {
  const store = {
    async *readByHash(_: number, sha256: string) {
      yield Buffer.alloc(Number(sha256.split(' ')[1]));
    },
  };
  const cache = new FileCache(store as unknown as FileStore);
  cache.limitTo(100 * KB);
  return cache;
}

let last = 0;

/** A file that has about so many KB as base64. */
function fileOf(organizationId: number, kb: number) {
  const size = Math.floor((kb * KB) / 1.37);
  return [{ organizationId, sha256: `${++last} ${size}`, size }];
}

/** Whether a lease is granted without anything else happening. */
const isGranted = (lease: Promise<unknown>) =>
  Promise.race([
    lease.then(() => true),
    new Promise<boolean>((resolve) => setImmediate(() => setImmediate(() => resolve(false)))),
  ]);

it('starts small messages while larger ones before them wait', async () => {
  const cache = cacheOf100();
  const [slow, other] = [await cache.lease(fileOf(1, 49)), await cache.lease(fileOf(2, 45))];
  const large = cache.lease(fileOf(3, 20));
  const small = [cache.lease(fileOf(3, 1)), cache.lease(fileOf(4, 1))];
  expect([await isGranted(large), ...(await Promise.all(small.map(isGranted)))]).toEqual([false, true, true]);
  other.release();
  expect(await isGranted(large)).toBe(true);
  slow.release();
});

it('leaves half of the memory to other organizations', async () => {
  const cache = cacheOf100();
  const first = await cache.lease(fileOf(1, 30));
  const [own, other] = [cache.lease(fileOf(1, 30)), cache.lease(fileOf(2, 49))];
  expect([await isGranted(own), await isGranted(other)]).toEqual([false, true]);
  first.release();
  expect(await isGranted(own)).toBe(true);
});

it('lets messages share a file that is in use, however full the memory is', async () => {
  const cache = cacheOf100();
  const file = fileOf(1, 49);
  const leases = [await cache.lease(file), await cache.lease(file)];
  leases[0]!.release();
  leases[0]!.release();
  const more = cache.lease(fileOf(1, 2));
  expect(await isGranted(more)).toBe(false);
  leases[1]!.release();
  expect(await isGranted(more)).toBe(true);
});

it('ends the wait of a message after 30 seconds', async () => {
  jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] });
  try {
    const cache = cacheOf100();
    const first = await cache.lease(fileOf(1, 40));
    const second = cache.lease(fileOf(1, 40));
    const refused = expect(second).rejects.toThrow(FilesWait);
    jest.advanceTimersByTime(WAIT_MS - 1);
    expect(await isGranted(cache.lease(fileOf(1, 1)))).toBe(true);
    jest.advanceTimersByTime(1);
    await refused;
    first.release();
    expect(await isGranted(cache.lease(fileOf(1, 40)))).toBe(true);
    expect(jest.getTimerCount()).toBe(0);
  } finally {
    jest.useRealTimers();
  }
});
