import type { Rule } from '../ruleset/rule.js';

/**
 * The open channels that wait for a later step. Closed channels are left out of their steps, and steps without a channel are left out. So the first
 * step is the first one with an open channel to users, and a room before it belongs to it.
 */
export function laterChannels({ steps = [], templates }: Pick<Rule, 'steps' | 'templates'>, open: Set<number>) {
  const reachesUsers = (channel: number) =>
    open.has(channel) && templates.some((template) => template.channel === channel && template.per !== 'room');
  const first = steps.findIndex(({ channels }) => channels.some(reachesUsers));
  const later = first < 0 ? [] : steps.slice(first + 1).flatMap(({ channels }) => channels);
  return new Set(later.filter((channel) => open.has(channel)));
}
