import type { DeliveryStatus, Gate } from '../../platform/database/generated/prisma/enums.js';
import type { Decision } from '../../rules/ruleset/decide.js';
import type { CountsDto, RuleChannelDto, RuleDto } from './rule.dto.js';

/** The number of deliveries of an occurrence with the same rule, channel, status and gate. PostgreSQL counts them. */
export interface DeliveryGroup {
  notification: number;
  channel: number;
  /** Null when the channel was deleted. */
  slug: string | null;
  status: DeliveryStatus;
  gate: Gate | null;
  count: number;
  /** How often at most the step of one of them was repeated. */
  repetition: number;
}

export function countsOf(groups: DeliveryGroup[]): CountsDto {
  const counts = { total: 0, pending: 0, sent: 0, skipped: 0, dead: 0 };
  for (const { status, count } of groups) {
    counts.total += count;
    counts[status] += count;
  }
  return counts;
}

export function gatesOf(groups: DeliveryGroup[]): Partial<Record<Gate, number>> {
  const gates: Partial<Record<Gate, number>> = {};
  for (const { status, gate, count } of groups) {
    if (status === 'skipped' && gate) gates[gate] = (gates[gate] ?? 0) + count;
  }
  return gates;
}

/** The verdict on each rule and its channels, with the counts of each channel. */
export function rulesOf(decisions: Decision[], groups: DeliveryGroup[]): RuleDto[] {
  return decisions.map(({ notification, name, verdict, reason, channels }) => {
    const own = groups.filter((group) => group.notification === notification);
    const decided = channels.map((decision) => ({
      channel: decision.slug || null,
      verdict: decision.verdict,
      counts: countsOf(own.filter(({ channel }) => channel === decision.channel)),
    }));
    const known = new Set(channels.map(({ channel }) => channel));
    const others = own.filter(({ channel }) => !known.has(channel));
    return { notification: name, verdict, reason: reason ?? null, channels: [...decided, ...fallbacksOf(others)] };
  });
}

/** The channels that the rule does not name: fallbacks of channels that gave up. */
function fallbacksOf(groups: DeliveryGroup[]): RuleChannelDto[] {
  const byChannel = new Map<number, DeliveryGroup[]>();
  for (const group of groups) byChannel.set(group.channel, [...(byChannel.get(group.channel) ?? []), group]);
  return [...byChannel.values()].map((own) => ({
    channel: own[0]!.slug,
    verdict: 'fallback',
    counts: countsOf(own),
  }));
}
