import type { DeliveryStatus, Gate } from '../../platform/database/generated/prisma/enums.js';
import { firstSendTime } from '../../platform/send-at.js';
import type { RuleChannel, Decision } from '../../rules/ruleset/decide.js';
import { isRoomPost, ruleOf } from '../../rules/ruleset/rule.js';
import type { ExplainedTotalsDto } from './explain.dto.js';
import type { OccurrenceFacts } from './explain-facts.js';
import { HELD, NOT_RESOLVED, RESOLVING, notResolvable, scheduled } from './explain-user.js';
import { ofChannel, ofRule } from './explain-rule.js';
import { clipped, counted, ended, listed, moment, withSchedule } from './explain-sentence.js';
import type { ExplainedOutcome } from './explain-sentence.js';
import { thenOf } from './step/of-step.js';

export interface DeliveryCount {
  status: DeliveryStatus;
  gate: Gate | null;
  deliveries: number;
}

const OUTCOMES: Record<DeliveryStatus, ExplainedOutcome> = {
  sent: 'sent',
  pending: 'waiting',
  dead: 'dead',
  skipped: 'not_sent',
};

const WORDS: Record<Exclude<ExplainedOutcome, 'not_sent'> | Gate, string> = {
  sent: 'sent',
  waiting: 'waiting',
  dead: 'given up',
  inactive: 'not active',
  locked: 'locked',
  no_address: 'without an address',
  channel_disabled: 'over a deleted channel',
  expired: 'expired',
  canceled: 'canceled',
  opted_out: 'not wanted',
  muted: 'about a muted thread',
  suppressed: 'with a suppressed address',
  capped: 'above a limit',
  digested: 'in a digest',
};

/** The outcomes for everyone, in numbers. `nobody`: of each rule, the sentences about steps that reach nobody. */
export function totalsOf(
  occurrence: OccurrenceFacts,
  decisions: Decision[],
  channels: Map<number, RuleChannel>,
  counts: DeliveryCount[],
  nobody: ReadonlyMap<number, string[]>,
  now: Date,
): ExplainedTotalsDto {
  const outcomes: ExplainedTotalsDto['outcomes'] = { sent: 0, waiting: 0, dead: 0, not_sent: 0 };
  const gates: ExplainedTotalsDto['gates'] = {};
  for (const { status, gate, deliveries } of counts) {
    outcomes[OUTCOMES[status]] += deliveries;
    if (gate) gates[gate] = (gates[gate] ?? 0) + deliveries;
  }
  const total = counts.reduce((sum, { deliveries }) => sum + deliveries, 0);
  const progress = progressOf(occurrence, outcomes.waiting, now) || channelsOff(decisions, channels, outcomes.waiting);
  return {
    sentence: withSchedule(
      [numbersOf(total, outcomes, gates, occurrence), progress].filter(Boolean).join('; '),
      occurrence,
    ),
    total,
    schedule: occurrence.schedule,
    outcomes,
    gates,
    rules: decisions.map((decision) => {
      const { name: notification, verdict } = decision;
      return {
        notification,
        verdict,
        sentence: ruleSentence(decision, occurrence, channels, nobody.get(decision.notification)),
      };
    }),
  };
}

function numbersOf(
  total: number,
  { sent, waiting, dead }: ExplainedTotalsDto['outcomes'],
  gates: ExplainedTotalsDto['gates'],
  { expandedAt, rules }: OccurrenceFacts,
): string {
  if (rules.length === 0) return 'The event had no notifications when it was triggered';
  if (total === 0) return expandedAt ? 'No notification reached anybody' : 'There are no deliveries';
  const most = Object.entries({ sent, waiting, dead, ...gates })
    .filter(([, count]) => count > 0)
    .sort(([, a], [, b]) => b - a)
    .map(([name, count]) => `${counted(count)} ${WORDS[name as keyof typeof WORDS]}`);
  return `Of ${counted(total)} ${total === 1 ? 'delivery' : 'deliveries'}: ${most.join(', ')}`;
}

/** Why the numbers may still change, or why there are none. */
function progressOf(occurrence: OccurrenceFacts, waiting: number, now: Date): string {
  const { status, options, canceledAt, problem, off } = occurrence;
  const { send_at: sendAt } = options;
  if (status === 'canceled') return `the occurrence was canceled${canceledAt ? ` at ${moment(canceledAt)}` : ''}`;
  if (status === 'failed') return notResolvable(problem);
  if (status === 'held') return HELD;
  if (off && (status !== 'expanded' || waiting > 0))
    return `the ${off[0]} is switched off; sending resumes when it is switched on`;
  if (status === 'expanding') return RESOLVING;
  if (status === 'expanded') return '';
  if (sendAt !== undefined && firstSendTime(sendAt) > now.getTime()) return scheduled(sendAt);
  return NOT_RESOLVED;
}

/** The channels that are switched off, if deliveries wait. */
function channelsOff(decisions: Decision[], channels: Map<number, RuleChannel>, waiting: number): string {
  if (waiting === 0) return '';
  const used = decisions.filter(({ verdict }) => verdict === 'matched').flatMap((decision) => decision.channels);
  const off = used.filter(({ channel, verdict }) => verdict === 'open' && channels.get(channel)?.enabled === false);
  const slugs = [...new Set(off.map(({ slug }) => slug))];
  if (slugs.length === 0) return '';
  return slugs.length === 1
    ? `the channel ${slugs[0]!} is switched off; sending resumes when it is switched on`
    : `the channels ${listed(slugs)} are switched off; sending resumes when they are switched on`;
}

function ruleSentence(
  decision: Decision,
  occurrence: OccurrenceFacts,
  channels: Map<number, RuleChannel>,
  nobody: string[] = [],
): string {
  const name = `"${decision.name}"`;
  const gate = ofRule(decision, ruleOf(occurrence.rules, decision), occurrence);
  if (gate) return ended(`${name} does not apply: ${gate.why}`);
  if (decision.verdict === 'failed')
    return ended(`${name} does not apply: ${clipped(decision.reason ?? 'the condition failed')}`);
  const open = decision.channels
    .filter(({ verdict }) => verdict === 'open')
    .map(({ channel, slug }) =>
      isRoomPost(occurrence.rules, { ...decision, channel }) ? `${slug} (one post to the room)` : slug,
    );
  const closed = decision.channels.flatMap((decided) => {
    const found = ofChannel(decided, channels.get(decided.channel), occurrence);
    return found ? [`not over ${decided.slug || 'a deleted channel'}, because ${found.why}`] : [];
  });
  const applies = open.length > 0 ? `applies over ${listed(open)}` : 'applies';
  const then = thenOf(occurrence.rules, decision);
  return ended([[`${name} ${applies}`, ...then].join(', '), ...closed, ...nobody].join('; '));
}
