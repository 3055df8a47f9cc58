import { expect, it } from '@jest/globals';
import { readTextAnswer } from './read-text-answer.js';

it.each([
  ['ok', { code: null, rest: '', note: '' }],
  [' Ack!\n', { code: null, rest: '', note: '' }],
  ['OK, on my way', { code: null, rest: 'on my way', note: 'on my way' }],
  ['ack 0042', { code: '0042', rest: '0042', note: '' }],
  ['Ok #0042: on my way', { code: '0042', rest: '0042: on my way', note: 'on my way' }],
  ['ok 00421', { code: null, rest: '00421', note: '00421' }],
  ['okay', null],
  ['It is ok', null],
  ['', null],
])('reads %j', (text, answer) => {
  expect(readTextAnswer(text)).toEqual(answer);
});
