import { matches } from '../../platform/field/expression/when.js';
import { RuleError } from '../../platform/field/expression/when-value.js';
import type { Dispatcher } from '../../dispatcher/dispatcher.js';
import { usernamesIn } from './named.js';
import type { Rule } from './rule.js';
import { openChannels } from '../step/later-channels.js';

export interface RuleChannel {
  id: number;
  slug: string;
  type: string;
  enabled: boolean;
  /** As stored: secrets are encrypted. */
  config: Record<string, unknown>;
}

export function channelsById(channels: Record<string, RuleChannel> | null): Map<number, RuleChannel> {
  return new Map(Object.values(channels ?? {}).map((channel) => [channel.id, channel]));
}

/** The kind of address that a user needs for the channel; null: none. */
export function addressKindOf(
  channel: Pick<RuleChannel, 'type' | 'config'> | undefined,
  dispatchers: ReadonlyMap<string, Dispatcher>,
): string | null {
  const dispatcher = dispatchers.get(channel?.type ?? '');
  if (dispatcher?.addressKindFor) return dispatcher.addressKindFor(channel?.config ?? {});
  return dispatcher?.addressKind ?? null;
}

/** Whether the channel is one room or one URL, so that one post reaches everyone. */
export function isRoom(
  channel: Pick<RuleChannel, 'type' | 'config'> | undefined,
  dispatchers: ReadonlyMap<string, Dispatcher>,
): boolean {
  return dispatchers.get(channel?.type ?? '')?.isRoom === true && addressKindOf(channel, dispatchers) === null;
}

export const RULE_VERDICTS = ['matched', 'filtered', 'disabled', 'failed'] as const;
/**
 * `later`: open, for a later step of the rule. `disabled` is in stored decisions only: earlier releases sent nothing over a channel that was switched
 * off.
 */
export const CHANNEL_VERDICTS = ['open', 'later', 'disabled', 'not_chosen', 'limited', 'gone'] as const;

/** Whether a trigger's `options.channels` name the channel, by its slug or its type. Without that option every channel is chosen. */
export function isChosen({ slug, type }: { slug: string; type: string }, chosen: string[] | undefined): boolean {
  return !chosen || chosen.includes(slug) || chosen.includes(type);
}

/** Whether a replay chose the notification. Any other trigger chooses all of them. */
export const isChosenRule = ({ name }: { name: string }, chosen: string[] | undefined) =>
  !chosen || chosen.includes(name);

/** What of a trigger's options decides. */
interface DecidingOptions {
  channels?: string[];
  limit_to?: string[];
  rooms?: true;
  notifications?: string[];
}

/** The verdict on one rule for one occurrence. */
export interface Decision {
  notification: number;
  name: string;
  verdict: (typeof RULE_VERDICTS)[number];
  /** With `failed`: why. Its users get no message; explain shows them this reason. */
  reason?: string;
  channels: { channel: number; slug: string; verdict: (typeof CHANNEL_VERDICTS)[number] }[];
}

/** A rule that matched (or failed) and an open channel. Recipients are resolved for each target. */
export interface Target {
  notification: number;
  channel: number;
  reason?: string;
}

/**
 * Decides which rules apply, and over which channels. A trigger that is limited to some users posts to no room unless it says so: others read it too. A
 * channel that is switched off is open: its messages wait until it is on again.
 */
export function decide(
  rules: Rule[],
  context: unknown,
  { channels: chosen, limit_to: limitTo, rooms, notifications }: DecidingOptions,
  channels: Map<number, RuleChannel>,
): Decision[] {
  const isClosed = (per: 'room' | undefined) => per === 'room' && limitTo !== undefined && !rooms;
  return rules.map((rule) => ({
    notification: rule.id,
    name: rule.name,
    ...verdictOf(rule, context),
    channels: inSteps(
      rule,
      rule.templates.map(({ channel: id, per }) => {
        const channel = channels.get(id);
        if (!channel) return { channel: id, slug: '', verdict: 'gone' };
        const isWanted = isChosen(channel, chosen) && isChosenRule(rule, notifications);
        if (!isWanted) return { channel: id, slug: channel.slug, verdict: 'not_chosen' };
        return { channel: id, slug: channel.slug, verdict: isClosed(per) ? 'limited' : 'open' };
      }),
    ),
  }));
}

function inSteps(rule: Rule, channels: Decision['channels']): Decision['channels'] {
  if (!rule.steps) return channels;
  const open = channels.filter(({ verdict }) => verdict === 'open').map(({ channel }) => channel);
  const { later, leftOut } = openChannels(rule, new Set(open));
  return channels.map((each) => {
    if (leftOut.has(each.channel)) return { ...each, verdict: 'not_chosen' };
    return later.has(each.channel) ? { ...each, verdict: 'later' } : each;
  });
}

function verdictOf({ enabled, when, to }: Rule, context: unknown): Pick<Decision, 'verdict' | 'reason'> {
  if (!enabled) return { verdict: 'disabled' };
  const condition = attempt(() => matches(when, context));
  if ('failure' in condition)
    return { verdict: 'failed', reason: `the condition of the rule failed: ${condition.failure}` };
  if (!condition.value) return { verdict: 'filtered' };
  const named = attempt(() => (typeof to === 'object' ? usernamesIn(to.context, context) : []));
  if ('failure' in named) return { verdict: 'failed', reason: `the recipients could not be read: ${named.failure}` };
  return { verdict: 'matched' };
}

function attempt<Value>(evaluate: () => Value): { value: Value } | { failure: string } {
  try {
    return { value: evaluate() };
  } catch (error) {
    if (error instanceof RuleError) return { failure: error.message };
    throw error;
  }
}

export function targetsOf(decisions: Decision[]): Target[] {
  return decisions
    .filter(({ verdict }) => verdict === 'matched' || verdict === 'failed')
    .flatMap(({ notification, reason, channels }) =>
      channels.filter(({ verdict }) => verdict === 'open').map(({ channel }) => ({ notification, channel, reason })),
    );
}
