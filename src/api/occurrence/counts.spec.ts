import { expect, it } from '@jest/globals';
import type { Decision } from '../../rules/ruleset/decide.js';
import { countsOf, gatesOf, rulesOf } from './counts.js';
import type { DeliveryGroup } from './counts.js';

const group = (rest: Partial<DeliveryGroup>): DeliveryGroup => ({
  notification: 1,
  channel: 10,
  slug: 'mail',
  status: 'sent',
  gate: null,
  count: 1,
  repetition: 0,
  ...rest,
});

const decision = (rest: Partial<Decision>): Decision => ({
  notification: 1,
  name: 'Tell',
  verdict: 'matched',
  channels: [{ channel: 10, slug: 'mail', verdict: 'open' }],
  ...rest,
});

const NONE = { total: 0, pending: 0, sent: 0, skipped: 0, dead: 0 };

it('counts deliveries by their status', () => {
  expect(countsOf([])).toEqual(NONE);
  const groups = [
    group({ count: 7 }),
    group({ channel: 11, count: 3 }),
    group({ status: 'dead', count: 2 }),
    group({ status: 'pending', count: 5 }),
    group({ status: 'skipped', gate: 'locked' }),
  ];
  expect(countsOf(groups)).toEqual({ total: 18, pending: 5, sent: 10, skipped: 1, dead: 2 });
});

it('counts the skipped deliveries of each gate', () => {
  const skipped = (gate: DeliveryGroup['gate'], rest: Partial<DeliveryGroup>) =>
    group({ status: 'skipped', gate, ...rest });
  expect(gatesOf([group({ count: 7 })])).toEqual({});
  expect(
    gatesOf([
      skipped('locked', { count: 2 }),
      skipped('locked', { channel: 11 }),
      skipped('expired', { notification: 2 }),
    ]),
  ).toEqual({ locked: 3, expired: 1 });
});

it('counts each delivery for its own rule and channel only', () => {
  const both = [
    { channel: 10, slug: 'mail', verdict: 'open' as const },
    { channel: 11, slug: 'hook', verdict: 'open' as const },
  ];
  const decisions = [decision({ channels: both }), decision({ notification: 2, name: 'Warn', channels: both })];
  const groups = [group({ count: 7 }), group({ channel: 11, slug: 'hook', count: 3 }), group({ notification: 2 })];
  expect(
    rulesOf(decisions, groups).map(({ notification, channels }) => [notification, channels.map((c) => c.counts.sent)]),
  ).toEqual([
    ['Tell', [7, 3]],
    ['Warn', [1, 0]],
  ]);
});

it('has no slug for a channel that was deleted before the recipients were resolved', () => {
  const [rule] = rulesOf([decision({ channels: [{ channel: 10, slug: '', verdict: 'gone' }] })], []);
  expect(rule!.channels).toEqual([{ channel: null, verdict: 'gone', counts: NONE }]);
});

it('shows a fallback channel that the rule does not name', () => {
  const groups = [
    group({ status: 'dead', count: 2 }),
    group({ channel: 12, slug: 'sms', count: 1 }),
    group({ channel: 12, slug: 'sms', status: 'pending', count: 1 }),
    group({ channel: 13, slug: null }),
  ];
  expect(rulesOf([decision({})], groups)[0]!.channels).toEqual([
    { channel: 'mail', verdict: 'open', counts: { ...NONE, total: 2, dead: 2 } },
    { channel: 'sms', verdict: 'fallback', counts: { ...NONE, total: 2, sent: 1, pending: 1 } },
    { channel: null, verdict: 'fallback', counts: { ...NONE, total: 1, sent: 1 } },
  ]);
});
