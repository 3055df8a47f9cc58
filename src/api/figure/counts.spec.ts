import { expect, it } from '@jest/globals';
import { addUp, without } from './counts.js';

const took = (...times: [number, number][]) =>
  times.map(([seconds, count]) => ({ outcome: 'within', reason: String(seconds), count }));

it('adds up outcomes, of which reports and opt-outs are a part', () => {
  const counts = [
    { outcome: 'sent', reason: '', count: 5 },
    { outcome: 'sent', reason: 'delivered', count: 3 },
    { outcome: 'sent', reason: 'bounced', count: 2 },
    { outcome: 'sent', reason: 'soft_bounced', count: 1 },
    { outcome: 'skipped', reason: 'opted_out', count: 4 },
    { outcome: 'skipped', reason: 'no_address', count: 6 },
    { outcome: 'waiting', reason: '', count: 7 },
    { outcome: 'failed', reason: 'rejected', count: 1 },
  ];
  expect(addUp(counts)).toMatchObject({
    ...{ messages: 29, sent: 11, failed: 1, waiting: 7, skipped: 10, opted_out: 4, delivered: 3, bounced: 3, seen: 0 },
    half_within_seconds: null,
  });
  expect(addUp(without(counts, counts.slice(0, 2)))).toMatchObject({ messages: 21, sent: 3, delivered: 0 });
});

it('says within how many seconds half of the messages were sent, and 95 of 100', () => {
  const times = (...each: [number, number][]) => {
    const { half_within_seconds: half, most_within_seconds: most } = addUp(took(...each));
    return [half, most];
  };
  expect(times([10, 1], [1, 99])).toEqual([1, 1]);
  expect(times([10, 50], [1, 50])).toEqual([1, 10]);
  expect(times([604800, 1])).toEqual([604800, 604800]);
  expect(times([1, 0])).toEqual([null, null]);
});
