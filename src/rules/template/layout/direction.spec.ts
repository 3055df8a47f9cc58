import { expect, it } from '@jest/globals';
import { directionOf } from './direction.js';

it.each([
  ['en', 'ltr'],
  ['ar-EG', 'rtl'],
  ['he', 'rtl'],
  ['fa', 'rtl'],
  ['pa', 'ltr'],
  ['pa-Arab', 'rtl'],
  ['ja', 'ltr'],
  ['qaa', 'ltr'],
])('writes %s %s', (locale, dir) => {
  expect(directionOf(locale)).toBe(dir);
});
