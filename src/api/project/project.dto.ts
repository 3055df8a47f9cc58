import { OmitType, PickType } from '@nestjs/swagger';
import { IsBoolean } from 'class-validator';
import type { PathNames } from '../../auth/scope.js';
import { Optional } from '../../platform/field/optional.decorator.js';
import { IsName, IsSlug } from '../../platform/field/slug.js';
import { linkTo } from '../../platform/http/base-url.js';
import { UpdateOrganizationDto } from '../organization/organization.dto.js';

/** A project holds applications, channels and distribution lists. */
export class ProjectDto {
  /** @example 'Shop' */
  name: string;

  /** @example 'shop' */
  slug: string;

  /**
   * The applications list.
   * @example 'https://notify.example.com/api/o/demo/p/shop/a/'
   */
  applications: string;

  /**
   * The channels list.
   * @example 'https://notify.example.com/api/o/demo/p/shop/c/'
   */
  channels: string;

  /**
   * The distribution lists.
   * @example 'https://notify.example.com/api/o/demo/p/shop/d/'
   */
  distribution_lists: string;

  static from({ name, slug }: { name: string; slug: string }, { org }: PathNames, baseUrl: string): ProjectDto {
    const home = linkTo(baseUrl, 'o', org, 'p', slug);
    return { name, slug, applications: `${home}a/`, channels: `${home}c/`, distribution_lists: `${home}d/` };
  }
}

/** The settings of a project. */
export class ProjectSettingsDto extends PickType(ProjectDto, ['name', 'slug']) {
  /** @example true */
  enabled: boolean;
}

export class UpdateProjectDto extends UpdateOrganizationDto {
  /**
   * While false, no messages of its events are sent: they wait until it is true again.
   * @example true
   */
  @Optional()
  @IsBoolean()
  enabled?: boolean;
}

export class CreateProjectDto extends OmitType(UpdateProjectDto, ['name']) {
  /** @example 'shop' */
  @IsSlug()
  slug: string;

  /** @example 'Shop' */
  @IsName()
  name: string;
}
