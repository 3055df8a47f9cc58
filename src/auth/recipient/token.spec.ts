import { createHmac } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { looksLikeToken, readToken, signToken } from './token.js';
import { newApiKey } from '../api-key.js';

const NOW = 1_900_000_000;
const CLAIMS = { org: 'acme', sub: 'ann@acme.test', scope: 'inbox preferences', iat: NOW, exp: NOW + 3600 };
const SECRET = 'crs_secret';

const read = (token: string, atSeconds = NOW) => readToken(token, atSeconds * 1000);
const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** A token as somebody else would write it, with a right signature. */
function written(header: object, claims: object): string {
  const signed = `${part(header)}.${part(claims)}`;
  return `${signed}.${createHmac('sha256', SECRET).update(signed).digest('base64url')}`;
}
const withClaims = (claims: object) => written({ alg: 'HS256', kid: 'k' }, { ...CLAIMS, ...claims });

it('reads what it has signed', () => {
  const token = read(signToken(CLAIMS, 'k', SECRET))!;
  const expiresAt = new Date((NOW + 3600) * 1000);
  expect(token).toMatchObject({ kid: 'k', org: 'acme', username: 'ann@acme.test', expiresAt });
  expect(token.scopes).toEqual(['inbox', 'preferences']);
  expect([token.isSignedWith(SECRET), token.isSignedWith(`${SECRET}x`)]).toEqual([true, false]);
});

it('reads a token that any library for JSON Web Tokens has signed', () => {
  expect(read(withClaims({ scope: 'inbox other', name: 'Ann' }))).toMatchObject({ scopes: ['inbox'] });
  expect(read(withClaims({ scope: undefined }))).toMatchObject({ scopes: [] });
  expect(read(withClaims({ iat: NOW + 60, exp: NOW + 60 + 24 * 3600 }))).not.toBeNull();
});

it('tells the signature of each changed character', () => {
  const token = signToken(CLAIMS, 'k', SECRET);
  const start = token.lastIndexOf('.') + 1;
  for (let i = start; i < token.length; i++) {
    for (const letter of ['A', 'B', 'Q', 'w', '-']) {
      const changed = token.slice(0, i) + letter + token.slice(i + 1);
      expect([changed === token, read(changed)!.isSignedWith(SECRET)]).toEqual([changed === token, changed === token]);
    }
  }
});

it('reads 2048 characters, and no more', () => {
  // Not every length can be had with every kid.
  const tokens = ['k', 'kk', 'kkk'].flatMap((kid) =>
    Array.from({ length: 50 }, (_, i) => written({ alg: 'HS256', kid }, { ...CLAIMS, name: 'x'.repeat(1330 + i) })),
  );
  const isRead = (length: number) => read(tokens.find((token) => token.length === length)!) !== null;
  expect([isRead(2048), isRead(2049)]).toEqual([true, false]);
});

it('signs a header that other libraries read', () => {
  const [header] = signToken(CLAIMS, 'k', SECRET).split('.');
  expect(JSON.parse(Buffer.from(header!, 'base64url').toString())).toEqual({ alg: 'HS256', typ: 'JWT', kid: 'k' });
});

describe('refuses', () => {
  it.each([
    ['nothing', ''],
    ['an API key', newApiKey()],
    ['two parts', 'a.b'],
    ['no signature', `${part({ alg: 'none', kid: 'k' })}.${part(CLAIMS)}.`],
    ['parts that are no JSON', `abc.abc.${'a'.repeat(43)}`],
    ['parts that are no objects', `${part([])}.${part(null)}.${'a'.repeat(43)}`],
    ['a very long token', withClaims({ name: 'x'.repeat(3000) })],
    ...['none', 'HS512', 'RS256', 'hs256', undefined].map((alg) => [
      `the algorithm ${alg}`,
      written({ alg, kid: 'k' }, CLAIMS),
    ]),
    ['no kid', written({ alg: 'HS256' }, CLAIMS)],
    ['a kid that is no text', written({ alg: 'HS256', kid: 7 }, CLAIMS)],
    ['an extension', written({ alg: 'HS256', kid: 'k', crit: ['b64'], b64: false }, CLAIMS)],
    ['no exp', withClaims({ exp: undefined })],
    ['an exp as text', withClaims({ exp: String(NOW + 60) })],
    ['an exp that has come', withClaims({ exp: NOW })],
    ['no iat', withClaims({ iat: undefined })],
    ['an iat as text', withClaims({ iat: String(NOW) })],
    ['a life of more than a day', withClaims({ exp: NOW + 24 * 3600 + 1 })],
    ['a life of more than a day, on its last day', withClaims({ iat: NOW - 29 * 86_400, exp: NOW + 3600 })],
    ['an iat in the future', withClaims({ iat: NOW + 61, exp: NOW + 120 })],
    ['an nbf in the future', withClaims({ nbf: NOW + 61 })],
    ['an nbf that is no time', withClaims({ nbf: 'soon' })],
    ['an nbf as text', withClaims({ nbf: String(NOW) })],
    ['no org', withClaims({ org: undefined })],
    ['no sub', withClaims({ sub: '' })],
    ['a sub with a NUL', withClaims({ sub: 'ann@acme.test\u0000' })],
    ['a sub that is no text', withClaims({ sub: { $ne: null } })],
  ])('%s', (_, token) => {
    expect(read(token)).toBeNull();
  });
});

it('cannot be confused with an API key', () => {
  expect(looksLikeToken(signToken(CLAIMS, 'k', SECRET))).toBe(true);
  expect(looksLikeToken(newApiKey())).toBe(false);
});
