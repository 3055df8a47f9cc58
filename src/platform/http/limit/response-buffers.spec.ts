import { expect, it } from '@jest/globals';
import { ResponseBuffers } from './response-buffers.js';

const [ACME, GLOBEX, INITECH] = [1, 2, 3];

it('an organization whose clients read too slowly gets no more, until they have read', () => {
  const unsent = new ResponseBuffers({ perOrganization: 10, inAll: 100, stallMs: 1, takeMs: 1 });
  const read = unsent.reserve(ACME, 4);
  unsent.admit(ACME);
  unsent.reserve(ACME, 6);
  expect(() => unsent.admit(ACME)).toThrow(expect.objectContaining({ status: 429, headers: { 'Retry-After': '1' } }));
  expect(unsent.hasCapacity(GLOBEX)).toBe(true);
  read();
  expect(unsent.hasCapacity(ACME)).toBe(true);
});

it('when all organizations together hold too much, one without any is still served', () => {
  const unsent = new ResponseBuffers({ perOrganization: 10, inAll: 12, stallMs: 1, takeMs: 1 });
  unsent.reserve(ACME, 8);
  unsent.reserve(GLOBEX, 4);
  expect(() => unsent.admit(GLOBEX)).toThrow(expect.objectContaining({ status: 503 }));
  unsent.admit(INITECH);
});
