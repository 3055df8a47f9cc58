import type { Decision } from '../ruleset/decide.js';
import type { Evidence, Rule, RuleStep, RuleStepTo } from '../ruleset/rule.js';

/** A step that an occurrence takes after its first. */
export interface LaterStep {
  /** Its place among the steps of the rule, from 1. */
  number: number;
  channels: number[];
  /** The channels of the step before: its users are those of this step. Of a repetition they are its own. */
  before: number[];
  /** Seconds. */
  after: number;
  unless: Evidence | null;
  /** For the repetitions of a step: how many there are at most. 0: it is the step itself. */
  repeats: number;
  /** How often the step before is repeated at most: a user who has not got all of these was done before. */
  repeatsBefore: number;
  /** Its own users; null: those of the step before. */
  to: RuleStepTo | null;
}

/** Undefined: the occurrence does not know its rules any more. It has no steps then. */
type RuleWithSteps = Pick<Rule, 'steps' | 'templates'> | undefined;

/**
 * What follows the first step, as it was decided at the expansion. The repetitions of a step are one more entry after it. None for a rule without
 * steps, or one that does not apply.
 */
export function laterSteps(rule: RuleWithSteps, { verdict, channels: decided }: Decision): LaterStep[] {
  const steps = rule?.steps ?? [];
  if (verdict !== 'matched') return [];
  const isRoom = (id: number) => rule?.templates.some(({ channel, per }) => channel === id && per === 'room') ?? false;
  const channelsThat = (are: string) => decided.filter((each) => each.verdict === are).map(({ channel }) => channel);
  const later = new Set(channelsThat('later'));
  const open = channelsThat('open');
  const toUsers = open.filter((channel) => !isRoom(channel));
  const first = steps.findIndex(({ channels }) => channels.some((channel) => toUsers.includes(channel)));
  let before = open;
  let repeatsBefore = 0;
  let to: RuleStepTo | null = null;
  return steps.flatMap((step, i): LaterStep[] => {
    const { channels, after = 0, unless = null, repeat } = step;
    // A step that is left out leaves its users to the one after it.
    to = step.to ?? to;
    const own = i === first ? toUsers : channels.filter((channel) => later.has(channel));
    if (own.length === 0) return [];
    const itself = { number: i + 1, channels: own, before, after, unless, repeats: 0, repeatsBefore, to };
    to = null;
    before = i === first ? open : own;
    repeatsBefore = repeat?.times ?? 0;
    return [...(i === first ? [] : [itself]), ...repetitionsOf(step, { ...itself, before: own })];
  });
}

const repetitionsOf = ({ repeat }: RuleStep, step: LaterStep): LaterStep[] =>
  repeat ? [{ ...step, after: repeat.every, repeats: repeat.times, repeatsBefore: 0, to: null }] : [];

/** The rule that a step with its own users follows: only they are meant. */
export const ruleOfStep = (rule: Rule, { lists, audience }: RuleStepTo): Rule => ({
  ...rule,
  to: undefined,
  lists,
  audience: audience ?? null,
});

/** Whom the later step of a channel means, where steps before have said it; null: the users of the rule. */
export function usersOfStep(rule: Rule | undefined, channel: number): RuleStepTo | null {
  const steps = rule?.steps ?? [];
  const place = steps.findIndex(({ channels }) => channels.includes(channel));
  return steps.slice(0, place + 1).findLast(({ to }) => to !== undefined)?.to ?? null;
}

/** The number of the step that a channel belongs to; null: the rule has no steps, or the channel is a fallback. */
export function stepOf(rule: Pick<Rule, 'steps'> | undefined, channel: number): number | null {
  const index = (rule?.steps ?? []).findIndex(({ channels }) => channels.includes(channel));
  return index < 0 ? null : index + 1;
}

/** Whether a step asks for an acknowledgement: messages then have a link to acknowledge. */
export const asksToAcknowledge = (rule: { steps?: readonly { unless?: string }[] | null } | undefined): boolean =>
  rule?.steps?.some(({ unless }) => unless === 'acknowledged') ?? false;
