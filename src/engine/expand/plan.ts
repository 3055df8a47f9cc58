import type { Dispatcher } from '../../dispatcher/dispatcher.js';
import { choicesOf, choicesOfRoom, isGathered } from '../../rules/ruleset/choices.js';
import type { Choices } from '../../rules/ruleset/choices.js';
import { addressKindOf, decide, targetsOf } from '../../rules/ruleset/decide.js';
import type { Decision, Target } from '../../rules/ruleset/decide.js';
import { namesOf } from '../../rules/ruleset/named.js';
import { isRoomPost, ruleOf } from '../../rules/ruleset/rule.js';
import type { Rule } from '../../rules/ruleset/rule.js';
import type { Off } from '../../rules/ruleset/switch.sql.js';
import { hasUnfetched } from '../file/fetch-files.js';
import { nextSteps } from '../step/next-steps.js';
import type { BatchChannel, BatchEvent, BatchOccurrence } from './expand-small-rows.js';
import { MAX_USERS } from './expand-small.sql.js';
import type { BatchVariant } from './expand-small.sql.js';

/** An occurrence with more targets is expanded alone. */
const MAX_TARGETS = 20;

/** An occurrence that is expanded together with others. */
export interface SmallPlan {
  occurrence: BatchOccurrence;
  event: BatchEvent;
  rules: Rule[];
  decisions: Decision[];
  targets: Target[];
  /** The audience that its rules share, as JSON; empty: none has one. */
  audience: string;
}

/** An occurrence that gets a job of its own, which waits while a switch is off. */
export interface AlonePlan {
  occurrence: BatchOccurrence;
  off: Off | null;
}

/** Decides whether an occurrence may be expanded together with others, and what it reaches. */
export function planOf(
  occurrence: BatchOccurrence,
  event: BatchEvent,
  rules: Rule[],
  channels: Map<number, BatchChannel>,
): SmallPlan | AlonePlan {
  const alone = { occurrence, off: event.off };
  const { options, context } = occurrence;
  const named = Math.max(options.limit_to?.length ?? 0, options.recipients?.length ?? 0, options.told?.length ?? 0);
  if (event.off || named > MAX_USERS || hasUnfetched(options)) return alone;
  const decisions = decide(rules, context, options, channels);
  const targets = targetsOf(decisions);
  const found = targets.filter((target) => !isRoomPost(rules, target) && !ruleOf(rules, target).to);
  const audiences = new Set(found.map((target) => JSON.stringify(ruleOf(rules, target).audience ?? '')));
  if (audiences.size > 1 || targets.length > MAX_TARGETS || targets.some(({ reason }) => reason !== undefined))
    return alone;
  const [audience = '""'] = audiences;
  return { occurrence, event, rules, decisions, targets, audience: audience === '""' ? '' : audience };
}

/** The parts that the statement that expands these occurrences needs. */
export function variantOf(plans: SmallPlan[], channels: Map<number, BatchChannel>): BatchVariant {
  const targets = plans.flatMap((plan) => plan.targets.map((target) => ({ plan, target })));
  const choices = targets.map(({ plan, target }) => choicesOfTarget(plan, target, channels));
  const toUsers = targets.filter(({ plan, target }) => !isRoomPost(plan.rules, target));
  const named = toUsers.filter(({ plan, target }) => ruleOf(plan.rules, target).to);
  return {
    rooms: toUsers.length < targets.length,
    ...(named.length > 0 && { named: named.length === toUsers.length ? 'all' : 'some' }),
    choose: choices.some((each) => each !== null),
    gather: choices.some(isGathered),
    ...(plans.some(({ rules, decisions }) => nextSteps(rules, decisions) !== null) && { steps: true }),
  };
}

function choicesOfTarget(
  { occurrence, event, rules }: Pick<SmallPlan, 'occurrence' | 'event' | 'rules'>,
  target: Target,
  channels: Map<number, BatchChannel>,
): Choices | null {
  const { context, options } = occurrence;
  return (isRoomPost(rules, target) ? choicesOfRoom : choicesOf)(event.recipients, {
    eventId: event.id,
    channelType: channels.get(target.channel)?.type ?? '',
    channel: target.channel,
    rule: ruleOf(rules, target),
    context,
    options,
  });
}

/** A rule that names its users has no lists to be limited. */
function namesOfTarget({ context, options }: BatchOccurrence, rule: Rule) {
  const names = namesOf(rule, context, options);
  return rule.to ? { only_to: null, names } : { only_to: names };
}

/** The parameters $1 and $2 of the statement that expands. */
export function batchValues(
  plans: SmallPlan[],
  channels: Map<number, BatchChannel>,
  dispatchers: Dispatchers,
): string[] {
  const targets = plans.flatMap(({ occurrence, event, rules, targets }) =>
    targets.map((target) => ({
      occurrence: occurrence.id,
      organization: occurrence.organizationId,
      notification: target.notification,
      channel: target.channel,
      address_kind: addressKindOf(channels.get(target.channel), dispatchers),
      lists: ruleOf(rules, target).lists,
      ...namesOfTarget(occurrence, ruleOf(rules, target)),
      room: isRoomPost(rules, target) || undefined,
      ...choicesOfTarget({ occurrence, event, rules }, target, channels),
    })),
  );
  const occurrences = plans.map(({ occurrence, event, rules, decisions }, place) => ({
    place,
    occurrence: occurrence.id,
    decisions,
    ceiling: event.ceiling,
    steps: nextSteps(rules, decisions) ?? undefined,
  }));
  return [JSON.stringify(targets.map((target, place) => ({ place, ...target }))), JSON.stringify(occurrences)];
}

type Dispatchers = ReadonlyMap<string, Dispatcher>;
