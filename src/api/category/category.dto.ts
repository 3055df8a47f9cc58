import { ApiProperty, OmitType } from '@nestjs/swagger';
import { ArrayUnique, IsArray, IsObject, IsString, Matches } from 'class-validator';
import { IsOneOf } from '../../platform/field/one-of.js';
import { Changes, New } from '../../platform/field/optional.decorator.js';
import { IsName, IsSlug } from '../../platform/field/slug.js';
import { MaxLength } from '../../platform/field/text-length.js';
import { TIME_OF_DAY } from '../../platform/field/weekly-range.js';
import { CategoryDefault, Frequency } from '../../platform/database/generated/prisma/enums.js';

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

  /**
   * How often users may get its messages in one, instead of at once: `daily`, `weekly` or both. Empty: its messages cannot wait. A `required` category
   * is always sent at once.
   * @example ["daily", "weekly"]
   */
  @ApiProperty({ enum: Frequency, isArray: true })
  @IsOneOf(Object.values(Frequency), { each: true })
  @ArrayUnique({ message: 'must name each only once' })
  @IsArray({ message: 'must be a list' })
  frequencies: Frequency[];

  /**
   * When messages are sent that users get once a day or a week, by the clock of the user. Those of a week come on Monday.
   * @example '09:00'
   */
  @ApiProperty({ pattern: TIME_OF_DAY.source })
  @Matches(TIME_OF_DAY, { message: 'must be a time such as 09:30' })
  digest_at: string;

  static from({ default: byDefault, channels, digestAt, ...row }: CategoryRow): CategoryDto {
    const { slug, name, description, frequencies } = row;
    return {
      ...{ slug, name, description, default: byDefault, channels: channels as CategoryDto['channels'] },
      ...{ frequencies, digest_at: digestAt },
    };
  }
}

type CategoryRow = Omit<CategoryDto, 'channels' | 'digest_at'> & { channels: unknown; digestAt: string };

export class UpdateCategoryDto extends Changes(OmitType(CategoryDto, ['slug'])) {}

export class CreateCategoryDto extends New(CategoryDto, ['slug', 'name']) {}
