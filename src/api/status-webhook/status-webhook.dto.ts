import { ApiProperty } from '@nestjs/swagger';
import { ArrayNotEmpty, IsArray, IsBoolean, IsString } from 'class-validator';
import { IsOneOf } from '../../platform/field/one-of.js';
import { Optional } from '../../platform/field/optional.decorator.js';
import { STATUS_OUTCOMES } from '../../engine/report/status-webhook.js';
import type { StatusOutcome } from '../../engine/report/status-webhook.js';

/** The URL that receives the outcomes of an application's deliveries. */
export class StatusWebhookDto {
  /** @example 'https://shop.example.com/deliveries' */
  url: string;

  /**
   * The secret that signs each request; always masked.
   * @example '********'
   */
  secret: string;

  /**
   * The outcomes that are reported. `failed` is an attempt that will be retried. `soft_bounced`, `delivered`, `seen`, `bounced` and `complained` are what
   * the provider reports later. `acknowledged`: a user acknowledged an occurrence.
   * @example ['dead']
   */
  @ApiProperty({ enum: STATUS_OUTCOMES, isArray: true })
  outcomes: StatusOutcome[];

  /** @example true */
  enabled: boolean;
}

export class PutStatusWebhookDto {
  /** @example 'https://shop.example.com/deliveries' */
  @IsString()
  url: string;

  /**
   * The secret that signs each request: whsec_ and base64 of at least 24 bytes. Send the mask to keep the stored secret, unless the origin of
   * `url` changes.
   * @example 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
   */
  @IsString()
  secret: string;

  /**
   * The outcomes to report. Left out: `sent`, `failed` and `dead`, which need no report of the provider.
   * @example ['dead']
   */
  @ApiProperty({ enum: STATUS_OUTCOMES, isArray: true, minItems: 1 })
  @Optional()
  @IsArray()
  @ArrayNotEmpty()
  @IsOneOf(STATUS_OUTCOMES, { each: true })
  outcomes?: StatusOutcome[];

  /** @example true */
  @Optional()
  @IsBoolean()
  enabled?: boolean;
}
