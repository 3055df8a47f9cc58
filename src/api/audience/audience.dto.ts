import { ApiProperty } from '@nestjs/swagger';
import { IsInt, IsObject, IsString, ValidateIf } from 'class-validator';
import { Optional } from '../../platform/field/optional.decorator.js';
import { FIELD_TYPES } from './custom-fields.js';
import type { FieldType } from './custom-fields.js';

const AUDIENCE = {
  type: 'object',
  additionalProperties: true,
  nullable: true,
  example: { field: 'custom_fields.team', is: 'ops' },
} as const;

export class PreviewAudienceDto {
  /** A filter over the organization's users; null or left out: all of them. */
  @ApiProperty(AUDIENCE)
  @ValidateIf((_, value) => value !== undefined && value !== null)
  @IsObject({ message: 'must be an object' })
  audience?: Record<string, unknown> | null;

  /**
   * Only users who have each of these words in the e-mail, a name, or an address.
   * @example 'ann'
   */
  @Optional()
  @IsString()
  search?: string;

  /**
   * Only members of the distribution list with this id.
   * @example 3
   */
  @ApiProperty({ type: 'integer' })
  @Optional()
  @IsInt()
  list?: number;

  /**
   * Only users with this locale of their own. A language, such as `de`, includes its regions.
   * @example 'de'
   */
  @Optional()
  @IsString()
  locale?: string;
}

/** A custom field that users have. */
class CustomFieldDto {
  /**
   * Its path, with dots between the keys. An audience names it with `custom_fields.` before it.
   * @example 'address.city'
   */
  name: string;

  /**
   * What it holds.
   * @example ['string']
   */
  @ApiProperty({ enum: FIELD_TYPES, isArray: true })
  types: FieldType[];

  /**
   * Some of its values, or of the items of its lists.
   * @example ['Vienna']
   */
  @ApiProperty({ type: 'array', items: { oneOf: [{ type: 'string' }, { type: 'number' }] } })
  examples: (string | number)[];
}

export class PreviewedAudienceDto {
  /**
   * The number of users in the audience, among those that were checked.
   * @example 12
   */
  @ApiProperty({ type: 'integer' })
  users: number;

  /**
   * The number of users that were checked.
   * @example 5004
   */
  @ApiProperty({ type: 'integer' })
  checked: number;

  /**
   * Whether all users of the organization were checked.
   * @example true
   */
  complete: boolean;

  /**
   * The usernames of the first users in the audience, at most 10.
   * @example ['ann@example.com']
   */
  sample: string[];

  /** The custom fields of the latest 500 users, at most 200. Users with more than 4 KB of them are left out. */
  @ApiProperty({ example: [{ name: 'address.city', types: ['string'], examples: ['Vienna'] }] })
  custom_fields: CustomFieldDto[];
}
