import { ApiProperty } from '@nestjs/swagger';
import { IsInt, Max, Min } from 'class-validator';
import { Optional } from '../../platform/field/optional.decorator.js';

/** The occurrence is canceled. */
export class CanceledDto {
  /** @example '019f4c7a-51d2-7b3e-9a54-3a5f0c7d1e21' */
  @ApiProperty({ format: 'uuid' })
  occurrence: string;

  /** @example 'canceled' */
  status: string;
}

/** The occurrence is approved and resumes. */
export class ApprovedDto {
  /** @example '019f4c7a-51d2-7b3e-9a54-3a5f0c7d1e21' */
  @ApiProperty({ format: 'uuid' })
  occurrence: string;

  /** @example 'pending' */
  status: string;
}

/** The delivery to retry. Without it, or without a body, all dead deliveries are retried. */
export class RetryDto {
  /**
   * The id of the only delivery to retry.
   * @example 17
   */
  @ApiProperty({ type: 'integer', minimum: 1 })
  @Optional()
  @IsInt({ message: 'must be the id of a delivery' })
  @Min(1, { message: 'must be the id of a delivery' })
  @Max(Number.MAX_SAFE_INTEGER, { message: 'must be the id of a delivery' })
  delivery?: number;
}

/** The deliveries are retried. The retry schedule of each starts again. */
export class RetryingDto {
  /**
   * The number of deliveries.
   * @example 12
   */
  @ApiProperty({ type: 'integer' })
  retrying: number;
}

/** A new occurrence of the same event, with the same context. */
export class ReplayedDto {
  /**
   * The identifier of the new occurrence.
   * @example '019f4c7a-51d2-7b3e-9a54-3a5f0c7d1e21'
   */
  @ApiProperty({ format: 'uuid' })
  occurrence: string;
}
