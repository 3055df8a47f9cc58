import { ApiProperty } from '@nestjs/swagger';
import { IsString } from 'class-validator';
import { IsEmailAddress } from '../../../platform/field/email.js';
import { Optional } from '../../../platform/field/optional.decorator.js';
import { MaxLength } from '../../../platform/field/text-length.js';

export const NOTE_MAX_LENGTH = 1000;

/** How an occurrence is acknowledged. */
const WAYS = ['api', 'link', 'inbox', 'sms'] as const;
type Way = (typeof WAYS)[number];

/** What the user of a message says about its occurrence. */
export class AcknowledgeMessageDto {
  /** @example 'I am on it.' */
  @Optional()
  @IsString()
  @MaxLength(NOTE_MAX_LENGTH)
  note?: string;
}

/** Who takes care of an occurrence. */
export class AcknowledgeOccurrenceDto extends AcknowledgeMessageDto {
  /**
   * The e-mail of a user of the organization. It need not be one who got a message.
   * @example 'ann@example.com'
   */
  @IsEmailAddress()
  user: string;
}

/** A user who takes care of an occurrence. */
export class AcknowledgementDto {
  /** @example 'ann@example.com' */
  user: string;

  /** @example '2030-01-01T08:03:10.000Z' */
  @ApiProperty({ format: 'date-time' })
  at: string;

  /**
   * How it was acknowledged: over the API, with the link of a message, as a message of the inbox, or with an answer by SMS.
   * @example 'link'
   */
  @ApiProperty({ enum: WAYS })
  way: Way;

  /**
   * The step whose message was answered. `null`: none.
   * @example 1
   */
  @ApiProperty({ type: Number, nullable: true })
  step: number | null;

  /**
   * Empty: none.
   * @example 'I am on it.'
   */
  note: string;

  static from({ user, at, way, step, note }: AcknowledgementRow): AcknowledgementDto {
    return { user, at: new Date(at).toISOString(), way, step, note };
  }
}

/** In JSON a time is a text. */
export interface AcknowledgementRow extends Omit<AcknowledgementDto, 'at'> {
  at: Date | string;
}
