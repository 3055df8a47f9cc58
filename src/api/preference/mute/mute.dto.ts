import { ApiProperty } from '@nestjs/swagger';
import { ChosenBy } from '../../../platform/database/generated/prisma/enums.js';
import { MAX_MUTED } from '../../../rules/ruleset/choices.js';

/** Something that the user has muted: messages about it are not sent, as far as they can be refused. */
export class MutedThreadDto {
  /**
   * Project and slug.
   * @example 'shop/web'
   */
  application: string;

  /**
   * The `thread` of the notifications: a field of the context.
   * @example 'incident.id'
   */
  thread: string;

  /**
   * Its value.
   * @example 'INC-42'
   */
  value: string;

  /** @example '2030-01-01T08:00:00.000Z' */
  @ApiProperty({ format: 'date-time' })
  chosen_at: string;

  /**
   * Who muted it: the `person`, a `key` on their behalf, or the user with the `link` of a message.
   * @example 'link'
   */
  @ApiProperty({ enum: ChosenBy })
  chosen_by: ChosenBy;

  /**
   * When it ends by itself.
   * @example '2030-04-01T08:00:00.000Z'
   */
  @ApiProperty({ format: 'date-time' })
  ends_at: string;
}

/** Something to mute. */
export class MuteThreadDto {
  /**
   * Project and slug.
   * @example 'shop/web'
   */
  application: string;

  /**
   * The `thread` of the notifications: a field of the context.
   * @example 'incident.id'
   */
  thread: string;

  /**
   * Its value. A number is its digits.
   * @example 'INC-42'
   */
  @ApiProperty({ minLength: 1, maxLength: MAX_MUTED })
  value: string;

  /**
   * `false` ends it.
   * @example true
   */
  @ApiProperty({ default: true })
  muted?: boolean;
}
