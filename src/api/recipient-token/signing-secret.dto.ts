import { ApiProperty, OmitType } from '@nestjs/swagger';
import { IsName } from '../../platform/field/slug.js';

interface SigningSecretRow {
  id: number;
  kid: string;
  name: string;
  isHeld: boolean;
  createdAt: Date;
  revokedAt: Date | null;
}

/** A secret that signs recipient tokens of the organization. */
export class SigningSecretDto {
  /** @example 3 */
  @ApiProperty({ type: 'integer' })
  id: number;

  /**
   * Its name in the header of tokens.
   * @example 'q3Zl0x8Kc1Vd'
   */
  kid: string;

  /** @example 'web shop' */
  name: string;

  /**
   * Who signs with it: the `organization`, which got it once, or the `service`, for the tokens that it creates.
   * @example 'organization'
   */
  @ApiProperty({ enum: ['organization', 'service'] })
  held_by: 'organization' | 'service';

  /** @example '2030-01-01T08:00:00.000Z' */
  @ApiProperty({ format: 'date-time' })
  created_at: string;

  /**
   * When it was revoked; null: never.
   * @example '2030-06-01T08:00:00.000Z'
   */
  @ApiProperty({ type: String, nullable: true, format: 'date-time' })
  revoked_at: string | null;

  static from({ id, kid, name, isHeld, createdAt, revokedAt }: SigningSecretRow): SigningSecretDto {
    return {
      ...{ id, kid, name, held_by: isHeld ? 'service' : 'organization' },
      ...{ created_at: createdAt.toISOString(), revoked_at: revokedAt?.toISOString() ?? null },
    };
  }
}

/** The new secret with its text. */
export class CreatedSigningSecretDto extends OmitType(SigningSecretDto, ['revoked_at']) {
  /**
   * The text of the secret, whose bytes are the key of HS256. It is shown only once.
   * @example 'crs_...'
   */
  secret: string;

  static of({ id, kid, name, held_by, created_at }: SigningSecretDto, secret: string): CreatedSigningSecretDto {
    return { id, kid, name, held_by, created_at, secret };
  }
}

export class CreateSigningSecretDto {
  /**
   * Who signs with it.
   * @example 'web shop'
   */
  @IsName()
  name: string;
}
