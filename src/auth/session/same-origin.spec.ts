import { expect, it } from '@jest/globals';
import type { Request } from 'express';
import { refuseOtherOrigin } from './same-origin.js';

/** A request of a browser that sends only `Origin`, to `carillon.test`. */
const from = (origin: string, publicUrl: string | null, host = 'carillon.test') =>
  ({
    headers: { origin, host },
    ...{ host, protocol: 'http', app: { get: () => publicUrl } },
  }) as unknown as Request;

const isRefused = (request: Request) => {
  try {
    refuseOtherOrigin(request);
    return false;
  } catch {
    return true;
  }
};

it.each([
  ['http://carillon.test', null, false],
  ['http://carillon.test', 'https://bells.test/x', false],
  ['https://bells.test', 'https://bells.test/x', false],
  ['https://bells.test', null, true],
  ['https://carillon.test', null, true],
  ['null', null, true],
])('a page of %s, with the public URL %s: refused %s', (origin, publicUrl, expected) => {
  expect(isRefused(from(origin, publicUrl))).toBe(expected);
});

it('a host that is no host is nobody', () => {
  expect(isRefused(from('http://evil.test', null, 'a b'))).toBe(true);
});
