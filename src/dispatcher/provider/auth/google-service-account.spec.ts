import { createPublicKey, generateKeyPairSync, verify } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { OutboundTimeout } from '../../outbound/outbound-error.js';
import { googleToken, problemWithServiceAccount } from './google-service-account.js';

const { privateKey, publicKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
});
const ACCOUNT = { project_id: 'acme', client_email: 'c@acme.test', private_key_id: 'k1', private_key: privateKey };
const SCOPE = 'https://www.googleapis.com/auth/firebase.messaging';

const jsonOf = (part = '') => JSON.parse(Buffer.from(part, 'base64url').toString()) as Record<string, unknown>;

const answered = (status: number, text: string, headers: Record<string, string> = {}) =>
  googleToken(JSON.stringify(ACCOUNT), SCOPE).make(() => Promise.resolve({ status, headers, text }));

describe('a token for a service account of Google', () => {
  it('is asked for with a signed statement', async () => {
    const asked: [string, Readonly<Record<string, string>>][] = [];
    const before = Date.now();
    const token = await googleToken(JSON.stringify(ACCOUNT), SCOPE).make((url, form) => {
      asked.push([url, form]);
      return Promise.resolve({ status: 200, headers: {}, text: '{"access_token":"ya29.x","expires_in":3599}' });
    });
    const [[url, form] = ['', {} as Record<string, string>]] = asked;
    expect([url, form.grant_type]).toEqual([
      'https://oauth2.googleapis.com/token',
      'urn:ietf:params:oauth:grant-type:jwt-bearer',
    ]);
    const [head, claims, signature = ''] = form.assertion!.split('.');
    expect(jsonOf(head)).toEqual({ alg: 'RS256', typ: 'JWT', kid: 'k1' });
    const { iat, exp, ...rest } = jsonOf(claims) as { iat: number; exp: number };
    expect(rest).toEqual({ iss: 'c@acme.test', scope: SCOPE, aud: url });
    expect(exp - iat).toBe(3600);
    // A clock that is a little ahead must not spoil it.
    expect(iat * 1000).toBeLessThan(before);
    const signed = Buffer.from(`${head}.${claims}`);
    expect(verify('sha256', signed, createPublicKey(publicKey), Buffer.from(signature, 'base64url'))).toBe(true);
    if ('failure' in token) throw new Error('no token');
    expect(token.value).toBe('ya29.x');
    expect(token.expiresAt - token.madeAt).toBe(3_599_000);
    expect(token.renewAt).toBe(token.expiresAt - 600_000);
  });

  it('of a short life is renewed after half of it', async () => {
    const token = await answered(200, '{"access_token":"x","expires_in":60}');
    expect('value' in token && token.renewAt - token.madeAt).toBe(30_000);
  });

  it.each([
    ['an account that was deleted', 400, '{"error":"invalid_grant"}', { kind: 'rejected', fault: 'channel' }],
    ['a key that was revoked', 401, '{"error":"invalid_client"}', { kind: 'rejected', fault: 'channel' }],
    ['something else that answers', 200, '<html></html>', { kind: 'rejected', fault: 'channel' }],
    ['a service that is overloaded', 503, '', { kind: 'retry' }],
  ])('is missing because of %s, and the message is not at fault', async (_name, status, text, outcome) => {
    const made = await answered(status, text);
    expect(made).toEqual({ failure: expect.objectContaining(outcome) });
    expect(JSON.stringify(made)).toContain('no access token from Google');
  });

  it('that never came leaves no doubt about the message: it was not sent', async () => {
    const made = await googleToken(JSON.stringify(ACCOUNT), SCOPE).make(() =>
      Promise.reject(new OutboundTimeout('no answer in 10000 ms')),
    );
    expect(made).toEqual({ failure: { kind: 'retry', answer: 'no access token from Google: no answer in 10000 ms' } });
  });

  it('needs a key that can be read', async () => {
    const made = await googleToken('{"client_email":"x"}', SCOPE).make(() => Promise.reject(new Error('not called')));
    expect(made).toMatchObject({ failure: { kind: 'rejected', fault: 'channel', isLocal: true } });
  });
});

it.each([
  [JSON.stringify(ACCOUNT), true],
  ['no JSON', false],
  [JSON.stringify({ ...ACCOUNT, private_key: 'x' }), false],
  [JSON.stringify({ ...ACCOUNT, client_email: undefined }), false],
  ['[]', false],
])('tells whether a setting is the key of a service account', (text, isRight) => {
  expect(problemWithServiceAccount(text) === null).toBe(isRight);
});
