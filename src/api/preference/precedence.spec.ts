import { describe, expect, it } from '@jest/globals';
import type { SuppressionCause } from '../../platform/database/generated/prisma/enums.js';
import { PRECEDENCE, decide } from './precedence.js';
import type { Choice, PreferenceDecision, Facts } from './precedence.js';

const chosen = (isOn: boolean): Choice => ({ isOn, chosenAt: new Date('2030-01-01T08:00:00Z'), chosenBy: 'person' });
const ON = chosen(true);
const OFF = chosen(false);

/** Facts that the last rule decides. */
const NEWS: Facts = { suppressedBy: [], category: { default: 'on' }, choices: {} };
const news = (facts: Partial<Facts>): Facts => ({ ...NEWS, ...facts });
const ALL_ON = { event_channel: ON, event: ON, category_channel: ON, category: ON };

// For each row of the table: facts that it decides, although every later row would decide otherwise.
const ROWS: [row: number, why: string, facts: Facts, decision: PreferenceDecision][] = [
  ...(['hard_bounce', 'stop', 'manual'] as const).map((cause): [number, string, Facts, PreferenceDecision] => [
    1,
    `an address that is suppressed by ${cause} is never used`,
    news({ suppressedBy: ['complaint', cause], category: { default: 'required' }, choices: ALL_ON }),
    { on: false, source: 'suppressed', cause },
  ]),
  [
    2,
    'a required category is sent, whatever the user chose or complained about',
    news({ suppressedBy: ['complaint'], category: { default: 'required' }, master: OFF, choices: { event: OFF } }),
    { on: true, source: 'required' },
  ],
  [
    3,
    'a complaint stops everything else',
    news({ suppressedBy: ['complaint'], master: ON, choices: ALL_ON }),
    { on: false, source: 'suppressed', cause: 'complaint' },
  ],
  [
    4,
    'the master switch stops what single choices allow',
    news({ master: OFF, choices: ALL_ON }),
    { on: false, source: 'channel', choice: OFF },
  ],
  [
    5,
    'a choice about the event and the channel type counts most',
    news({ master: ON, choices: { ...ALL_ON, event_channel: OFF } }),
    { on: false, source: 'event_channel', choice: OFF },
  ],
  [
    5,
    'then one about the event',
    news({ choices: { event: OFF, category_channel: ON, category: ON } }),
    { on: false, source: 'event', choice: OFF },
  ],
  [
    5,
    'then one about the category and the channel type',
    news({ choices: { category_channel: OFF, category: ON } }),
    { on: false, source: 'category_channel', choice: OFF },
  ],
  [
    5,
    'then one about the category, also against both defaults',
    news({ category: { default: 'off', ofChannel: 'off' }, choices: { category: ON } }),
    { on: true, source: 'category', choice: ON },
  ],
  [
    6,
    "the category's default for the channel type counts before its general one; a master switch that is on says nothing",
    news({ category: { default: 'off', ofChannel: 'on' }, master: ON }),
    { on: true, source: 'channel_default' },
  ],
  [7, "the category's default is the last word", NEWS, { on: true, source: 'default' }],
  [7, 'also if it is off', news({ category: { default: 'off' }, master: ON }), { on: false, source: 'default' }],
];

describe('the table of precedence', () => {
  it('has seven rows', () => {
    expect(PRECEDENCE).toHaveLength(7);
  });

  it.each(ROWS)('row %i: %s', (row, _why, facts, decision) => {
    expect(decide(facts)).toEqual(decision);
    expect(PRECEDENCE.findIndex(({ answer }) => answer(facts)) + 1).toBe(row);
  });
});

describe('an event without a category', () => {
  const transactional = (facts: Partial<Facts>) => decide({ ...NEWS, category: null, ...facts });

  it('is sent, whatever the user chose', () => {
    expect(transactional({ master: OFF, choices: { event: OFF } })).toEqual({ on: true, source: 'transactional' });
  });

  it.each(['hard_bounce', 'stop', 'manual', 'complaint'] as SuppressionCause[])(
    'is not sent to an address that is suppressed by %s',
    (cause) => {
      expect(transactional({ suppressedBy: [cause] })).toEqual({ on: false, source: 'suppressed', cause });
    },
  );
});
