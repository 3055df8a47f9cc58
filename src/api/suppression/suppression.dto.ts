import { ApiProperty } from '@nestjs/swagger';
import { IsString } from 'class-validator';
import { IsOneOf } from '../../platform/field/one-of.js';
import { Optional } from '../../platform/field/optional.decorator.js';
import { Length } from '../../platform/field/text-length.js';
import { CAUSES } from './suppression.js';
import type { SuppressionCause, SuppressionRow } from './suppression.js';

/** An address that gets no messages. */
export class SuppressionDto {
  /** @example 7 */
  @ApiProperty({ type: 'integer' })
  id: number;

  /**
   * Kind of address.
   * @example 'email'
   */
  name: string;

  /** @example 'gone@example.com' */
  value: string;

  /**
   * Slug of the project whose messages it stops; null: those of the whole organization.
   * @example 'shop'
   */
  @ApiProperty({ type: String, nullable: true })
  project: string | null;

  /**
   * `hard_bounce`: the address does not exist. `stop`: the recipient answered STOP. `complaint`: the recipient reported a message as spam;
   * messages of a `required` category still go to the address. `manual`: somebody added it.
   * @example 'hard_bounce'
   */
  @ApiProperty({ enum: CAUSES })
  cause: SuppressionCause;

  /**
   * Why: a `note`, or the `delivery`, its `occurrence`, the provider's `answer`, the time of the answer (`at`) and the `channels` that it came over.
   * @example { "delivery": 12, "answer": "550 5.1.1 User unknown", "at": "2030-01-01T08:00:00.000Z" }
   */
  @ApiProperty({ type: 'object', additionalProperties: true })
  evidence: Record<string, unknown>;

  /** @example '2030-01-01T08:00:00.000Z' */
  @ApiProperty({ format: 'date-time' })
  created_at: string;

  /**
   * When it ends by itself; null: never.
   * @example '2031-01-01T08:00:00.000Z'
   */
  @ApiProperty({ type: String, nullable: true, format: 'date-time' })
  expires_at: string | null;

  static from({ id, name, value, project, cause, evidence, createdAt, expiresAt }: SuppressionRow): SuppressionDto {
    const [created_at, expires_at] = [createdAt.toISOString(), expiresAt?.toISOString() ?? null];
    return { id, name, value, project, cause, evidence, created_at, expires_at };
  }
}

export class CreateSuppressionDto {
  /**
   * Kind of address: `email`, `phone` or a kind of your own.
   * @example 'email'
   */
  @IsString()
  @Length(1, 50)
  name: string;

  /**
   * The address, in the form that addresses of users have. Upper and lower case count as the same, and so do the forms of one letter or domain
   * (NFC and NFD, punycode).
   * @example 'gone@example.com'
   */
  @IsString()
  @Length(1, 750)
  value: string;

  /**
   * Slug of the project whose messages to the address stop. Default: the project that the key is bound to, or all projects.
   * @example 'shop'
   */
  @Optional()
  @IsString()
  @Length(1, 50)
  project?: string;

  /**
   * Default: `manual`.
   * @example 'complaint'
   */
  @ApiProperty({ enum: CAUSES })
  @Optional()
  @IsOneOf(CAUSES)
  cause?: SuppressionCause;

  /**
   * Why, in your words.
   * @example 'Asked by phone'
   */
  @Optional()
  @IsString()
  @Length(1, 1000)
  note?: string;

  /**
   * When it ends by itself. Default: never.
   * @example '2031-01-01T08:00:00Z'
   */
  @ApiProperty({ format: 'date-time' })
  @Optional()
  @IsString()
  expires_at?: string;
}
