import { generateKeyPairSync, verify } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { appleToken, problemWithAppleKey } from './apple-token.js';
import type { PostForm } from './token-auth.js';

const keysOf = (namedCurve: string) =>
  generateKeyPairSync('ec', {
    namedCurve,
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
const { privateKey: pem, publicKey } = keysOf('P-256');

const callsNobody: PostForm = () => Promise.reject(new Error('not called'));
const jsonOf = (part = '') => JSON.parse(Buffer.from(part, 'base64url').toString()) as Record<string, unknown>;

it('a token for Apple is signed by the key of the team, and lives for an hour', async () => {
  const token = await appleToken({ team: 'DEF123GHIJ', keyId: 'ABC123DEFG', pem }).make(callsNobody);
  if ('failure' in token) throw new Error('no token');
  const [head, claims, signature = ''] = token.value.split('.');
  expect(jsonOf(head)).toEqual({ alg: 'ES256', kid: 'ABC123DEFG' });
  expect(jsonOf(claims)).toEqual({ iss: 'DEF123GHIJ', iat: Math.floor(token.madeAt / 1000) });
  const key = { key: publicKey, dsaEncoding: 'ieee-p1363' } as const;
  expect(verify('sha256', Buffer.from(`${head}.${claims}`), key, Buffer.from(signature, 'base64url'))).toBe(true);
  expect([token.renewAt - token.madeAt, token.expiresAt - token.madeAt]).toEqual([50 * 60_000, 60 * 60_000]);
});

it('a key that cannot be read is a fault of the channel', async () => {
  const made = await appleToken({ team: 'DEF123GHIJ', keyId: 'ABC123DEFG', pem: 'x' }).make(callsNobody);
  expect(made).toMatchObject({ failure: { kind: 'rejected', fault: 'channel', isLocal: true } });
});

it('only a P-256 key is a key for Apple', () => {
  expect(problemWithAppleKey(pem)).toBeNull();
  for (const other of ['x', keysOf('P-384').privateKey]) expect(problemWithAppleKey(other)).toMatch(/^must be/);
});
