import { ApiProperty } from '@nestjs/swagger';
import { IsInt, Max, Min } from 'class-validator';
import { Optional } from '../field/optional.decorator.js';

/** The occurrence is stopped. */
export class CanceledDto {
  /** @example '019f4c7a-51d2-7b3e-9a54-3a5f0c7d1e21' */
  @ApiProperty({ format: 'uuid' })
  occurrence: string;

  /** @example 'canceled' */
  status: string;
}

/** The occurrence goes on. */
export class ApprovedDto {
  /** @example '019f4c7a-51d2-7b3e-9a54-3a5f0c7d1e21' */
  @ApiProperty({ format: 'uuid' })
  occurrence: string;

  /** @example 'pending' */
  status: string;
}

/** What to try again; all that is dead when it is left out, and so is the body. */
export class RetryDto {
  /**
   * Only this delivery.
   * @example 17
   */
  @ApiProperty({ type: 'integer', minimum: 1 })
  @Optional()
  @IsInt({ message: 'must be the id of a delivery' })
  @Min(1, { message: 'must be the id of a delivery' })
  @Max(Number.MAX_SAFE_INTEGER, { message: 'must be the id of a delivery' })
  delivery?: number;
}

/** They are tried again, each with a schedule that starts anew. */
export class RetryingDto {
  /**
   * How many deliveries.
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
