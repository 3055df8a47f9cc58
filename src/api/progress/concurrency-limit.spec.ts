import { expect, it } from '@jest/globals';
import { ConcurrencyLimit } from './concurrency-limit.js';

it('runs two at a time and the others in order, whether they fail or not', async () => {
  const limit = new ConcurrencyLimit(2);
  const ends: (() => void)[] = [];
  const started: number[] = [];
  const all = [1, 2, 3, 4, 5].map((n) =>
    limit.run(async () => {
      started.push(n);
      await new Promise<void>((end) => ends.push(end));
      if (n === 1) throw new Error('one');
      return n;
    }),
  );
  const settled = Promise.allSettled(all);
  expect(started).toEqual([1, 2]);
  ends[0]!();
  await all[0]!.catch(() => undefined);
  expect(started).toEqual([1, 2, 3]);
  ends[2]!();
  await all[2];
  expect(started).toEqual([1, 2, 3, 4]);
  ends[1]!();
  ends[3]!();
  await all[3];
  ends[4]!();
  expect((await settled).map(({ status }) => status)).toEqual(['rejected', ...Array<string>(4).fill('fulfilled')]);
  await expect(limit.run(() => Promise.resolve('again'))).resolves.toBe('again');
});
