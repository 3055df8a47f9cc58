import { expect, it } from '@jest/globals';
import { etagCovers, etagOf, matches, requireMatch } from './etag.js';

it('an ETag is the same for equal bodies, and another for different ones', () => {
  expect(etagOf({ name: 'Shop' })).toMatch(/^"[\w-]{22}"$/);
  expect(etagOf({ name: 'Shop' })).toBe(etagOf({ name: 'Shop' }));
  expect(etagOf({ name: 'Shop' })).not.toBe(etagOf({ name: 'Store' }));
});

it('an ETag covers what the service says, and not the answer', () => {
  const answer = (used: number, limit: number) => etagCovers({ used, limit }, { limit });
  expect(etagOf(answer(1, 9))).toBe(etagOf(answer(2, 9)));
  expect(etagOf(answer(1, 9))).not.toBe(etagOf(answer(1, 8)));
});

it.each([
  ['"a"', true],
  ['"b", "a"', true],
  ['*', true],
  [' * ', true],
  ['"b"', false],
  ['W/"a"', false],
  ['a', false],
  ['"a', false],
  ['', false],
])('If-Match: %s against "a": %s', (header, expected) => {
  expect(matches(header, '"a"')).toBe(expected);
});

it('nothing is read without If-Match, and nothing matches what does not exist', async () => {
  await requireMatch(null, () => Promise.reject(new Error('was read')));
  await expect(requireMatch('*', async () => null)).rejects.toMatchObject({ status: 412 });
  await expect(requireMatch('*', async () => ({}))).resolves.toBeUndefined();
});
