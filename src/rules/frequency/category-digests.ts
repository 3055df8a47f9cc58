import type { Rule } from '../ruleset/rule.js';

/** How often a user may get the messages of a category in one, instead of at once. */
export const FREQUENCIES = ['daily', 'weekly'] as const;
export type Frequency = (typeof FREQUENCIES)[number];

/** Gathers the messages of a category for users who want them so often. Such a digest spans notifications. */
export interface CategoryDigest {
  /** The id of the category. */
  category: number;
  frequency: Frequency;
  /** As of the digest of a notification. Without days: every day. */
  schedule: { days?: string[]; at: string };
  first: 'wait';
}

/** When the message comes, unless the category says otherwise. */
export const DIGEST_AT = '09:00';

/** By how often a user wants the messages. */
export type CategoryDigests = Partial<Record<Frequency, CategoryDigest>>;

/** When a category is sent that users get in one message. */
export interface FrequencySettings {
  id: number;
  /** What users may choose, if somebody has chosen one of them. Left out: nobody has. */
  frequencies?: readonly Frequency[];
  /** `09:00`, by the clock of the user. */
  digestAt?: string;
}

/**
 * How the messages of a notification over one channel are gathered for users who want those of its category less often; null: they are not.
 * A notification that gathers or follows up its own messages keeps its way, and so does a message whose text is at the provider.
 */
export function categoryDigests(
  { id, frequencies = [], digestAt: at = DIGEST_AT }: FrequencySettings,
  { digest, steps, templates = [] }: Partial<Pick<Rule, 'digest' | 'steps' | 'templates'>>,
  channel: number | undefined,
): CategoryDigests | null {
  const isOfProvider = templates.some((template) => template.channel === channel && template.parts.template);
  if (frequencies.length === 0 || digest || steps || isOfProvider) return null;
  const digests = frequencies.map((frequency): [Frequency, CategoryDigest] => {
    const schedule = frequency === 'weekly' ? { days: ['mon'], at } : { at };
    return [frequency, { category: id, frequency, schedule, first: 'wait' }];
  });
  return Object.fromEntries(digests);
}
