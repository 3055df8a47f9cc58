import { expect, it } from '@jest/globals';
import { dateTimeProblem } from './date-time.js';

it.each([
  '2030-01-01T08:00:00Z',
  '2030-01-01T08:00Z',
  '2030-01-01t23:59:59.999999999z',
  '2028-02-29T00:00:00+14:00',
  '0001-01-01T00:00:00-12:00',
  '9999-12-31T23:59:59Z',
  '0000-01-01T00:00:00Z',
])('%s is a time', (text) => {
  expect(dateTimeProblem(text)).toBeNull();
});

it.each([
  ['without a zone', '2030-01-01T08:00:00'],
  ['without a time', '2030-01-01'],
  ['at 24:00', '2030-01-01T24:00:00Z'],
  ['with a leap second', '2016-12-31T23:59:60Z'],
  ['on a day that does not exist', '2030-02-30T08:00:00Z'],
  ['with a zone that does not exist', '2030-01-01T08:00:00+24:00'],
  ['with a minute that does not exist', '2030-01-01T08:60:00Z'],
  // No answer can show these years.
  ['of the year 10000 in UTC', '9999-12-31T23:59:59-00:01'],
  ['of the year -1 in UTC', '0000-01-01T00:00:00+00:01'],
  ['as a number', 1_893_484_800_000],
  ['as nothing', null],
])('refuses a time %s', (_how, value) => {
  expect(dateTimeProblem(value)?.sentence).toBe('must be a time with its zone, such as 2030-01-01T08:00:00Z');
});
