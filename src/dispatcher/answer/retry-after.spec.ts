import { expect, it } from '@jest/globals';
import { retryAfterSeconds } from './retry-after.js';

const now = new Date('2030-01-01T00:00:00.500Z');

it.each([
  ['0', 0],
  [' 120 ', 120],
  ['86400', 86400],
  ['9999999999999999999999', 86400],
  ['Tue, 01 Jan 2030 00:01:00 GMT', 60],
  ['Mon, 31 Dec 2029 00:00:00 GMT', 0],
  ['Tue, 01 Jan 2036 00:00:00 GMT', 86400],
  [undefined, undefined],
  ['', undefined],
  ['-5', undefined],
  ['1.5', undefined],
  ['soon', undefined],
  ['2030-01-02', undefined],
  ['Soon, maybe GMT', undefined],
])('reads Retry-After: %s as %p', (header, seconds) => {
  expect(retryAfterSeconds(header, now)).toBe(seconds);
});
