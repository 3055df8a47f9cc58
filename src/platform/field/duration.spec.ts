import { expect, it } from '@jest/globals';
import { durationText, readDuration } from './duration.js';

it.each([
  ['1s', 1, '1s'],
  ['15m', 900, '15m'],
  ['90m', 5400, '90m'],
  ['60m', 3600, '1h'],
  ['2h', 7200, '2h'],
  ['7d', 604_800, '7d'],
  ['604800s', 604_800, '7d'],
  [1, 1, '1s'],
  [90, 90, '90s'],
  [604_800, 604_800, '7d'],
])('%j takes %i seconds and is shown as %s', (given, seconds, text) => {
  expect(readDuration(given)).toEqual({ seconds });
  expect(durationText(seconds)).toBe(text);
});

it.each([
  0,
  -1,
  1.5,
  604_801,
  '0m',
  '8d',
  '604801s',
  '15',
  '15 m',
  '1h30m',
  'PT15M',
  '',
  '1w',
  null,
  undefined,
  [60],
  NaN,
])('%j is refused', (given) => {
  expect(readDuration(given)).toEqual({ problem: 'must be a duration from 1s to 7d, such as 15m, 2h or 1d' });
});
