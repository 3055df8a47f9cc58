import { expect, it } from '@jest/globals';
import { UnsubscribeTokens, organizationIn } from '../unsubscribe/token.js';
import { AcknowledgeTokens } from './token.js';

const key = Buffer.alloc(32, 7);
const tokens = new AcknowledgeTokens(key);
const owner = { organizationId: 3, delivery: '9223372036854775807' };

it('names a delivery and its organization, where cells look for it', () => {
  const token = tokens.sign(owner);
  expect(token).toMatch(/^[\w-]{44}$/);
  expect([tokens.verify(token), organizationIn(token)]).toEqual([owner, 3]);
});

it('does not unsubscribe, and a link to unsubscribe does not acknowledge', () => {
  const unsubscribe = new UnsubscribeTokens(key);
  expect(unsubscribe.verify(tokens.sign(owner))).toBeNull();
  expect(tokens.verify(unsubscribe.sign({ organizationId: 3, userId: 1, categoryId: 2 }))).toBeNull();
});
