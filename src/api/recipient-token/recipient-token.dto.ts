import { ApiProperty } from '@nestjs/swagger';
import { Allow, ArrayNotEmpty, IsArray } from 'class-validator';
import { IsOneOf } from '../../platform/field/one-of.js';
import { RECIPIENT_SCOPES } from '../../auth/recipient/token.js';
import type { RecipientScope } from '../../auth/recipient/token.js';
import { DURATION } from '../../platform/field/duration.js';
import { Optional } from '../../platform/field/optional.decorator.js';

/** A recipient token: it reaches the inbox, the preferences or the devices of one user, and may go into a browser or an app. */
export class RecipientTokenDto {
  /**
   * A JSON Web Token. Send it as `Authorization: Bearer <token>`.
   * @example 'eyJhbGciOiJIUzI1NiIs...'
   */
  token: string;

  /** @example '2030-01-01T09:00:00.000Z' */
  @ApiProperty({ format: 'date-time' })
  expires_at: string;

  /** @example ['inbox', 'preferences'] */
  @ApiProperty({ enum: RECIPIENT_SCOPES, isArray: true })
  scopes: RecipientScope[];
}

export class CreateRecipientTokenDto {
  /**
   * What it reaches. Default: `inbox` and `preferences`. A token with `devices` registers devices, which get messages for longer than the token lasts.
   * @example ['inbox']
   */
  @ApiProperty({ enum: RECIPIENT_SCOPES, isArray: true, minItems: 1 })
  @Optional()
  @IsArray()
  @ArrayNotEmpty()
  @IsOneOf(RECIPIENT_SCOPES, { each: true })
  scopes?: RecipientScope[];

  /**
   * How long it is valid: `15m`, `1h`, or a number of seconds, 24 hours at most. It never outlives your own key. Default: `1h`.
   * @example '1h'
   */
  @ApiProperty({
    oneOf: [
      { type: 'string', pattern: DURATION.source },
      { type: 'integer', minimum: 1, maximum: 86_400 },
    ],
  })
  @Allow()
  expires_in?: string | number;
}
