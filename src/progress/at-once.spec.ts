import { expect, it } from '@jest/globals';
import { AtOnce } from './at-once.js';

it('runs so many at a time and the others in their turn, whether they fail or not', async () => {
  const looks = new AtOnce(2);
  const ends: (() => void)[] = [];
  const started: number[] = [];
  const all = [1, 2, 3, 4, 5].map((n) =>
    looks.run(async () => {
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
  await expect(looks.run(() => Promise.resolve('again'))).resolves.toBe('again');
});
