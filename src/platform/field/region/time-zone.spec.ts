import { expect, it } from '@jest/globals';
import { readTimeZone } from './time-zone.js';

const NAMES = [
  'Europe/Rome',
  'America/Argentina/Buenos_Aires',
  'Etc/GMT+5',
  'UTC',
  'CET',
  'posix/Europe/Rome',
  'Mars/Base',
];
const known = new Map(NAMES.map((name) => [name.toLowerCase(), name]));

it.each([
  ['Europe/Rome', 'Europe/Rome'],
  ['europe/ROME', 'Europe/Rome'],
  ['America/Argentina/Buenos_Aires', 'America/Argentina/Buenos_Aires'],
  ['Etc/GMT+5', 'Etc/GMT+5'],
  ['UTC', 'UTC'],
])('%s is a time zone', (given, timeZone) => {
  expect(readTimeZone(given, known)).toEqual({ timeZone });
});

it.each([
  ['an offset', '+01:00'],
  ['an abbreviation', 'CET'],
  ['a copy that only PostgreSQL lists', 'posix/Europe/Rome'],
  ['a name that only PostgreSQL knows', 'Mars/Base'],
  ['a name that only Node.js knows', 'Asia/Tokyo'],
  ['a file', '../../etc/passwd'],
  ['nothing', ''],
  ['blanks', ' Europe/Rome'],
  ['a number', 1],
  ['null', null],
])('%s is not', (_what, given) => {
  expect(readTimeZone(given, known)).toEqual({
    problem: 'must be the name of a time zone, such as Europe/Rome, America/New_York or UTC',
  });
});
