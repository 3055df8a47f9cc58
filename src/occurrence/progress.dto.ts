import { ApiProperty } from '@nestjs/swagger';
import { OccurrenceStatus } from '../generated/prisma/enums.js';

/** How far an occurrence has come. */
export class ProgressDto {
  /** @example 'expanding' */
  @ApiProperty({ enum: OccurrenceStatus })
  status: OccurrenceStatus;

  /**
   * How many deliveries it has made so far.
   * @example 500
   */
  @ApiProperty({ type: 'integer' })
  total: number;

  /**
   * To be sent, now or later.
   * @example 480
   */
  @ApiProperty({ type: 'integer' })
  pending: number;

  /** @example 20 */
  @ApiProperty({ type: 'integer' })
  sent: number;

  /**
   * A gate decided against them.
   * @example 0
   */
  @ApiProperty({ type: 'integer' })
  skipped: number;

  /**
   * Given up.
   * @example 0
   */
  @ApiProperty({ type: 'integer' })
  dead: number;
}

/** Whether nothing more is to come of it. */
export function isDone({ status, pending }: ProgressDto): boolean {
  return status === 'canceled' || status === 'failed' || (status === 'expanded' && pending === 0);
}
