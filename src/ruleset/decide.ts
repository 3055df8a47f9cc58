import { matches } from '../condition/when.js';
import { RuleError } from '../condition/when-value.js';
import type { Dispatcher } from '../dispatcher/dispatcher.js';
import type { Rule } from './rule.js';

export interface RuleChannel {
  id: number;
  slug: string;
  type: string;
  enabled: boolean;
  /** As it is stored: secrets are sealed. */
  config: Record<string, unknown>;
}

export function channelsById(channels: Record<string, RuleChannel> | null): Map<number, RuleChannel> {
  return new Map(Object.values(channels ?? {}).map((channel) => [channel.id, channel]));
}

/** The kind of address a person needs to be reached over the channel. */
export function addressKindOf(
  channel: Pick<RuleChannel, 'type' | 'config'> | undefined,
  dispatchers: ReadonlyMap<string, Dispatcher>,
): string | null {
  const dispatcher = dispatchers.get(channel?.type ?? '');
  if (dispatcher?.addressKindFor) return dispatcher.addressKindFor(channel?.config ?? {});
  return dispatcher?.addressKind ?? null;
}

export const RULE_VERDICTS = ['matched', 'filtered', 'disabled', 'failed'] as const;
export const CHANNEL_VERDICTS = ['open', 'disabled', 'not_chosen', 'gone'] as const;

/** Whether a trigger's `options.channels` leave a channel, which they name by its slug or its type. */
export function isChosen({ slug, type }: { slug: string; type: string }, chosen: string[] | undefined): boolean {
  return !chosen || chosen.includes(slug) || chosen.includes(type);
}

/** What became of one rule for one occurrence. */
export interface Decision {
  notification: number;
  name: string;
  verdict: (typeof RULE_VERDICTS)[number];
  /** With `failed`: why. Its people get no message, and can be told this. */
  reason?: string;
  channels: { channel: number; slug: string; verdict: (typeof CHANNEL_VERDICTS)[number] }[];
}

/** People are worked out for each rule that matched (or failed) and each channel that is open. */
export interface Target {
  notification: number;
  channel: number;
  reason?: string;
}

/** Which rules speak, and over which channels. */
export function decide(
  rules: Rule[],
  context: unknown,
  chosen: string[] | undefined,
  channels: Map<number, RuleChannel>,
): Decision[] {
  return rules.map((rule) => ({
    notification: rule.id,
    name: rule.name,
    ...verdictOf(rule, context),
    channels: rule.templates.map(({ channel: id }) => {
      const channel = channels.get(id);
      if (!channel) return { channel: id, slug: '', verdict: 'gone' };
      const verdict = !isChosen(channel, chosen) ? 'not_chosen' : channel.enabled ? 'open' : 'disabled';
      return { channel: id, slug: channel.slug, verdict };
    }),
  }));
}

function verdictOf({ enabled, when }: Rule, context: unknown): Pick<Decision, 'verdict' | 'reason'> {
  if (!enabled) return { verdict: 'disabled' };
  try {
    return { verdict: matches(when, context) ? 'matched' : 'filtered' };
  } catch (error) {
    if (error instanceof RuleError)
      return { verdict: 'failed', reason: `the condition of the rule failed: ${error.message}` };
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
