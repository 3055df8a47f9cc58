import { expect, it } from '@jest/globals';
import { closest, unknownField } from './closest.js';

const FIELDS = ['slug', 'name', 'distribution_lists', 'send_at'];

it.each([
  ['slgu', 'slug'],
  ['Name', 'name'],
  ['distribution_list', 'distribution_lists'],
  ['sendAt', 'send_at'],
  ['colour', null],
  ['x', null],
])('%s probably means %s', (word, meant) => {
  expect(closest(word, FIELDS)).toBe(meant);
});

it('says so', () => {
  expect(unknownField('nme', FIELDS)).toBe('is not a known field: did you mean name?');
  expect(unknownField('colour', FIELDS)).toBe('is not a known field');
  expect(unknownField('n'.repeat(100_000), FIELDS)).toBe('is not a known field');
});
