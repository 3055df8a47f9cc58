import { expect, it } from '@jest/globals';
import { readLocale } from './locale.js';

it.each([
  ['en', 'en'],
  ['de-AT', 'de-AT'],
  ['DE-at', 'de-AT'],
  ['zh-hant-tw', 'zh-Hant-TW'],
  ['iw', 'he'],
  ['es-419', 'es-419'],
  ['ar-EG-u-nu-latn', 'ar-EG-u-nu-latn'],
])('%s is stored as %s', (given, locale) => {
  expect(readLocale(given)).toEqual({ locale });
  expect(readLocale(locale)).toEqual({ locale });
});

it.each([
  ['the name of a language', 'German'],
  ['an underscore', 'de_AT'],
  ['an encoding', 'de_AT.UTF-8'],
  ['a region alone', '-AT'],
  ['nothing', ''],
  ['blanks', ' de'],
  ['a NUL', 'de\u0000'],
  ['a tag that is too long', `de-${'a1b2c3d4-'.repeat(4)}xyz12`],
  ['a list', ['de']],
  ['a number', 7],
  ['null', null],
])('%s is not a locale', (_what, given) => {
  expect(readLocale(given)).toEqual({
    problem: 'must be a language tag of at most 35 characters, such as de-AT, pt-BR or en',
  });
});
