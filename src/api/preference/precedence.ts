import type { CategoryDefault, ChosenBy, SuppressionCause } from '../../platform/database/generated/prisma/enums.js';

/** A stored choice of a user. */
export interface Choice {
  isOn: boolean;
  chosenAt: Date;
  chosenBy: ChosenBy;
}

/** Everything that decides whether a user gets the messages of an event, or of a category, over one channel type. */
export interface Facts {
  /** Of the address that would be used. */
  suppressedBy: SuppressionCause[];
  /** Null: the event has no category. Its messages are transactional: nobody can refuse them. */
  category: { default: CategoryDefault; ofChannel?: 'on' | 'off' } | null;
  /** Everything over the channel type. */
  master?: Choice;
  /** About the event or the category, and whether the choice is about this channel type only. */
  choices: { event_channel?: Choice; event?: Choice; category_channel?: Choice; category?: Choice };
}

export const SOURCES = [
  'suppressed',
  'required',
  'channel',
  'event_channel',
  'event',
  'category_channel',
  'category',
  'channel_default',
  'default',
  'transactional',
] as const;
export type Source = (typeof SOURCES)[number];

export interface PreferenceDecision {
  on: boolean;
  source: Source;
  /** Of a suppression. */
  cause?: SuppressionCause;
  /** The stored choice that decided. */
  choice?: Choice;
}

interface Row {
  /** The answer of the rule. Without one, the next rule is asked. */
  answer: (facts: Facts) => PreferenceDecision | null | undefined;
  /** Whether it also counts for an event without a category. */
  isForAll?: true;
}

const suppressed = (cause: SuppressionCause | undefined): PreferenceDecision | undefined =>
  cause && { on: false, source: 'suppressed', cause };

/** From the most specific choice to the least. */
const SPECIFIC = ['event_channel', 'event', 'category_channel', 'category'] as const;

/**
 * Who wins: the first row that has an answer. The SQL of src/ruleset decides the same for each message, and test/pipeline compares both.
 */
export const PRECEDENCE: readonly Row[] = [
  // 1. There is no such address, or its owner or an operator stopped it.
  { answer: ({ suppressedBy }) => suppressed(suppressedBy.find((cause) => cause !== 'complaint')), isForAll: true },
  // 2. Nobody can refuse the category.
  { answer: ({ category }) => (category?.default === 'required' ? { on: true, source: 'required' } : undefined) },
  // 3. The user has reported a message as spam.
  { answer: ({ suppressedBy }) => suppressed(suppressedBy.find((cause) => cause === 'complaint')), isForAll: true },
  // 4. The user's master switch of the channel type. Only "off" decides.
  { answer: ({ master }) => (master?.isOn === false ? { on: false, source: 'channel', choice: master } : undefined) },
  // 5. The most specific choice.
  {
    answer: ({ choices }) => {
      const source = SPECIFIC.find((each) => choices[each]);
      return source && { on: choices[source]!.isOn, source, choice: choices[source]! };
    },
  },
  // 6. The category's default for the channel type.
  {
    answer: ({ category }) => category?.ofChannel && { on: category.ofChannel === 'on', source: 'channel_default' },
  },
  // 7. The category's default.
  { answer: ({ category }) => category && { on: category.default === 'on', source: 'default' } },
];

/** Whether the user gets it, and which rule says so. */
export function decide(facts: Facts): PreferenceDecision {
  for (const { answer, isForAll } of PRECEDENCE) {
    const decision = facts.category === null && !isForAll ? undefined : answer(facts);
    if (decision) return decision;
  }
  return { on: true, source: 'transactional' };
}
