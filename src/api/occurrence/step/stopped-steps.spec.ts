import { describe, expect, it } from '@jest/globals';
import type { Decision } from '../../../rules/ruleset/decide.js';
import type { DeliveryGroup } from '../counts.js';
import { stoppedSteps } from './stopped-steps.js';
import type { FollowedRule } from './stopped-steps.js';

const [APP, MAIL, SMS] = [1, 2, 3] as const;

const rule = (more: Partial<FollowedRule> = {}): FollowedRule => ({
  id: 9,
  templates: [APP, MAIL, SMS].map((channel) => ({ channel, parts: {} })),
  steps: [
    { channels: [APP] },
    { channels: [MAIL], after: 60, unless: 'acknowledged' },
    { channels: [SMS], after: 60, unless: 'acknowledged', repeat: { every: 60, times: 4 } },
  ],
  ...more,
});

const DECISION: Decision = {
  notification: 9,
  name: 'Tell',
  verdict: 'matched',
  channels: [
    { channel: APP, slug: 'app', verdict: 'open' },
    { channel: MAIL, slug: 'mail', verdict: 'later' },
    { channel: SMS, slug: 'sms', verdict: 'later' },
  ],
};

const sent = (channel: number, repetition = 0): DeliveryGroup => ({
  ...{ notification: 9, channel, slug: null, status: 'sent', gate: null, count: 1 },
  repetition,
});

const facts = (groups: DeliveryGroup[], followed = rule()) => ({
  ...{ status: 'expanded' as const, followed: [followed], decisions: [DECISION], resolutions: [] },
  groups,
});

const NOW = { at: new Date() };
const TWO_HOURS_AGO = { at: new Date(Date.now() - 7_200_000) };
const both = [
  { notification: 'Tell', step: 2, channels: ['mail'], repeats: 0 },
  { notification: 'Tell', step: 3, channels: ['sms'], repeats: 0 },
];

describe('the steps that an acknowledgement leaves out', () => {
  it('are those that were not taken, and what is left of repetitions', () => {
    expect(stoppedSteps(facts([sent(APP)]), null)).toEqual([]);
    expect(stoppedSteps(facts([sent(APP)]), NOW)).toEqual(both);
    expect(stoppedSteps(facts([sent(APP), sent(MAIL)]), NOW)).toEqual(both.slice(1));
    const repeated = [sent(APP), sent(MAIL), sent(SMS, 1), sent(SMS)];
    expect(stoppedSteps(facts(repeated), NOW)).toEqual([
      { notification: 'Tell', step: 3, channels: ['sms'], repeats: 3 },
    ]);
    expect(stoppedSteps(facts([sent(APP), sent(MAIL), sent(SMS, 4)]), NOW)).toEqual([]);
  });

  it('are none of those that nothing ends, of users who each need their own, and after it has lapsed', () => {
    const always = rule({ steps: [{ channels: [APP] }, { channels: [MAIL], after: 60 }] });
    expect(stoppedSteps(facts([sent(APP)], always), NOW)).toEqual([]);
    const each = rule({ acknowledge: { by: 'each' } });
    expect(stoppedSteps(facts([sent(APP)], each), NOW)).toEqual([]);
    const lapsing = rule({ acknowledge: { by: 'anyone', for: '1h' } });
    expect(stoppedSteps(facts([sent(APP)], lapsing), NOW)).toEqual(both);
    expect(stoppedSteps(facts([sent(APP)], lapsing), TWO_HOURS_AGO)).toEqual([]);
  });

  it('are none of an occurrence that was canceled', () => {
    expect(stoppedSteps({ ...facts([sent(APP)]), status: 'canceled' }, NOW)).toEqual([]);
  });
});

it('a resolution leaves out all steps of its notification', () => {
  const always = rule({ steps: [{ channels: [APP] }, { channels: [MAIL], after: 60 }] });
  const over = { ...facts([sent(APP)], always), resolutions: [{ notification: 9 }] };
  expect(stoppedSteps(over, null)).toEqual(both.slice(0, 1));
  expect(stoppedSteps({ ...over, resolutions: [{ notification: 8 }] }, null)).toEqual([]);
});
