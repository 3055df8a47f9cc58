import type { Rule } from '../ruleset/rule.js';

interface OpenChannels {
  /** They wait for a later step. */
  later: Set<number>;
  /** No step before theirs is left. */
  leftOut: Set<number>;
}

/**
 * What becomes of the open channels. Closed channels are left out of their steps, and steps without a channel are left out. So the first step is the
 * first one with an open channel to users, and a room before it belongs to it. Steps for other users are never the first.
 */
export function openChannels(
  { steps = [], templates }: Pick<Rule, 'steps' | 'templates'>,
  open: Set<number>,
): OpenChannels {
  const reachesUsers = (channel: number) =>
    open.has(channel) && templates.some((template) => template.channel === channel && template.per !== 'room');
  const others = steps.findIndex(({ to }) => to !== undefined);
  const own = others < 0 ? steps : steps.slice(0, others);
  const first = own.findIndex(({ channels }) => channels.some(reachesUsers));
  const openAfter = (place: number) =>
    new Set(steps.slice(place).flatMap(({ channels }) => channels.filter((channel) => open.has(channel))));
  if (first >= 0) return { later: openAfter(first + 1), leftOut: new Set() };
  return { later: new Set(), leftOut: others < 0 ? new Set() : openAfter(others) };
}
