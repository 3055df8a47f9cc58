import { ApiProperty, PickType } from '@nestjs/swagger';
import { IsBoolean, IsString } from 'class-validator';
import type { PathNames } from '../../auth/scope.js';
import { Changes, New } from '../../platform/field/optional.decorator.js';
import { NAME_MAX_LENGTH } from '../../platform/field/slug.js';
import { MaxLength } from '../../platform/field/text-length.js';
import { linkTo } from '../../platform/http/base-url.js';

/** A named group of recipients in a project. */
export class DistributionListDto {
  /** @example 'Staff' */
  name: string;

  /** @example 4 */
  @ApiProperty({ type: 'integer' })
  id: number;

  /**
   * The members list.
   * @example 'https://notify.example.com/api/o/demo/p/shop/d/4/m/'
   */
  members: string;

  static from(
    { id, name }: { id: number; name: string },
    { org, prj }: PathNames,
    baseUrl: string,
  ): DistributionListDto {
    return { name, id, members: linkTo(baseUrl, 'o', org, 'p', prj, 'd', id, 'm') };
  }
}

const DESCRIPTION_MAX_LENGTH = 1000;

class DistributionListFields {
  /**
   * Unique in the project; upper and lower case count as the same. Spaces at both ends are removed.
   * @example 'Staff'
   */
  @ApiProperty({ minLength: 1, maxLength: NAME_MAX_LENGTH })
  @IsString()
  name: string;

  /**
   * Whether users join and leave the list themselves: on the preference page, and with a recipient token. An organization may have 200 open lists.
   * @example false
   */
  @IsBoolean()
  open: boolean;

  /**
   * Shown to users who may join.
   * @example 'Everyone who works here'
   */
  @IsString()
  @MaxLength(DESCRIPTION_MAX_LENGTH)
  description: string;
}

/** The settings of a distribution list. */
export class DistributionListSettingsDto extends PickType(DistributionListFields, ['name', 'open', 'description']) {
  static from({ name, open, description }: DistributionListSettingsDto): DistributionListSettingsDto {
    return { name, open, description };
  }
}

export class CreateDistributionListDto extends New(DistributionListFields, ['name']) {}

export class UpdateDistributionListDto extends Changes(DistributionListFields) {}
