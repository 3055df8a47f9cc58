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

it('compares few of many words', () => {
  const long = Array.from({ length: 1_200 }, (_, index) => `${'a'.repeat(790)}${index}`);
  const near = Array.from({ length: 12_000 }, (_, index) => `order.${'zero'.repeat(12)}.${index}`);
  const started = process.cpuUsage().user;
  for (let named = 0; named < 10; named++) expect(closest(`order.${'paid'.repeat(10)}`, [...long, ...near])).toBeNull();
  expect((process.cpuUsage().user - started) / 1_000).toBeLessThan(2_000);
});
