import { ApiProperty } from '@nestjs/swagger';
import { IsString } from 'class-validator';
import type { PathNames } from '../../auth/scope.js';
import { NAME_MAX_LENGTH } from '../../platform/field/slug.js';
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

export class CreateDistributionListDto {
  /**
   * Unique in the project; upper and lower case count as the same. Spaces at both ends are removed.
   * @example 'Staff'
   */
  @ApiProperty({ minLength: 1, maxLength: NAME_MAX_LENGTH })
  @IsString()
  name: string;
}
