import { expect, it } from '@jest/globals';
import { operations } from '../support/contract/contract.js';
import { BODIES, OPERATIONS } from '../support/contract/operations.js';

const names = operations.map(({ method, path }) => `${method} ${path}`);

it('the tests know a body for every operation that takes one, and for no other', () => {
  const takeBody = operations.filter(({ requestBody }) => requestBody).map(({ method, path }) => `${method} ${path}`);
  expect(Object.keys(BODIES).sort()).toEqual(takeBody.sort());
});

it('the operations of the specification are in the contract, with the permission that it names', () => {
  for (const { method, path, permission } of OPERATIONS) {
    const operation = operations[names.indexOf(`${method.toUpperCase()} ${path}`)];
    expect([method, path, operation?.['x-permission']]).toEqual([method, path, permission]);
  }
});
