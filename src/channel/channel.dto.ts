import { ApiProperty, OmitType } from '@nestjs/swagger';
import { IsBoolean, IsObject, IsString, Length, ValidateIf } from 'class-validator';
import { Optional } from '../field/optional.decorator.js';
import { IsName, IsSlug } from '../field/slug.js';

/** A way out that messages take. */
export class ChannelDto {
  /** @example 'Mail' */
  name: string;

  /** @example 'mail' */
  slug: string;

  /**
   * The dispatcher that sends over it.
   * @example 'email'
   */
  type: string;

  /** @example true */
  enabled: boolean;

  static from({ name, slug, type, enabled }: ChannelDto): ChannelDto {
    return { name, slug, type, enabled };
  }
}

/** A channel with its settings. */
export class ChannelSettingsDto extends ChannelDto {
  /**
   * As its dispatcher declares them. Secrets are masked; sent back as they are, they stay what they were.
   * @example { "host": "mail.acme.test", "from": "Acme <no-reply@acme.test>", "password": "********" }
   */
  @ApiProperty({ type: 'object', additionalProperties: true })
  config: Record<string, unknown>;

  /**
   * Slug of the channel that is tried for what this one has given up; null: none.
   * @example 'sms'
   */
  @ApiProperty({ type: String, nullable: true })
  fallback: string | null;
}

export class UpdateChannelDto {
  /** @example 'Mail' */
  @Optional()
  @IsName()
  name?: string;

  /**
   * Switched off, nothing is sent over it but tests; what is queued waits.
   * @example true
   */
  @Optional()
  @IsBoolean()
  enabled?: boolean;

  /**
   * All of its settings: what is left out is unset. `GET /api/dispatchers/` tells which there are.
   * @example { "host": "mail.acme.test", "from": "Acme <no-reply@acme.test>" }
   */
  @ApiProperty({ type: 'object', additionalProperties: true })
  @Optional()
  @IsObject({ message: 'must be an object' })
  config?: Record<string, unknown>;

  /**
   * Slug of another channel of the same project or of the organization; null: none.
   * @example 'sms'
   */
  @ApiProperty({ type: String, nullable: true })
  @ValidateIf((_, value) => value !== undefined && value !== null)
  @IsString()
  fallback?: string | null;
}

export class CreateChannelDto extends OmitType(UpdateChannelDto, ['name']) {
  /** @example 'mail' */
  @IsSlug()
  slug: string;

  /** @example 'Mail' */
  @IsName()
  name: string;

  /**
   * The dispatcher that sends over it; it stays.
   * @example 'email'
   */
  @IsString()
  @Length(1, 50)
  type: string;
}

/** What to send, and to whom. */
export class TestChannelDto {
  /**
   * An address of the kind that the channel reaches people by; for a channel that needs none, leave it out.
   * @example 'ann@acme.test'
   */
  @Optional()
  @IsString()
  @Length(1, 750)
  to?: string;

  /** @example 'A test' */
  @Optional()
  @IsString()
  @Length(1, 255)
  subject?: string;

  /** @example 'This channel works.' */
  @Optional()
  @IsString()
  @Length(1, 2000)
  text?: string;
}

/** What the provider said. */
export class TestedChannelDto {
  /**
   * `sent`: the provider took it. `rejected`: it never will. `retry`: it may later.
   * @example 'sent'
   */
  @ApiProperty({ enum: ['sent', 'rejected', 'retry'] })
  outcome: string;

  /**
   * The provider's own words.
   * @example '250 OK: message queued'
   */
  answer: string;

  /** @example 34 */
  @ApiProperty({ type: 'integer' })
  duration_ms: number;
}
