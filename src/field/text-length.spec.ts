import { validateSync } from 'class-validator';
import { expect, it } from '@jest/globals';
import { Length, lengthOf } from './text-length.js';

class Named {
  @Length(1, 3)
  name: unknown;
}
const isGood = (name: unknown) => validateSync(Object.assign(new Named(), { name })).length === 0;

it('counts code points', () => {
  expect(['', 'abc', '😀', '❤\ufe0f', '👩‍🚀', '\ud800', 'a\udc00'].map(lengthOf)).toEqual([0, 3, 1, 2, 3, 1, 2]);
});

it('limits a field by them', () => {
  expect(['😀😀😀', 'abc', 'a'].map(isGood)).toEqual([true, true, true]);
  expect(['😀😀😀😀', 'abcd', '', 17, undefined, 'ab\ufe0f\ufe0f'].filter(isGood)).toEqual([]);
});
