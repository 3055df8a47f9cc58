import { expect, it } from '@jest/globals';
import { MAX_AGE_MS, isProvedAnswer, prove, proveAnswer, readProof } from './proof.js';

const SECRET = 's'.repeat(32);
const NOW = 1_900_000_000_000;
const SAID = { from: 0, to: 1, at: NOW, address: '192.0.2.7' };
const REQUEST = { method: 'GET', url: '/api/o/acme/' };

const proof = prove(SAID, 'GET', '/api/o/acme/', SECRET);
const read = (header: string | undefined, request = REQUEST, to = 1, secret = SECRET, now = NOW) =>
  readProof(header, request, to, secret, now);

it('reads what another cell has proved', () => {
  expect(read(proof)).toEqual(SAID);
  expect(read(proof, REQUEST, 1, SECRET, NOW + MAX_AGE_MS)).toEqual(SAID);
});

it('believes no other request, cell, secret or time', () => {
  expect(read(undefined)).toBeNull();
  expect(read('')).toBeNull();
  expect(read('a.b.c')).toBeNull();
  expect(read(proof, { ...REQUEST, method: 'DELETE' })).toBeNull();
  expect(read(proof, { ...REQUEST, url: '/api/o/globex/' })).toBeNull();
  expect(read(proof, REQUEST, 2)).toBeNull();
  expect(read(proof, REQUEST, 1, 't'.repeat(32))).toBeNull();
  expect(read(proof, REQUEST, 1, SECRET, NOW + MAX_AGE_MS + 1)).toBeNull();
  expect(read(proof, REQUEST, 1, SECRET, NOW - MAX_AGE_MS - 1)).toBeNull();
  const other = Buffer.from(JSON.stringify({ ...SAID, address: '127.0.0.1' })).toString('base64url');
  expect(read(`${other}.${proof.split('.')[1]}`)).toBeNull();
});

it('believes an answer only to its own question', () => {
  const mac = proveAnswer('{}', proof, SECRET);
  expect(isProvedAnswer(mac, '{}', proof, SECRET)).toBe(true);
  expect(isProvedAnswer(mac, '{"a":1}', proof, SECRET)).toBe(false);
  expect(isProvedAnswer(mac, '{}', prove({ ...SAID, at: NOW + 1 }, 'GET', '/', SECRET), SECRET)).toBe(false);
  expect(isProvedAnswer(undefined, '{}', proof, SECRET)).toBe(false);
});
