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

it('names the known fields, and the one that was probably meant', () => {
  const KNOWN = `Known: ${FIELDS.join(', ')}`;
  expect(unknownField('nme', FIELDS).sentence).toBe(`is not a known field: did you mean name? ${KNOWN}`);
  expect(unknownField('colour', FIELDS).sentence).toBe(`is not a known field. ${KNOWN}`);
  expect(unknownField('n'.repeat(100_000), FIELDS).sentence).toBe(`is not a known field. ${KNOWN}`);
});
