import { expect, it } from '@jest/globals';
import { Lanes } from './lanes.js';

const fill = (lanes: Lanes, lane: string) => {
  let jobs = 0;
  while (lanes.enter(lane)) jobs++;
  return jobs;
};

it('gives one lane no more than its most, and says when it is full', () => {
  const lanes = new Lanes(12, 4);
  expect(fill(lanes, 'a')).toBe(4);
  expect(lanes.full()).toEqual(['a']);
  lanes.leave('a');
  expect(lanes.full()).toEqual([]);
});

it('leaves places for the sixth lane when five hold all they may', () => {
  const lanes = new Lanes(16, 4);
  expect(['a', 'b', 'c', 'd', 'e', 'f'].map((lane) => fill(lanes, lane))).toEqual([4, 4, 4, 2, 1, 1]);
});
