import { ApiProperty } from '@nestjs/swagger';
import { ArrayNotEmpty, IsArray, IsBoolean, IsIn, IsString } from 'class-validator';
import { Optional } from '../field/optional.decorator.js';
import { STATUS_OUTCOMES } from './status-webhook.js';
import type { StatusOutcome } from './status-webhook.js';

/** Where an application hears what became of its deliveries. */
export class StatusWebhookDto {
  /** @example 'https://shop.acme.test/deliveries' */
  url: string;

  /**
   * What each request is signed with; always masked.
   * @example '********'
   */
  secret: string;

  /**
   * What it is told of: `failed` is an attempt that is made again.
   * @example ['dead']
   */
  @ApiProperty({ enum: STATUS_OUTCOMES, isArray: true })
  outcomes: StatusOutcome[];

  /** @example true */
  enabled: boolean;
}

export class PutStatusWebhookDto {
  /** @example 'https://shop.acme.test/deliveries' */
  @IsString()
  url: string;

  /**
   * What each request is signed with; the mask keeps what it was.
   * @example 'a-long-random-text'
   */
  @IsString()
  secret: string;

  /**
   * Left out: all of them.
   * @example ['dead']
   */
  @ApiProperty({ enum: STATUS_OUTCOMES, isArray: true, minItems: 1 })
  @Optional()
  @IsArray()
  @ArrayNotEmpty()
  @IsIn(STATUS_OUTCOMES, { each: true, message: `must be of ${STATUS_OUTCOMES.join(', ')}` })
  outcomes?: StatusOutcome[];

  /** @example true */
  @Optional()
  @IsBoolean()
  enabled?: boolean;
}
