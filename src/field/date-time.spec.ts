import { expect, it } from '@jest/globals';
import { dateTimeProblem } from './date-time.js';

it.each(['2030-01-01T08:00:00Z', '2030-01-01T08:00+05:30', '9999-12-31T23:59:59Z', '0000-01-01T00:00:00Z'])(
  'accepts %s',
  (text) => expect(dateTimeProblem(text)).toBeNull(),
);

it.each([
  ...['2030-01-01T08:00:00', '2030-02-30T08:00:00Z', '2030-01-01', 17],
  // In UTC these are in the years 10000 and -1, which no answer can show.
  ...['9999-12-31T23:59:59-00:01', '0000-01-01T00:00:00+00:01'],
])('refuses %s', (value) => expect(dateTimeProblem(value)).toMatch('must be a time'));
