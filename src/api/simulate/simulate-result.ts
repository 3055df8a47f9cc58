import type { Gate, Per } from '../../platform/database/generated/prisma/enums.js';
import type { Decision } from '../../rules/ruleset/decide.js';
import { isRoomPost } from '../../rules/ruleset/rule.js';
import type { Rule } from '../../rules/ruleset/rule.js';
import { timeLineOf } from './step/time-line.js';
import type { SimulateWarningDto, SimulatedMessageDto, SimulationDto } from './simulate.dto.js';

type Gates = Partial<Record<Gate, number>>;

/** The users of one rule over one channel. A room has no users, and at most one message. */
interface UserCount {
  people: number;
  /** How many messages each gate keeps back. */
  gates: Gates;
  /** How many messages would be sent. */
  send: number;
}

/** Why nobody of a rule over a channel would be sent a message. */
export type Obstacle = { gate: Extract<Gate, 'expired'> } | { problem: string };

/** The simulation of one rule over one open channel. */
export interface SimulatedTarget {
  notification: number;
  channel: number;
  per: Per;
  count: UserCount;
  messages: SimulatedMessageDto[];
  warnings: SimulateWarningDto[];
  /** Whether it is a later step, which may never be taken. */
  isLater?: boolean;
}

const NOBODY: UserCount = { people: 0, gates: {}, send: 0 };

export function countOf(rows: { gate: Gate | null; people: number }[], obstacle: Obstacle | null): UserCount {
  const count: UserCount = { people: 0, gates: {}, send: 0 };
  for (const row of rows) {
    const gate = row.gate ?? (obstacle && 'gate' in obstacle ? obstacle.gate : null);
    count.people += row.people;
    if (gate) count.gates[gate] = (count.gates[gate] ?? 0) + row.people;
    else if (!obstacle) count.send += row.people;
  }
  return count;
}

/** One post to a room. */
export const postOf = (obstacle: Obstacle | null): UserCount => ({
  ...countOf([{ gate: null, people: 1 }], obstacle),
  people: 0,
});

/** `people`: the users of all targets, each user once. `maxMessages`: how many messages are shown. */
export function simulationOf(
  rules: Rule[],
  decisions: Decision[],
  { people: users, targets }: { people: number; targets: SimulatedTarget[] },
  warnings: SimulateWarningDto[],
  maxMessages: number,
  at: Date,
): Omit<SimulationDto, 'ends'> {
  const countFor = (notification: number, channel: number) =>
    targets.find((target) => target.notification === notification && target.channel === channel)?.count ?? NOBODY;
  const peopleOf = (notification: number, later?: number[]) =>
    Math.max(
      0,
      ...targets
        .filter((target) => target.notification === notification)
        .filter(({ isLater, channel }) => (later ? later.includes(channel) : !isLater))
        .map(({ count }) => count.people),
    );
  return {
    rules: decisions.map(({ notification, name, verdict, reason, channels }) => ({
      notification: name,
      verdict,
      reason: reason ?? null,
      channels: channels.map(({ channel, slug, verdict: channelVerdict }) => ({
        channel: slug || null,
        per: isRoomPost(rules, { notification, channel }) ? 'room' : 'person',
        verdict: channelVerdict,
        ...countFor(notification, channel),
      })),
    })),
    totals: { people: users, ...sumOf(targets.filter(({ isLater }) => !isLater).map(({ count }) => count)) },
    time_line: timeLineOf(rules, decisions, at, peopleOf),
    messages: targets.flatMap((target) => target.messages).slice(0, maxMessages),
    warnings: [...warnings, ...targets.flatMap((target) => target.warnings)],
  };
}

function sumOf(counts: UserCount[]): { messages: number; gates: Record<string, number> } {
  const sum: ReturnType<typeof sumOf> = { messages: 0, gates: {} };
  for (const { send, gates } of counts) {
    sum.messages += send;
    for (const [gate, kept] of Object.entries(gates)) sum.gates[gate] = (sum.gates[gate] ?? 0) + kept;
  }
  return sum;
}
