import { expect, it } from '@jest/globals';
import { hashApiKey, hashSecret, isWellFormed, newApiKey, newSecret, presentedKey } from './api-key.js';

it('is random, and can be told from a mistyped one', () => {
  const key = newApiKey();
  expect(key).toMatch(/^crl_[0-9a-f]{72}$/);
  expect(newApiKey()).not.toBe(key);
  expect(isWellFormed(key)).toBe(true);
  const last = key.endsWith('0') ? '1' : '0';
  for (const wrong of [`${key}0`, key.slice(0, -1), key.slice(0, -1) + last, key.toUpperCase(), 'x']) {
    expect([wrong, isWellFormed(wrong)]).toEqual([wrong, false]);
  }
});

it('is never taken for the secret of a session or of a sign-in link', () => {
  const kinds = ['key', 'session', 'link'] as const;
  for (const kind of kinds) {
    const secret = newSecret(kind);
    expect(kinds.map((other) => isWellFormed(secret, other))).toEqual(kinds.map((other) => other === kind));
    expect(new Set(kinds.map((other) => hashSecret(secret, other))).size).toBe(3);
  }
});

it('is stored as a hash', () => {
  expect(hashApiKey('x')).toBe('2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881');
});

it.each([
  ['Key x', undefined, 'x'],
  ['bearer  x ', undefined, 'x'],
  ['Basic x', undefined, null],
  ['Key', undefined, null],
  ['Key x y', undefined, null],
  [undefined, ' x ', 'x'],
  ['Basic y', 'x', 'x'],
  ['Key y', 'x', 'y'],
  [undefined, ' ', null],
  [undefined, ['x', 'y'], null],
  [undefined, undefined, null],
])('in Authorization: %p and X-API-Key: %p is %p', (authorization, own, key) => {
  expect(presentedKey({ authorization, 'x-api-key': own })).toBe(key);
});
