import { ApiProperty } from '@nestjs/swagger';
import { IsString } from 'class-validator';
import { ROLE_NAMES } from '../../auth/role/role.js';
import type { Role } from '../../auth/role/role.js';
import { IsOneOf } from '../../platform/field/one-of.js';
import { OrNull, Optional } from '../../platform/field/optional.decorator.js';
import { IsName } from '../../platform/field/slug.js';
import { Length } from '../../platform/field/text-length.js';

export interface OrganizationMemberRow {
  id: number;
  email: string;
  name: string | null;
  role: string;
  project: string | null;
  invitedBy: string;
  createdAt: Date;
  signedInAt: Date | null;
  sessions: number;
}

/** A colleague who signs in with an e-mail, and has a role in the organization. */
export class OrganizationMemberDto {
  /** @example 'ann@example.com' */
  email: string;

  /** @example 'Ann Lee' */
  @ApiProperty({ type: String, nullable: true })
  name: string | null;

  /**
   * What the member may do: `GET /api/roles/` lists the permissions of each role.
   * @example 'editor'
   */
  @ApiProperty({ enum: ROLE_NAMES })
  role: Role;

  /**
   * Slug of the project that the role is for; null: the whole organization.
   * @example 'shop'
   */
  @ApiProperty({ type: String, nullable: true })
  project: string | null;

  /** @example '2030-01-01T08:00:00.000Z' */
  @ApiProperty({ format: 'date-time' })
  invited_at: string;

  /**
   * Who added the member, as in the audit log.
   * @example 'demo'
   */
  invited_by: string;

  /**
   * When the member last signed in; null: never.
   * @example '2030-01-08T08:00:00.000Z'
   */
  @ApiProperty({ type: String, nullable: true, format: 'date-time' })
  signed_in_at: string | null;

  /**
   * How many sessions the member has at the moment.
   * @example 1
   */
  @ApiProperty({ type: 'integer' })
  sessions: number;

  static from(row: OrganizationMemberRow): OrganizationMemberDto {
    return {
      email: row.email,
      name: row.name,
      role: row.role as Role,
      project: row.project,
      invited_at: row.createdAt.toISOString(),
      invited_by: row.invitedBy,
      signed_in_at: row.signedInAt?.toISOString() ?? null,
      sessions: row.sessions,
    };
  }
}

export class PutOrganizationMemberDto {
  /**
   * To show, also in the audit log. Null: none.
   * @example 'Ann Lee'
   */
  @Optional()
  @OrNull()
  @IsName()
  @ApiProperty({ type: String, nullable: true })
  name?: string | null;

  /**
   * A role whose permissions your own key has. Required for a new member.
   * @example 'editor'
   */
  @Optional()
  @IsOneOf(ROLE_NAMES)
  @ApiProperty({ enum: ROLE_NAMES })
  role?: Role;

  /**
   * Slug of the project that the role is for; null: the whole organization. Default for a new member: the reach of your own key.
   * @example 'shop'
   */
  @Optional()
  @OrNull()
  @IsString()
  @Length(1, 100)
  @ApiProperty({ type: String, nullable: true })
  project?: string | null;
}

/** A link that signs a member in, or the mail that has it. */
export class MemberLinkDto {
  /**
   * Works once. Whoever opens it signs in as the member: give it to nobody else. Null: it was mailed.
   * @example 'https://carillon.example.com/console/#t=crt_...'
   */
  @ApiProperty({ type: String, nullable: true })
  url: string | null;

  /**
   * Where it was mailed to; null: the service has no mail server for it.
   * @example 'bob@example.com'
   */
  @ApiProperty({ type: String, nullable: true })
  mailed_to: string | null;

  /** @example '2030-01-02T08:00:00.000Z' */
  @ApiProperty({ format: 'date-time' })
  expires_at: string;
}
