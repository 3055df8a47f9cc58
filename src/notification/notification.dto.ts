import { ApiProperty, IntersectionType, OmitType, PartialType, PickType } from '@nestjs/swagger';
import { ArrayMaxSize, IsArray, IsBoolean, IsObject, IsString, ValidateIf } from 'class-validator';
import { Optional } from '../field/optional.decorator.js';
import { IsName } from '../field/slug.js';

/** What a notification says over one channel: Liquid. Text, HTML or Markdown, or text and one of the others. */
export class TemplateDto {
  /**
   * Slug of a channel of the project or the organization.
   * @example 'mail'
   */
  channel: string;

  /** @example 'Order {{ order }} paid' */
  @ApiProperty({ type: String, nullable: true })
  subject: string | null;

  /** @example 'Hi {{ user.first_name }}, thank you.' */
  @ApiProperty({ type: String, nullable: true })
  text: string | null;

  /**
   * What it puts out is escaped.
   * @example '<p>Hi {{ user.first_name }}</p>'
   */
  @ApiProperty({ type: String, nullable: true })
  html: string | null;

  /**
   * Another way to write html.
   * @example 'Hi **{{ user.first_name }}**'
   */
  @ApiProperty({ type: String, nullable: true })
  markdown: string | null;
}

export class CreateTemplateDto extends IntersectionType(
  PickType(TemplateDto, ['channel']),
  PartialType(OmitType(TemplateDto, ['channel'])),
) {}

const TEMPLATES = [
  { channel: 'mail', subject: 'Order {{ order }} paid', text: 'Hi {{ user.first_name }}, thank you.' },
];
const WHEN = { type: String, nullable: true, example: 'total > `100`' } as const;
const AUDIENCE = {
  type: 'object',
  nullable: true,
  additionalProperties: true,
  example: { field: 'custom_fields.team', is: 'ops' },
} as const;

/** A rule on an event: when, to whom, what. */
export class NotificationDto {
  /** @example 9 */
  @ApiProperty({ type: 'integer' })
  id: number;

  /** @example 'Tell the staff' */
  name: string;

  /** @example true */
  enabled: boolean;

  /** JMESPath over the context; null: always. */
  @ApiProperty(WHEN)
  when: string | null;

  /**
   * Names of distribution lists of the project.
   * @example ['Staff']
   */
  distribution_lists: string[];

  /** A filter over the organization's users, beside the lists; null: none. */
  @ApiProperty(AUDIENCE)
  audience: Record<string, unknown> | null;

  @ApiProperty({ type: [TemplateDto], example: TEMPLATES.map((given) => ({ ...given, html: null, markdown: null })) })
  templates: TemplateDto[];
}

export class UpdateNotificationDto {
  /**
   * Unique in the event.
   * @example 'Tell the staff'
   */
  @Optional()
  @IsName()
  name?: string;

  /** @example true */
  @Optional()
  @IsBoolean()
  enabled?: boolean;

  /** JMESPath over the context; null: always. */
  @ApiProperty(WHEN)
  @ValidateIf((_, value) => value !== undefined && value !== null)
  @IsString()
  when?: string | null;

  /**
   * Names of distribution lists of the project: all that it shall have.
   * @example ['Staff']
   */
  @Optional()
  @IsArray()
  @ArrayMaxSize(100)
  @IsString({ each: true, message: 'must be a list of names' })
  distribution_lists?: string[];

  /** A filter over the organization's users, beside the lists; null: none. */
  @ApiProperty(AUDIENCE)
  @ValidateIf((_, value) => value !== undefined && value !== null)
  @IsObject({ message: 'must be an object' })
  audience?: Record<string, unknown> | null;

  /** All that it shall have, one for each channel. */
  @ApiProperty({ type: [CreateTemplateDto], minItems: 1, example: TEMPLATES })
  @Optional()
  @IsArray()
  templates?: CreateTemplateDto[];
}

export class CreateNotificationDto extends OmitType(UpdateNotificationDto, ['name', 'templates']) {
  /**
   * Unique in the event.
   * @example 'Tell the staff'
   */
  @IsName()
  name: string;

  /** One for each channel. */
  @ApiProperty({ type: [CreateTemplateDto], minItems: 1, example: TEMPLATES })
  @IsArray()
  templates: CreateTemplateDto[];
}
