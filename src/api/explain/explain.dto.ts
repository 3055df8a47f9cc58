import { ApiProperty } from '@nestjs/swagger';
import { RULE_VERDICTS } from '../../rules/ruleset/decide.js';
import { EVALUATED, EXPLAINED_GATES } from './explain-finding.js';
import type { Evaluated, ExplainedGate } from './explain-finding.js';
import { OUTCOMES } from './explain-sentence.js';
import type { ExplainedOutcome } from './explain-sentence.js';

// Not as @example comments: their parser drops the quotes inside.
const SENTENCE = 'Ann (ann@example.com) was not sent "Tell the staff" over hook, because the trigger chose only mail.';

const CHANNEL_EXAMPLE = {
  channel: 'hook',
  outcome: 'not_sent',
  gate: 'not_chosen',
  sentence: SENTENCE,
  evidence: { channels: ['mail'] },
  delivery: null,
  step: null,
  evaluated: 'stored',
};
const RULE_EXAMPLE = {
  notification: 'Tell the staff',
  verdict: 'matched',
  sentence: SENTENCE,
  channels: [CHANNEL_EXAMPLE],
};
const VERDICT_SENTENCE = '"Tell the staff" applies over mail; not over hook, because the trigger chose only mail.';

type Verdict = (typeof RULE_VERDICTS)[number];

/** The outcome of a notification for a user over one channel. */
export class ExplainedChannelDto {
  /**
   * The slug of the channel; null when it was deleted.
   * @example 'hook'
   */
  @ApiProperty({ type: String, nullable: true })
  channel: string | null;

  /** @example 'not_sent' */
  @ApiProperty({ enum: OUTCOMES })
  outcome: ExplainedOutcome;

  /**
   * The gate that kept the message back; null when none did.
   * @example 'not_chosen'
   */
  @ApiProperty({ type: String, nullable: true, enum: [...EXPLAINED_GATES, null] })
  gate: ExplainedGate | null;

  @ApiProperty({ example: SENTENCE })
  sentence: string;

  /**
   * The facts behind the outcome. The keys depend on the outcome and the gate.
   * @example { "channels": ["mail"] }
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
   * The step of the notification that the channel belongs to; null: it has no steps, or the channel is a fallback.
   * @example 2
   */
  @ApiProperty({ type: 'integer', nullable: true })
  step: number | null;

  /**
   * `stored`: decided when the recipients were resolved; `now`: the same rules, applied now.
   * @example 'stored'
   */
  @ApiProperty({ enum: EVALUATED })
  evaluated: Evaluated;
}

/** The outcome of a notification for a user. */
export class ExplainedRuleDto {
  /**
   * The name of the notification.
   * @example 'Tell the staff'
   */
  notification: string;

  /**
   * The verdict on the notification for everyone.
   * @example 'matched'
   */
  @ApiProperty({ enum: RULE_VERDICTS })
  verdict: Verdict;

  @ApiProperty({ example: SENTENCE })
  sentence: string;

  @ApiProperty({ example: [CHANNEL_EXAMPLE] })
  channels: ExplainedChannelDto[];
}

/** The schedule of an event, as it was when it triggered the event. */
class ExplainedScheduleDto {
  /** @example '0 9 * * mon' */
  cron: string;

  /** @example 'Europe/Rome' */
  time_zone: string;

  /** @example '2030-01-07T08:00:00.000Z' */
  @ApiProperty({ format: 'date-time' })
  slot: string;
}

const SCHEDULE = {
  ...{ type: ExplainedScheduleDto, nullable: true },
  example: { cron: '0 9 * * mon', time_zone: 'Europe/Rome', slot: '2030-01-07T08:00:00.000Z' },
};

/** Why a user was or was not sent a message. */
export class ExplainedUserDto {
  /**
   * The username.
   * @example 'ann@example.com'
   */
  user: string;

  /**
   * The best outcome of any notification over any channel.
   * @example 'not_sent'
   */
  @ApiProperty({ enum: OUTCOMES })
  outcome: ExplainedOutcome;

  /**
   * The gate, when the same one kept back every message; otherwise null.
   * @example 'not_chosen'
   */
  @ApiProperty({ type: String, nullable: true, enum: [...EXPLAINED_GATES, null] })
  gate: ExplainedGate | null;

  @ApiProperty({ example: SENTENCE })
  sentence: string;

  /** The schedule that triggered it; null: none did, or it was long ago. */
  @ApiProperty(SCHEDULE)
  schedule: ExplainedScheduleDto | null;

  /** The notifications as they were when the event was triggered, even if they were edited since. */
  @ApiProperty({ example: [RULE_EXAMPLE] })
  rules: ExplainedRuleDto[];
}

/** The number of deliveries by outcome. */
class ExplainedOutcomesDto {
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

/** The verdict on a notification for everyone. */
class ExplainedVerdictDto {
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

/** The outcomes for everyone, in numbers. */
export class ExplainedTotalsDto {
  /** @example 'Of 10,000 deliveries: 9,120 sent, 610 locked, 200 waiting, 70 given up.' */
  sentence: string;

  /**
   * The number of deliveries: one for each user, notification and channel.
   * @example 10000
   */
  @ApiProperty({ type: 'integer' })
  total: number;

  /** The schedule that triggered it; null: none did, or it was long ago. */
  @ApiProperty(SCHEDULE)
  schedule: ExplainedScheduleDto | null;

  outcomes: ExplainedOutcomesDto;

  /**
   * The number of deliveries that were not sent, by gate.
   * @example { "locked": 610 }
   */
  @ApiProperty({ type: 'object', additionalProperties: { type: 'integer' } })
  gates: Partial<Record<ExplainedGate, number>>;

  @ApiProperty({ example: [{ notification: 'Tell the staff', verdict: 'matched', sentence: VERDICT_SENTENCE }] })
  rules: ExplainedVerdictDto[];
}
