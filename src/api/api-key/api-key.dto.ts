import { ApiProperty, OmitType } from '@nestjs/swagger';
import { ArrayNotEmpty, IsArray, IsInt, IsString, Max, Min } from 'class-validator';
import { IsOneOf } from '../../platform/field/one-of.js';
import { MAX_RATE_LIMIT } from '../../auth/api-key-rows.js';
import { PERMISSIONS } from '../../auth/permission.js';
import type { Permission } from '../../auth/permission.js';
import { Optional } from '../../platform/field/optional.decorator.js';
import { Length } from '../../platform/field/text-length.js';

const RATE_LIMIT_RULE = `must be a whole number of requests a second, 1 to ${MAX_RATE_LIMIT}`;

export interface ApiKeyRow {
  id: number;
  name: string;
  permissions: string[];
  project: string | null;
  application: string | null;
  createdAt: Date;
  expiresAt: Date | null;
  revokedAt: Date | null;
  lastUsedAt: Date | null;
  rateLimit: number | null;
}

/** An API key: its permissions and its reach. The text of the key is not stored. */
export class ApiKeyDto {
  /** @example 12 */
  @ApiProperty({ type: 'integer' })
  id: number;

  /** @example 'ci' */
  name: string;

  /** @example ['event:trigger'] */
  @ApiProperty({ enum: PERMISSIONS, isArray: true })
  permissions: Permission[];

  /**
   * Slug of the project that it is bound to; null: none.
   * @example 'shop'
   */
  @ApiProperty({ type: String, nullable: true })
  project: string | null;

  /**
   * Slug of the application that it is bound to; null: none.
   * @example 'web'
   */
  @ApiProperty({ type: String, nullable: true })
  application: string | null;

  /** @example '2030-01-01T08:00:00.000Z' */
  @ApiProperty({ format: 'date-time' })
  created_at: string;

  /**
   * When it expires; null: never.
   * @example '2031-01-01T08:00:00.000Z'
   */
  @ApiProperty({ type: String, nullable: true, format: 'date-time' })
  expires_at: string | null;

  /**
   * When it was revoked; null: never.
   * @example '2030-06-01T08:00:00.000Z'
   */
  @ApiProperty({ type: String, nullable: true, format: 'date-time' })
  revoked_at: string | null;

  /**
   * When it was last used, to the minute; null: never.
   * @example '2030-05-31T17:20:00.000Z'
   */
  @ApiProperty({ type: String, nullable: true, format: 'date-time' })
  last_used_at: string | null;

  /**
   * Requests a second that each process accepts, together with the keys that it was created with or has created; null: no limit.
   * @example 100
   */
  @ApiProperty({ type: 'integer', nullable: true })
  rate_limit: number | null;

  static from(row: ApiKeyRow): ApiKeyDto {
    const time = (date: Date | null) => date?.toISOString() ?? null;
    return {
      id: row.id,
      name: row.name,
      permissions: row.permissions as Permission[],
      project: row.project,
      application: row.application,
      created_at: row.createdAt.toISOString(),
      expires_at: time(row.expiresAt),
      revoked_at: time(row.revokedAt),
      last_used_at: time(row.lastUsedAt),
      rate_limit: row.rateLimit,
    };
  }
}

/** The new key with its text. */
export class CreatedApiKeyDto extends OmitType(ApiKeyDto, ['revoked_at', 'last_used_at']) {
  /**
   * The text of the key. It is shown only once.
   * @example 'crl_...'
   */
  key: string;

  static of(
    { id, name, permissions, project, application, created_at, expires_at, rate_limit }: ApiKeyDto,
    key: string,
  ): CreatedApiKeyDto {
    return { id, name, permissions, project, application, created_at, expires_at, rate_limit, key };
  }
}

export class CreateApiKeyDto {
  /**
   * The purpose of the key. The ping operation returns it.
   * @example 'ci'
   */
  @IsString()
  @Length(1, 255)
  name: string;

  /**
   * The permissions of the key: some or all of those of your own key.
   * @example ['event:trigger']
   */
  @ApiProperty({ enum: PERMISSIONS, isArray: true, minItems: 1 })
  @IsArray()
  @ArrayNotEmpty()
  @IsOneOf(PERMISSIONS, { each: true })
  permissions: Permission[];

  /**
   * Slug of the project to bind the key to. Default: the reach of your own key.
   * @example 'shop'
   */
  @Optional()
  @IsString()
  @Length(1, 100)
  project?: string;

  /**
   * Slug of the application to bind the key to. Give its `project` too.
   * @example 'web'
   */
  @Optional()
  @IsString()
  @Length(1, 100)
  application?: string;

  /**
   * When it expires; not later than your own key. Default: when your own key expires.
   * @example '2031-01-01T08:00:00Z'
   */
  @ApiProperty({ format: 'date-time' })
  @Optional()
  @IsString()
  expires_at?: string;

  /**
   * Requests a second that each process accepts. If your own key has a limit, the new key shares it: leave this out.
   * @example 100
   */
  @ApiProperty({ type: 'integer', minimum: 1, maximum: MAX_RATE_LIMIT })
  @Optional()
  @IsInt({ message: RATE_LIMIT_RULE })
  @Min(1, { message: RATE_LIMIT_RULE })
  @Max(MAX_RATE_LIMIT, { message: RATE_LIMIT_RULE })
  rate_limit?: number;
}
