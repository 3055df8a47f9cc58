import { ApiProperty } from '@nestjs/swagger';

const SENTENCE =
  'Ann Lee (ann@example.com) was not sent "Tell the management", because the condition "total > `1000`" was false with total = 80.';

/** The notifications of an occurrence that were for a user, and applied to nobody. */
export class WithheldDto {
  /** @example '019f4c7a-51d2-7b3e-9a54-3a5f0c7d1e21' */
  @ApiProperty({ format: 'uuid' })
  occurrence: string;

  /**
   * When the event was triggered.
   * @example '2030-01-01T07:55:00.000Z'
   */
  @ApiProperty({ format: 'date-time' })
  triggered_at: string;

  /** @example 'shop' */
  project: string;

  /** @example 'web' */
  application: string;

  /** @example 'order-paid' */
  event: string;

  /**
   * The names of the notifications.
   * @example ['Tell the management']
   */
  notifications: string[];

  @ApiProperty({ example: SENTENCE })
  sentence: string;
}
