import { expect, it } from '@jest/globals';
import { problemWithSigningSecret } from './signature.js';

const bytes = (count: number) => Buffer.alloc(count, 0xfb).toString('base64');

it.each([`whsec_${bytes(24)}`, `whsec_${bytes(25)}`, `whsec_${bytes(64)}`, `whsec_${bytes(25).replace(/=+$/, '')}`])(
  'a signing secret may be %s',
  (secret) => expect(problemWithSigningSecret(secret)).toBeNull(),
);

it.each([
  ['base64 without the prefix', bytes(32)],
  ['plain text', 'correct horse battery staple'],
  ['URL-safe base64', `whsec_${Buffer.alloc(32, 0xfb).toString('base64url')}`],
  ['not base64', 'whsec_correct horse battery staple, and more'],
  ['a prefix alone', 'whsec_'],
])('a signing secret must not be %s: other verifiers would read another key', (_name, secret) => {
  expect(problemWithSigningSecret(secret)).toMatch(/^must be whsec_ and then base64/);
});

it('a signing secret must have 24 bytes', () => {
  expect(problemWithSigningSecret(`whsec_${bytes(23)}`)).toMatch(/^is too short: .* 24 bytes/);
});
