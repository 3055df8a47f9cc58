import { ApiProperty } from '@nestjs/swagger';
import { CHANNEL_VERDICTS, RULE_VERDICTS } from '../../rules/ruleset/decide.js';

const VERDICTS = [...CHANNEL_VERDICTS, 'fallback'] as const;

export const RULE_EXAMPLE = {
  notification: 'Tell the staff',
  verdict: 'matched',
  reason: null,
  channels: [{ channel: 'mail', verdict: 'open', counts: { total: 120, pending: 2, sent: 114, skipped: 3, dead: 1 } }],
};

/** The number of deliveries, in total and by status. */
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
   * Not sent, because a gate stopped them.
   * @example 3
   */
  @ApiProperty({ type: 'integer' })
  skipped: number;

  /**
   * Given up after their last attempt, or because no retry can help.
   * @example 1
   */
  @ApiProperty({ type: 'integer' })
  dead: number;
}

/** The outcome of a notification over one channel. */
export class RuleChannelDto {
  /**
   * The slug of the channel; null: it was deleted.
   * @example 'mail'
   */
  @ApiProperty({ type: String, nullable: true })
  channel: string | null;

  /**
   * `open`: messages are sent over it, or wait while it is switched off; `later`: the same in a later step; `disabled`: it was switched off, and an earlier release did not
   * send over it; `not_chosen`: the trigger chose other channels, or a replay other notifications; `limited`: the trigger was limited to some users, and the channel posts to a room; `gone`: it was deleted; `fallback`: it was used because another channel gave up.
   * @example 'open'
   */
  @ApiProperty({ enum: VERDICTS })
  verdict: (typeof VERDICTS)[number];

  counts: CountsDto;
}

/** The outcome of one notification of the event. */
export class RuleDto {
  /**
   * The name of the notification when the event was triggered.
   * @example 'Tell the staff'
   */
  notification: string;

  /**
   * `matched`: it applies; `filtered`: its condition is false; `disabled`: it was switched off; `failed`: its condition could not be
   * evaluated.
   * @example 'matched'
   */
  @ApiProperty({ enum: RULE_VERDICTS })
  verdict: (typeof RULE_VERDICTS)[number];

  /**
   * With `failed`: the reason.
   * @example 'the condition of the rule failed: total is not a number'
   */
  @ApiProperty({ type: String, nullable: true })
  reason: string | null;

  @ApiProperty({ example: RULE_EXAMPLE.channels })
  channels: RuleChannelDto[];
}
