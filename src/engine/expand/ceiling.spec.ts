import { expect, it } from '@jest/globals';
import { countDistinct, reachesMoreThan } from './ceiling.js';

const PAGE = 3;

/** Pages of three users. A negative number is a user whom a gate keeps back. */
function target(...users: number[]) {
  const asked: number[] = [];
  const next = (after: number) => {
    asked.push(after);
    const page = users.filter((id) => Math.abs(id) > after).slice(0, PAGE);
    const last = page.length === PAGE ? Math.abs(page.at(-1)!) : null;
    return Promise.resolve({ last, reached: page.filter((id) => id > 0) });
  };
  return { next, asked };
}

it('stops counting as soon as the answer is known', async () => {
  const one = target(1, 2, 3, 4, 5, 6, 7, 8, 9, 10);
  expect(await reachesMoreThan(4, [one.next])).toBe(true);
  expect(one.asked).toEqual([0, 3]);
});

it.each([
  [9, true],
  [10, false],
])('knows whether ten users are more than %i', async (ceiling, isMore) => {
  expect(await reachesMoreThan(ceiling, [target(1, 2, 3, 4, 5, 6, 7, 8, 9, 10).next])).toBe(isMore);
});

it('counts a user of several targets once, wherever their pages end', async () => {
  const targets = () => [target(1, 2, 9, 10, 11, 12).next, target(2, 3, 4, 5, 6, 9, 12).next, target(12).next];
  expect(await reachesMoreThan(10, targets())).toBe(false);
  expect(await reachesMoreThan(9, targets())).toBe(true);
});

it('counts nobody whom a gate keeps back, and nobody without a target', async () => {
  expect(await reachesMoreThan(1, [target(-1, -2, -3, -4, 5).next])).toBe(false);
  expect(await reachesMoreThan(0, [target(-1, -2, -3, -4, 5).next])).toBe(true);
  expect(await reachesMoreThan(0, [])).toBe(false);
});

it('reads every page once, also of a target with few users beside one with many', async () => {
  const many = target(1, 2, 3, 4, 5, 6, 7, 8, 9, 10);
  const few = target(2, 8, 20, 21);
  expect(await countDistinct([many.next, few.next])).toBe(12);
  expect([many.asked, few.asked]).toEqual([
    [0, 3, 6, 9],
    [0, 20],
  ]);
});
