import { describe, expect, it } from '@jest/globals';
import { choicesOf, isGathered } from '../ruleset/choices.js';
import type { Rule } from '../ruleset/rule.js';
import { categoryDigests } from './category-digests.js';

const NEWS = { id: 7, slug: 'news', name: 'News', default: 'on' as const, channels: {} };
const CHOSEN = { ...NEWS, frequencies: ['daily' as const, 'weekly' as const], digestAt: '08:30' };
const MAIL = 3;
const settings = {
  ...{
    projectId: 1,
    applicationId: 1,
    hasMuted: false,
    hasSuppressions: false,
    timeZone: null,
    locale: null,
    quietHours: null,
  },
  ...{ hasOwnQuietHours: false, limit: null },
};
const target = { eventId: 5, channelType: 'email', channel: MAIL, rule: {}, context: {}, options: {} };

describe('messages of a category', () => {
  it('are gathered each day or each Monday, at the time of the category', () => {
    expect(categoryDigests(CHOSEN, {}, MAIL)).toEqual({
      daily: { category: 7, frequency: 'daily', schedule: { at: '08:30' }, first: 'wait' },
      weekly: { category: 7, frequency: 'weekly', schedule: { days: ['mon'], at: '08:30' }, first: 'wait' },
    });
  });

  it.each<[string, Partial<Rule>]>([
    ['that its notification gathers itself', { digest: { window: 60, max_items: 50, first: 'wait' } }],
    ['with steps', { steps: [{ channels: [MAIL] }, { channels: [4], after: 60 }] }],
    [
      'whose text is at the provider',
      { templates: [{ channel: MAIL, parts: { template: { name: 'news', language: 'en' } } }] },
    ],
  ])('are left alone: those %s', (_, rule) => {
    expect(categoryDigests(CHOSEN, rule, MAIL)).toBeNull();
  });

  it.each([
    ['nobody has chosen a frequency', NEWS, {}, false],
    ['somebody has', CHOSEN, {}, true],
    ['the category is required', { ...CHOSEN, default: 'required' as const }, {}, false],
    ['the trigger is critical', CHOSEN, { options: { priority: 'critical' } }, false],
    ['they go to the inbox', CHOSEN, { channelType: 'inbox' }, false],
    ['they are a digest themselves', CHOSEN, { digest: { frequency: 'daily' } }, false],
  ])('need the statement that gathers or not: %s', (_, category, change, isIt) => {
    expect(isGathered(choicesOf({ ...settings, category }, { ...target, ...change }))).toBe(isIt);
  });
});
