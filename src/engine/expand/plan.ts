import type { Dispatcher } from '../../dispatcher/dispatcher.js';
import { emailKey } from '../../platform/field/email.js';
import { choicesOf, isGathered } from '../../rules/ruleset/choices.js';
import type { Choices } from '../../rules/ruleset/choices.js';
import { addressKindOf, decide, targetsOf } from '../../rules/ruleset/decide.js';
import type { Decision, Target } from '../../rules/ruleset/decide.js';
import { isRoomPost, ruleOf } from '../../rules/ruleset/rule.js';
import type { Rule } from '../../rules/ruleset/rule.js';
import type { Off } from '../../rules/ruleset/switch.sql.js';
import type { BatchChannel, BatchEvent, BatchOccurrence } from './expand-small-rows.js';
import { MAX_PEOPLE } from './expand-small.sql.js';
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
  if (event.off || (options.limit_to?.length ?? 0) > MAX_PEOPLE) return alone;
  const decisions = decide(rules, context, options, channels);
  const targets = targetsOf(decisions);
  const toPeople = targets.filter((target) => !isRoomPost(rules, target));
  const audiences = new Set(toPeople.map((target) => JSON.stringify(ruleOf(rules, target).audience ?? '')));
  if (audiences.size > 1 || targets.length > MAX_TARGETS || targets.some(({ reason }) => reason !== undefined))
    return alone;
  const [audience = '""'] = audiences;
  return { occurrence, event, rules, decisions, targets, audience: audience === '""' ? '' : audience };
}

/** The parts that the statement that expands these occurrences needs. */
export function variantOf(plans: SmallPlan[], channels: Map<number, BatchChannel>): BatchVariant {
  const targets = plans.flatMap((plan) => plan.targets.map((target) => ({ plan, target })));
  const choices = targets.map(({ plan, target }) => choicesOfTarget(plan, target, channels));
  return {
    rooms: targets.some(({ plan, target }) => isRoomPost(plan.rules, target)),
    choose: choices.some((each) => each !== null),
    gather: choices.some(isGathered),
  };
}

function choicesOfTarget(
  { occurrence, event, rules }: Pick<SmallPlan, 'occurrence' | 'event' | 'rules'>,
  target: Target,
  channels: Map<number, BatchChannel>,
): Choices | null {
  if (isRoomPost(rules, target)) return null;
  const { context, options } = occurrence;
  return choicesOf(event.recipients, {
    eventId: event.id,
    channelType: channels.get(target.channel)?.type ?? '',
    rule: ruleOf(rules, target),
    context,
    options,
  });
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
      only_to: occurrence.options.limit_to?.map(emailKey) ?? null,
      room: isRoomPost(rules, target) || undefined,
      ...choicesOfTarget({ occurrence, event, rules }, target, channels),
    })),
  );
  const occurrences = plans.map(({ occurrence, event, decisions }, place) => ({
    place,
    occurrence: occurrence.id,
    decisions,
    ceiling: event.ceiling,
  }));
  return [JSON.stringify(targets.map((target, place) => ({ place, ...target }))), JSON.stringify(occurrences)];
}

type Dispatchers = ReadonlyMap<string, Dispatcher>;
