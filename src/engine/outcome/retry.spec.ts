import { expect, it } from '@jest/globals';
import { nextAttemptAt } from './retry.js';

const now = new Date('2030-01-01T00:00:00Z');
const secondsAfter = (failures: number, jitter = 0.5, after?: number) => {
  const at = nextAttemptAt(failures, now, jitter, after);
  return at && (at.getTime() - now.getTime()) / 1000;
};

it('waits longer after each failure, and gives up after the eighth attempt', () => {
  const seconds = [1, 2, 3, 4, 5, 6, 7, 8].map((failures) => secondsAfter(failures));
  expect(seconds).toEqual([5, 30, 300, 1800, 7200, 18_000, 36_000, null]);
});

it('spreads retries by a fifth in both directions', () => {
  expect([secondsAfter(1, 0), secondsAfter(1, 1)]).toEqual([4, 6]);
});

it('never retries before the time that the provider asked for', () => {
  expect(secondsAfter(1, 0.5, 120)).toBe(120);
  expect(secondsAfter(3, 0.5, 1)).toBe(300);
});
