import { ApiProperty } from '@nestjs/swagger';

const STATES = ['ok', 'wrong', 'unknown'] as const;

/** Whether a notification and the provider agree about a template of the provider. */
export class TemplateCheckDto {
  /**
   * The event of the notification: project, application and event.
   * @example 'shop/web/order-paid'
   */
  event: string;

  /** @example 'Tell the customer' */
  notification: string;

  /** @example 'order_paid' */
  template: string;

  /** @example 'en_US' */
  language: string;

  /**
   * `wrong`: the provider would refuse the message. `unknown`: the provider could not say, or was not asked.
   * @example 'wrong'
   */
  @ApiProperty({ enum: STATES })
  state: (typeof STATES)[number];

  /**
   * Null: the state is `ok`.
   * @example 'the provider has order_paid in de, but not in en_US'
   */
  @ApiProperty({ type: String, nullable: true })
  problem: string | null;
}

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

  /**
   * The templates of the provider that notifications send over this channel, at most 100. Empty unless the settings are right and the provider has a call
   * that lists its templates, as that of `whatsapp` has.
   */
  @ApiProperty({ type: [TemplateCheckDto], example: [] })
  templates: TemplateCheckDto[];

  /** @example 34 */
  @ApiProperty({ type: 'integer' })
  duration_ms: number;
}
