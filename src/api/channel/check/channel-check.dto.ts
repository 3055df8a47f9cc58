import { ApiProperty } from '@nestjs/swagger';

/** Whether the provider accepts the settings of a channel. */
export class ChannelCheckDto {
  /** @example false */
  ok: boolean;

  /**
   * `channel`: the settings, or the account at the provider, must be corrected. `provider`: it did not answer, or could not say; nothing is known about
   * the settings. Null: they are right.
   * @example 'channel'
   */
  @ApiProperty({ enum: ['channel', 'provider'], nullable: true })
  fault: 'channel' | 'provider' | null;

  /**
   * The response of the provider, without the secrets of the channel.
   * @example '401 {"ErrorCode":10,"Message":"The Server Token you provided was invalid."}'
   */
  answer: string;

  /** @example 34 */
  @ApiProperty({ type: 'integer' })
  duration_ms: number;
}
