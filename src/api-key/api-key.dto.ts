import { ApiProperty, OmitType } from '@nestjs/swagger';
import { ArrayNotEmpty, IsArray, IsIn, IsInt, IsString, Length, Max, Min } from 'class-validator';
import { MOST_REQUESTS } from '../auth/api-key-store.js';
import { PERMISSIONS } from '../auth/permission.js';
import type { Permission } from '../auth/permission.js';
import { Optional } from '../field/optional.decorator.js';

const NO_LIMIT = `must be a whole number of requests a second, 1 to ${MOST_REQUESTS}`;

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

/** An API key: what it may do, and where. Its text is stored nowhere. */
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
   * Slug of the project that it reaches; null: all of the organization.
   * @example 'shop'
   */
  @ApiProperty({ type: String, nullable: true })
  project: string | null;

  /**
   * Slug of the application that it reaches; null: all of the project.
   * @example 'web'
   */
  @ApiProperty({ type: String, nullable: true })
  application: string | null;

  /** @example '2030-01-01T08:00:00.000Z' */
  @ApiProperty({ format: 'date-time' })
  created_at: string;

  /**
   * When it stops working; null: never.
   * @example '2031-01-01T08:00:00.000Z'
   */
  @ApiProperty({ type: String, nullable: true, format: 'date-time' })
  expires_at: string | null;

  /**
   * Since when it is refused; null: it is not.
   * @example '2030-06-01T08:00:00.000Z'
   */
  @ApiProperty({ type: String, nullable: true, format: 'date-time' })
  revoked_at: string | null;

  /**
   * To the minute; null: never used.
   * @example '2030-05-31T17:20:00.000Z'
   */
  @ApiProperty({ type: String, nullable: true, format: 'date-time' })
  last_used_at: string | null;

  /**
   * Requests a second that each process lets it make; null: no limit.
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

/** The new key, with its text. */
export class CreatedApiKeyDto extends OmitType(ApiKeyDto, ['revoked_at', 'last_used_at']) {
  /**
   * Its text. It is shown this once.
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
   * What it is for; the ping operation answers it.
   * @example 'ci'
   */
  @IsString()
  @Length(1, 255)
  name: string;

  /**
   * What it may do: nothing that your own key may not.
   * @example ['event:trigger']
   */
  @ApiProperty({ enum: PERMISSIONS, isArray: true, minItems: 1 })
  @IsArray()
  @ArrayNotEmpty()
  @IsIn(PERMISSIONS, { each: true, message: `must be of ${PERMISSIONS.join(', ')}` })
  permissions: Permission[];

  /**
   * Slug of the one project that it reaches. Left out: all that your own key reaches.
   * @example 'shop'
   */
  @Optional()
  @IsString()
  @Length(1, 100)
  project?: string;

  /**
   * Slug of the one application of that project that it reaches.
   * @example 'web'
   */
  @Optional()
  @IsString()
  @Length(1, 100)
  application?: string;

  /**
   * When it stops working; not later than your own key. Left out: when that does, if ever.
   * @example '2031-01-01T08:00:00Z'
   */
  @ApiProperty({ format: 'date-time' })
  @Optional()
  @IsString()
  expires_at?: string;

  /**
   * Requests a second that each process lets it make; not more than your own key. Left out: as many as that, if it has a limit.
   * @example 100
   */
  @ApiProperty({ type: 'integer', minimum: 1, maximum: MOST_REQUESTS })
  @Optional()
  @IsInt({ message: NO_LIMIT })
  @Min(1, { message: NO_LIMIT })
  @Max(MOST_REQUESTS, { message: NO_LIMIT })
  rate_limit?: number;
}
