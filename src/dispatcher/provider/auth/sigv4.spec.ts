import { expect, it } from '@jest/globals';
import { signAws } from './sigv4.js';

// From AWS's own test suite (aws-sig-v4-test-suite).
const keys = {
  service: 'service',
  region: 'us-east-1',
  accessKey: 'AKIDEXAMPLE',
  secretKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY',
  sessionToken: '',
};
const now = new Date('2015-08-30T12:36:00Z');
const LETTERS = '-._~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

it.each([
  ['get-vanilla', 'GET', '/', '5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31'],
  ['post-vanilla', 'POST', '/', '5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b'],
  [
    'get-vanilla-query-order-key-case',
    'GET',
    '/?Param2=value2&Param1=value1',
    'b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500',
  ],
  [
    'get-vanilla-query-order-key',
    'GET',
    '/?Param1=value2&Param1=Value1',
    'eedbc4e291e521cf13422ffca22be7d2eb8146eecf653089df300a15b2382bd1',
  ],
  // Not of the suite: by name, `a` is before `a-b`; as texts, `a-b=1` is before `a=2`.
  [
    'a name that begins another',
    'GET',
    '/?a-b=1&a=2',
    '3195c10f6c70f9392a7764f6f83099349c32cf39a12222f775fca70b6227a5a4',
  ],
  ['get-unreserved', 'GET', `/${LETTERS}`, '07ef7494c76fa4850883e2b006601f940f8a34d404d0cfa977f52a65bbf5f24f'],
])('signs %s as AWS does', (_name, method, path, signature) => {
  const url = new URL(path, 'https://example.amazonaws.com');
  const { authorization } = signAws({ method, url, headers: {}, body: '' }, keys, now);
  expect(authorization).toBe(
    `AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, SignedHeaders=host;x-amz-date, Signature=${signature}`,
  );
});

it('signs post-x-www-form-urlencoded as AWS does', () => {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const url = new URL('https://example.amazonaws.com/');
  const signed = signAws({ method: 'POST', url, headers, body: 'Param1=value1' }, keys, now);
  expect(signed.authorization).toContain(
    'SignedHeaders=content-type;host;x-amz-date, Signature=ff11897932ad3f4e8b18135d722051e5ac45fc38421b1da7b9d196a0fe09473a',
  );
});

it('sends and signs the token of temporary keys', () => {
  const url = new URL('https://example.amazonaws.com/');
  const request = { method: 'POST', url, headers: {}, body: '' };
  const signed = signAws(request, { ...keys, sessionToken: 'token' }, now);
  expect(signed['x-amz-security-token']).toBe('token');
  expect(signed.authorization).toContain('SignedHeaders=host;x-amz-date;x-amz-security-token,');
});
