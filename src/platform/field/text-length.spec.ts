import { validateSync } from 'class-validator';
import { expect, it } from '@jest/globals';
import { Length, lengthOf } from './text-length.js';

class Named {
  @Length(1, 3)
  name: unknown;
}
class Coded {
  @Length(2, 3)
  code: unknown;
}
const isGood = (name: unknown) => validateSync(Object.assign(new Named(), { name })).length === 0;
const problemOf = (code: unknown) =>
  Object.values(validateSync(Object.assign(new Coded(), { code }))[0]?.constraints ?? {})[0];

it('counts code points', () => {
  expect(['', 'abc', '😀', '❤\ufe0f', '👩‍🚀', '\ud800', 'a\udc00', '\ud800a'].map(lengthOf)).toEqual([
    0, 3, 1, 2, 3, 1, 2, 2,
  ]);
});

it('limits a field by them', () => {
  expect(['😀😀😀', 'abc', 'a'].map(isGood)).toEqual([true, true, true]);
  expect(['😀😀😀😀', 'abcd', '', 17, undefined, 'ab\ufe0f\ufe0f'].filter(isGood)).toEqual([]);
});

it('says whether a text is too short or too long', () => {
  expect(['😀', '😀😀', '😀😀😀', '😀😀😀😀'].map(problemOf)).toEqual([
    'must be longer than or equal to 2 characters',
    undefined,
    undefined,
    'must be shorter than or equal to 3 characters',
  ]);
});
