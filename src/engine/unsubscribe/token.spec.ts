import { randomBytes } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { UnsubscribeTokens } from './token.js';

const key = Buffer.alloc(32, 7);
const tokens = new UnsubscribeTokens(key);
const owner = { organizationId: 3, userId: 2_147_483_647, categoryId: 9 };

it('says whose it is, in 44 letters that need no escape in a URL', () => {
  const token = tokens.sign(owner);
  expect(token).toMatch(/^[A-Za-z0-9_-]{44}$/);
  expect(tokens.verify(token)).toEqual(owner);
});

it('is the same each time, so that it is known by what it is about', () => {
  expect(tokens.sign(owner)).toBe(new UnsubscribeTokens(key).sign(owner));
  expect(tokens.sign({ ...owner, categoryId: 0 })).not.toBe(tokens.sign(owner));
});

it('is refused when any letter is changed, and when it is cut or longer', () => {
  const token = tokens.sign(owner);
  for (let i = 0; i < token.length; i++) {
    const other = token[i] === 'A' ? 'B' : 'A';
    expect(tokens.verify(token.slice(0, i) + other + token.slice(i + 1))).toBeNull();
  }
  for (const bad of ['', token.slice(1), `${token}A`, `${token}=`, ` ${token}`, token.replace(/./g, '\u0101')])
    expect(tokens.verify(bad)).toBeNull();
});

it('is refused when another key signed it, and when another user’s signature is put on it', () => {
  expect(tokens.verify(new UnsubscribeTokens(randomBytes(32)).sign(owner))).toBeNull();
  const [own, foreign] = [owner, { ...owner, userId: 8 }].map((each) => Buffer.from(tokens.sign(each), 'base64url'));
  const mixed = Buffer.concat([foreign!.subarray(0, 17), own!.subarray(17)]);
  expect(tokens.verify(mixed.toString('base64url'))).toBeNull();
});

it('outlasts a change of the key while the previous one is set', () => {
  const old = tokens.sign(owner);
  const next = randomBytes(32);
  const rotated = new UnsubscribeTokens(next, key);
  expect(rotated.verify(old)).toEqual(owner);
  expect(rotated.sign(owner)).toBe(new UnsubscribeTokens(next).sign(owner));
  expect(new UnsubscribeTokens(next).verify(old)).toBeNull();
});

it('does not reveal the key that encrypts secrets', () => {
  expect(Buffer.from(tokens.sign(owner), 'base64url').includes(key.subarray(0, 4))).toBe(false);
});
