import { ApiProperty } from '@nestjs/swagger';
import { ArrayMaxSize, ArrayNotEmpty, IsArray, IsInt, IsString, Max, Min } from 'class-validator';
import { Optional } from '../../platform/field/optional.decorator.js';
import { MAX_RECIPIENTS } from '../../rules/ruleset/named.js';

/** The most notifications that a replay names. */
const MAX_NOTIFICATIONS = 100;

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

/** Whom and what to replay. Without a body: everything, for everyone. */
export class ReplayDto {
  /**
   * Only for these users, by e-mail or username. Rooms get no post then, and no thread is resolved again.
   * @example ['ann@example.com']
   */
  @ApiProperty({ type: [String], minItems: 1, maxItems: MAX_RECIPIENTS })
  @Optional()
  @IsString({ each: true, message: 'must be a list of e-mails or usernames' })
  @IsArray({ message: 'must be a list of e-mails or usernames' })
  @ArrayNotEmpty({ message: 'must not be empty: leave it out to mean everyone' })
  @ArrayMaxSize(MAX_RECIPIENTS)
  limit_to?: string[];

  /**
   * Only these notifications, by their names of today.
   * @example ['Tell the staff']
   */
  @ApiProperty({ type: [String], minItems: 1, maxItems: MAX_NOTIFICATIONS })
  @Optional()
  @IsString({ each: true, message: 'must be a list of names of notifications' })
  @IsArray({ message: 'must be a list of names of notifications' })
  @ArrayNotEmpty({ message: 'must not be empty: leave it out to mean all' })
  @ArrayMaxSize(MAX_NOTIFICATIONS)
  notifications?: string[];
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
