import { expect, it } from '@jest/globals';
import { Lanes } from './lanes.js';

const fill = (lanes: Lanes, lane: string) => {
  let jobs = 0;
  while (lanes.enter(lane)) jobs++;
  return jobs;
};

it('gives one lane no more slots than its limit, and names the lanes at their limit', () => {
  const lanes = new Lanes(12, 4);
  expect(fill(lanes, 'a')).toBe(4);
  expect(lanes.atLimit()).toEqual(['a']);
  lanes.leave('a');
  expect(lanes.atLimit()).toEqual([]);
});

it('leaves slots for the sixth lane when five are at their limit', () => {
  const lanes = new Lanes(16, 4);
  expect(['a', 'b', 'c', 'd', 'e', 'f'].map((lane) => fill(lanes, lane))).toEqual([4, 4, 4, 2, 1, 1]);
});
