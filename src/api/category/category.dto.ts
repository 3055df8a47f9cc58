import { ApiProperty, OmitType } from '@nestjs/swagger';
import { IsObject, IsString } from 'class-validator';
import { IsOneOf } from '../../platform/field/one-of.js';
import { Changes, New } from '../../platform/field/optional.decorator.js';
import { IsName, IsSlug } from '../../platform/field/slug.js';
import { MaxLength } from '../../platform/field/text-length.js';
import { CategoryDefault } from '../../platform/database/generated/prisma/enums.js';

export const ON_OFF = ['on', 'off'] as const;
type OnOff = (typeof ON_OFF)[number];

const DESCRIPTION_MAX_LENGTH = 1000;

/** A kind of message that users can choose or refuse, such as news. Events of the project name it. */
export class CategoryDto {
  /** @example 'news' */
  @IsSlug()
  slug: string;

  /** @example 'News' */
  @IsName()
  name: string;

  /**
   * Shown to users who choose.
   * @example 'What is new in the shop'
   */
  @IsString()
  @MaxLength(DESCRIPTION_MAX_LENGTH)
  description: string;

  /**
   * What counts for users who have not chosen. `required`: everyone gets it, and nobody can refuse it. A change keeps what users have
   * chosen.
   * @example 'on'
   */
  @ApiProperty({ enum: CategoryDefault })
  @IsOneOf(Object.values(CategoryDefault))
  default: CategoryDefault;

  /**
   * All channel types whose default differs: types that are left out have the default of the category. `GET /api/dispatchers/` lists the
   * types. A `required` category has none.
   * @example { "sms": "off" }
   */
  @ApiProperty({ type: 'object', additionalProperties: { type: 'string', enum: [...ON_OFF] } })
  @IsObject({ message: 'must be an object' })
  channels: Record<string, OnOff>;

  static from({ slug, name, description, default: byDefault, channels }: CategoryRow): CategoryDto {
    return { slug, name, description, default: byDefault, channels: channels as CategoryDto['channels'] };
  }
}

type CategoryRow = Omit<CategoryDto, 'channels'> & { channels: unknown };

export class UpdateCategoryDto extends Changes(OmitType(CategoryDto, ['slug'])) {}

export class CreateCategoryDto extends New(CategoryDto, ['slug', 'name']) {}
