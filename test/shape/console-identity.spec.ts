import { expect, it } from '@jest/globals';
import { consoleBundle } from '../support/console-bundle.js';

const { identityOf } = consoleBundle('pages/occurrence/identity.ts') as { identityOf(context: unknown): unknown };

it.each([
  ['the order', { paid: true, order: 'A-17', total: 120 }, 'A-17'],
  ['a name in one word', { invoiceNumber: 2041 }, '2041'],
  ['a field of an object, after those of the context', { customer: { id: 7 }, order_id: 'A-18' }, 'A-18'],
  ['a field of an object', { total: 3, ticket: { ref: ' T-9 ' } }, 'T-9'],
  ['nothing in a word that only ends alike', { paid: 'yes', Bid: 5, hidden: 'id' }, undefined],
  ['nothing in a long text', { order: 'x'.repeat(41) }, undefined],
  ['nothing in an empty text', { id: ' ' }, undefined],
  ['nothing without a context', null, undefined],
])('an occurrence is called by %s', (_, context, identity) => {
  expect(identityOf(context)).toBe(identity);
});
