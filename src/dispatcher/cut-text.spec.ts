import { expect, it } from '@jest/globals';
import { cutText } from './cut-text.js';

it.each([
  ['abc', 3, 'abc'],
  ['abcd', 3, 'ab…'],
  ['abcd', 1, '…'],
  ['', 0, ''],
  ['abcd', 0, ''],
  ['ab😀d', 4, 'ab…'],
  ['ab😀de', 5, 'ab😀…'],
  // A family is one character made of four people and three joiners. A colour or an accent belongs to its character.
  ['ab👨‍👩‍👧‍👦cd', 10, 'ab…'],
  ['ab👍🏽cd', 5, 'ab…'],
  ['ae\u0301bc', 3, 'a…'],
])('%p in %i units is %p', (text, longest, cut) => {
  expect(cutText(text, longest)).toBe(cut);
  expect(cut.length).toBeLessThanOrEqual(longest);
});

it('cuts the mark too where there is no room for it', () => {
  expect(cutText('abcdef', 2, '...')).toBe('..');
  expect(cutText('abcdef', 3, '...')).toBe('...');
});
