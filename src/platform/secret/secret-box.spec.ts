import { randomBytes } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { SecretBox } from './secret-box.js';

const key = randomBytes(32);
const box = new SecretBox(key);

it('opens what it sealed, and seals the same text differently each time', () => {
  const sealed = box.seal('s3cret ü', 'channel 1 password');
  expect(sealed).not.toContain('s3cret');
  expect(box.open(sealed, 'channel 1 password')).toBe('s3cret ü');
  expect(box.seal('s3cret ü', 'channel 1 password')).not.toBe(sealed);
});

it('refuses a secret that was moved to another place', () => {
  const sealed = box.seal('s3cret', 'channel 1 password');
  expect(() => box.open(sealed, 'channel 2 password')).toThrow();
});

it('refuses a secret that was tampered with', () => {
  const sealed = box.seal('s3cret', 'here');
  const middle = Math.floor(sealed.length / 2) + 4;
  const other = sealed[middle] === 'A' ? 'B' : 'A';
  expect(() => box.open(sealed.slice(0, middle) + other + sealed.slice(middle + 1), 'here')).toThrow();
});

it('opens what the previous key sealed, and seals with the current one', () => {
  const next = new SecretBox(randomBytes(32), key);
  const sealed = box.seal('s3cret', 'here');
  expect([next.open(sealed, 'here'), next.isCurrent(sealed)]).toEqual(['s3cret', false]);
  const again = next.seal('s3cret', 'here');
  expect([next.open(again, 'here'), next.isCurrent(again)]).toEqual(['s3cret', true]);
  expect(() => box.open(again, 'here')).toThrow('another SECRET_KEY');
});

it('says that the secret needs another key', () => {
  expect(() => new SecretBox(randomBytes(32)).open(box.seal('s3cret', 'here'), 'here')).toThrow('another SECRET_KEY');
});
