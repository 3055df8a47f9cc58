import { expect, it } from '@jest/globals';
import { answerOf } from './answer.js';

it('keeps a provider’s words on one line without control characters', () => {
  expect(answerOf(' 250-ok\r\n250 queued\0 as 1\u0085\ud800 ')).toBe('250-ok 250 queued as 1');
});

it('keeps at most 1 KB and never half a character', () => {
  expect(answerOf('x'.repeat(5000))).toHaveLength(1024);
  const cut = answerOf('x' + 'é'.repeat(5000));
  expect(Buffer.byteLength(cut)).toBe(1023);
  expect(cut).toMatch(/^xé+$/);
});

it('hides the secrets that a server quotes', () => {
  expect(answerOf('500 unknown: AUTH hunter22 hunter22', ['hunter22', ''])).toBe('500 unknown: AUTH *** ***');
});
