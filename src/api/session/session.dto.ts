import { ApiProperty } from '@nestjs/swagger';
import { IsString } from 'class-validator';
import { PERMISSIONS } from '../../auth/permission.js';
import type { Permission } from '../../auth/permission.js';
import type { SignedInBy } from '../../auth/scope.js';
import { Optional } from '../../platform/field/optional.decorator.js';
import { Length } from '../../platform/field/text-length.js';

export interface SessionRow {
  id: number;
  via: SignedInBy;
  person: string | null;
  name: string;
  organization: string | null;
  project: string | null;
  application: string | null;
  permissions: string[];
  createdAt: Date;
  lastUsedAt: Date | null;
  expiresAt: Date | null;
}

/** Somebody who is signed in, and what they may do. */
export class SessionDto {
  /** @example 31 */
  @ApiProperty({ type: 'integer' })
  id: number;

  /**
   * How they signed in: with an API key, with a one-time link, or at an OpenID provider.
   * @example 'key'
   */
  @ApiProperty({ enum: ['key', 'link', 'oidc'] })
  via: SignedInBy;

  /**
   * The e-mail of the member, or who signed in at the OpenID provider; null for the others.
   * @example 'ann@example.com'
   */
  @ApiProperty({ type: String, nullable: true })
  person: string | null;

  /**
   * Name of the operator or of the API key, as in the audit log.
   * @example 'demo'
   */
  name: string;

  /**
   * Slug of the organization; null: all organizations.
   * @example 'demo'
   */
  @ApiProperty({ type: String, nullable: true })
  organization: string | null;

  /**
   * Slug of the project that the session is bound to; null: none.
   * @example 'shop'
   */
  @ApiProperty({ type: String, nullable: true })
  project: string | null;

  /**
   * Slug of the application that the session is bound to; null: none.
   * @example 'web'
   */
  @ApiProperty({ type: String, nullable: true })
  application: string | null;

  /** @example ['event:trigger'] */
  @ApiProperty({ enum: PERMISSIONS, isArray: true })
  permissions: Permission[];

  /** @example '2030-01-01T08:00:00.000Z' */
  @ApiProperty({ format: 'date-time' })
  created_at: string;

  /**
   * When it was last used, to the minute. Twelve hours later it ends. Null: an API key that was never used.
   * @example '2030-01-01T09:20:00.000Z'
   */
  @ApiProperty({ type: String, nullable: true, format: 'date-time' })
  last_used_at: string | null;

  /**
   * When it ends at the latest. Null: an API key that does not expire.
   * @example '2030-01-08T08:00:00.000Z'
   */
  @ApiProperty({ type: String, nullable: true, format: 'date-time' })
  expires_at: string | null;

  static from({ createdAt, lastUsedAt, expiresAt, permissions, ...row }: SessionRow): SessionDto {
    const { id, via, person, name, organization, project, application } = row;
    return {
      ...{ id, via, person, name, organization, project, application },
      permissions: permissions as Permission[],
      created_at: createdAt.toISOString(),
      last_used_at: lastUsedAt?.toISOString() ?? null,
      expires_at: expiresAt?.toISOString() ?? null,
    };
  }
}

export class CreateSessionDto {
  /**
   * An API key. Give either this or `link`.
   * @example 'crl_...'
   */
  @Optional()
  @IsString()
  @Length(1, 200)
  key?: string;

  /**
   * The part of a one-time link behind `#t=`, as `npx carillon console` prints it.
   * @example 'crt_...'
   */
  @Optional()
  @IsString()
  @Length(1, 200)
  link?: string;
}

/** Where operators sign in with an account of their company. */
export class SessionProviderDto {
  /** @example 'Example SSO' */
  name: string;

  /**
   * Lead the browser there.
   * @example '/api/session/oidc/example/'
   */
  url: string;
}
