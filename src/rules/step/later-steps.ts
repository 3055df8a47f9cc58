import type { Decision } from '../ruleset/decide.js';
import type { Evidence, Rule } from '../ruleset/rule.js';

/** A step that an occurrence takes after its first. */
export interface LaterStep {
  /** Its place among the steps of the rule, from 1. */
  number: number;
  channels: number[];
  /** The channels of the step before: its users are those of this step. */
  before: number[];
  /** Seconds. */
  after: number;
  unless: Evidence | null;
}

/** Undefined: the occurrence does not know its rules any more. It has no steps then. */
type RuleWithSteps = Pick<Rule, 'steps'> | undefined;

/** The steps that follow the first, as they were decided at the expansion. None for a rule without steps, or one that does not apply. */
export function laterSteps(rule: RuleWithSteps, { verdict, channels: decided }: Decision): LaterStep[] {
  const steps = rule?.steps ?? [];
  if (verdict !== 'matched') return [];
  const channelsThat = (are: string) => decided.filter((each) => each.verdict === are).map(({ channel }) => channel);
  const later = new Set(channelsThat('later'));
  let before = channelsThat('open');
  return steps.flatMap(({ channels, after = 0, unless = null }, i) => {
    const own = channels.filter((channel) => later.has(channel));
    if (own.length === 0) return [];
    const step = { number: i + 1, channels: own, before, after, unless };
    before = own;
    return [step];
  });
}

/** The number of the step that a channel belongs to; null: the rule has no steps, or the channel is a fallback. */
export function stepOf(rule: RuleWithSteps, channel: number): number | null {
  const index = (rule?.steps ?? []).findIndex(({ channels }) => channels.includes(channel));
  return index < 0 ? null : index + 1;
}
