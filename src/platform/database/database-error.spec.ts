import { expect, it } from '@jest/globals';
import { outageOf } from './database-error.js';

/** The same error, as `pg` and as Prisma report it. */
const forms = (code: string) => [
  { code },
  { code: 'P2010', meta: { driverAdapterError: { cause: { originalCode: code } } } },
  new Error('a list failed', { cause: { code } }),
];

it.each([
  ['25006', 5, 'read-only'],
  ['53100', 30, 'disk space'],
  ['53200', 5, 'memory'],
  ['53300', 5, 'connections'],
  ['53400', 5, 'memory'],
  ['55P03', 1, 'Another change of the same thing'],
  ['40P01', 1, 'Another change of the same thing'],
  ['57014', 1, 'took too long'],
  ['57P01', 1, 'cannot be reached'],
  ['57P02', 1, 'cannot be reached'],
  ['57P03', 1, 'cannot be reached'],
  ['57P04', 1, 'cannot be reached'],
  ['08006', 1, 'cannot be reached'],
  ['ECONNREFUSED', 1, 'cannot be reached'],
  ['P1001', 1, 'cannot be reached'],
  ['P2028', 1, 'all its connections to the database are in use'],
])('%s is an outage: try again after %i s', (code, retryAfterSeconds, words) => {
  for (const error of forms(code)) {
    expect(outageOf(error)).toEqual({ retryAfterSeconds, detail: expect.stringContaining(words) });
  }
});

it('a pool without a free connection is busy', () => {
  const error = new Error('timeout exceeded when trying to connect');
  expect(outageOf(error)?.detail).toContain('is busy');
});

// A transaction goes on over a connection that was lost: `pg` answers without a code.
it.each([
  'Connection terminated unexpectedly',
  'Client has encountered a connection error and is not queryable',
  'Client was closed and is not queryable',
])('%s is an outage', (message) => {
  expect(outageOf(new Error(message))?.detail).toContain('cannot be reached');
});

it.each(['23505', '23503', '22P02', '42601', 'P2025', ''])('%s is none', (code) => {
  expect(forms(code).map(outageOf)).toEqual([null, null, null]);
});
