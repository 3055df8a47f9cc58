import { ApiProperty } from '@nestjs/swagger';
import { RULE_VERDICTS } from '../ruleset/decide.js';
import { EXPLAINED_GATES } from './explain-finding.js';
import type { ExplainedGate } from './explain-finding.js';

const OUTCOMES = ['sent', 'waiting', 'dead', 'not_sent'] as const;

// Not in a comment: what reads the comments drops the quotes inside.
const SENTENCE =
  'Ann (ann@acme.test) was sent nothing of "Tell the staff" over hook, because the channel was switched off.';

const CHANNEL_EXAMPLE = {
  channel: 'hook',
  outcome: 'not_sent',
  gate: 'channel_disabled',
  sentence: SENTENCE,
  evidence: { enabled_now: false },
  delivery: null,
  evaluated: 'stored',
};
const RULE_EXAMPLE = {
  notification: 'Tell the staff',
  verdict: 'matched',
  sentence: SENTENCE,
  channels: [CHANNEL_EXAMPLE],
};
const VERDICT_SENTENCE = '"Tell the staff" applies over mail; not over hook, because the channel was switched off.';

type Outcome = (typeof OUTCOMES)[number];
type Verdict = (typeof RULE_VERDICTS)[number];

/** What became of a notification for a person over one channel. */
export class ExplainedChannelDto {
  /**
   * The slug of the channel; null when it was deleted.
   * @example 'hook'
   */
  @ApiProperty({ type: String, nullable: true })
  channel: string | null;

  /** @example 'not_sent' */
  @ApiProperty({ enum: OUTCOMES })
  outcome: Outcome;

  /**
   * What decided against it; null when nothing did.
   * @example 'channel_disabled'
   */
  @ApiProperty({ type: String, nullable: true, enum: [...EXPLAINED_GATES, null] })
  gate: ExplainedGate | null;

  @ApiProperty({ example: SENTENCE })
  sentence: string;

  /**
   * What shows it; which keys there are depends on the outcome and the gate.
   * @example { "enabled_now": false }
   */
  @ApiProperty({ type: 'object', additionalProperties: true })
  evidence: Record<string, unknown>;

  /**
   * The id of the delivery; null when there is none.
   * @example 17
   */
  @ApiProperty({ type: 'integer', nullable: true })
  delivery: number | null;

  /**
   * Whether this was decided when the occurrence was worked out, or is what the same rules say now.
   * @example 'stored'
   */
  @ApiProperty({ enum: ['stored', 'now'] })
  evaluated: 'stored' | 'now';
}

/** What became of a notification for a person. */
export class ExplainedRuleDto {
  /**
   * The name of the notification.
   * @example 'Tell the staff'
   */
  notification: string;

  /**
   * What became of it for everyone.
   * @example 'matched'
   */
  @ApiProperty({ enum: RULE_VERDICTS })
  verdict: Verdict;

  @ApiProperty({ example: SENTENCE })
  sentence: string;

  @ApiProperty({ example: [CHANNEL_EXAMPLE] })
  channels: ExplainedChannelDto[];
}

/** Why a person was sent something, or nothing. */
export class ExplainedPersonDto {
  /**
   * The username.
   * @example 'ann@acme.test'
   */
  user: string;

  /**
   * The best that came of any notification over any channel.
   * @example 'not_sent'
   */
  @ApiProperty({ enum: OUTCOMES })
  outcome: Outcome;

  /**
   * The one thing that decided against all of them; null when there is no such.
   * @example 'channel_disabled'
   */
  @ApiProperty({ type: String, nullable: true, enum: [...EXPLAINED_GATES, null] })
  gate: ExplainedGate | null;

  @ApiProperty({ example: SENTENCE })
  sentence: string;

  /** As they were when the event was triggered, whatever was edited since. */
  @ApiProperty({ example: [RULE_EXAMPLE] })
  rules: ExplainedRuleDto[];
}

/** How many deliveries came to which end. */
export class ExplainedOutcomesDto {
  /** @example 9120 */
  @ApiProperty({ type: 'integer' })
  sent: number;

  /** @example 200 */
  @ApiProperty({ type: 'integer' })
  waiting: number;

  /** @example 70 */
  @ApiProperty({ type: 'integer' })
  dead: number;

  /** @example 610 */
  @ApiProperty({ type: 'integer' })
  not_sent: number;
}

/** What became of a notification for everyone. */
export class ExplainedVerdictDto {
  /**
   * The name of the notification.
   * @example 'Tell the staff'
   */
  notification: string;

  /** @example 'matched' */
  @ApiProperty({ enum: RULE_VERDICTS })
  verdict: Verdict;

  @ApiProperty({ example: VERDICT_SENTENCE })
  sentence: string;
}

/** What became of everyone, in numbers. */
export class ExplainedTotalsDto {
  /** @example 'Of 10,000 deliveries: 9,120 sent, 610 locked, 200 waiting, 70 given up.' */
  sentence: string;

  /**
   * All deliveries: one for each person, notification and channel.
   * @example 10000
   */
  @ApiProperty({ type: 'integer' })
  total: number;

  outcomes: ExplainedOutcomesDto;

  /**
   * Of those not sent: how many for which gate.
   * @example { "locked": 610 }
   */
  @ApiProperty({ type: 'object', additionalProperties: { type: 'integer' } })
  gates: Partial<Record<ExplainedGate, number>>;

  @ApiProperty({ example: [{ notification: 'Tell the staff', verdict: 'matched', sentence: VERDICT_SENTENCE }] })
  rules: ExplainedVerdictDto[];
}
