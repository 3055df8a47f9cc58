import { ApiProperty } from '@nestjs/swagger';
import { CHANNEL_VERDICTS, RULE_VERDICTS } from '../ruleset/decide.js';

const VERDICTS = [...CHANNEL_VERDICTS, 'fallback'] as const;

export const RULE_EXAMPLE = {
  notification: 'Tell the staff',
  verdict: 'matched',
  reason: null,
  channels: [{ channel: 'mail', verdict: 'open', counts: { total: 120, pending: 2, sent: 114, skipped: 3, dead: 1 } }],
};

/** How many deliveries there are. */
export class CountsDto {
  /** @example 120 */
  @ApiProperty({ type: 'integer' })
  total: number;

  /**
   * To be sent, now or later.
   * @example 2
   */
  @ApiProperty({ type: 'integer' })
  pending: number;

  /** @example 114 */
  @ApiProperty({ type: 'integer' })
  sent: number;

  /**
   * A gate decided against them.
   * @example 3
   */
  @ApiProperty({ type: 'integer' })
  skipped: number;

  /**
   * Given up.
   * @example 1
   */
  @ApiProperty({ type: 'integer' })
  dead: number;
}

/** What became of a rule over one channel. */
export class RuleChannelDto {
  /**
   * The slug of the channel; null when it had been deleted.
   * @example 'mail'
   */
  @ApiProperty({ type: String, nullable: true })
  channel: string | null;

  /**
   * `open`: people are reached over it; `disabled`: it was switched off; `not_chosen`: the trigger chose others; `gone`: it had
   * been deleted; `fallback`: it stepped in for a channel that had given up.
   * @example 'open'
   */
  @ApiProperty({ enum: VERDICTS })
  verdict: (typeof VERDICTS)[number];

  counts: CountsDto;
}

/** What became of one notification of the event. */
export class RuleDto {
  /**
   * The name of the notification when the event was triggered.
   * @example 'Tell the staff'
   */
  notification: string;

  /**
   * `matched`: it speaks; `filtered`: its condition does not hold; `disabled`: it was switched off; `failed`: its condition
   * could not be evaluated.
   * @example 'matched'
   */
  @ApiProperty({ enum: RULE_VERDICTS })
  verdict: (typeof RULE_VERDICTS)[number];

  /**
   * With `failed`: why.
   * @example 'the condition of the rule failed: total is no number'
   */
  @ApiProperty({ type: String, nullable: true })
  reason: string | null;

  @ApiProperty({ example: RULE_EXAMPLE.channels })
  channels: RuleChannelDto[];
}
