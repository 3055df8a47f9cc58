import { PickType } from '@nestjs/swagger';
import type { PathNames } from '../../auth/scope.js';
import { linkTo } from '../../platform/http/base-url.js';
import { CreateProjectDto, UpdateProjectDto } from '../project/project.dto.js';

/** An application holds events. */
export class ApplicationDto {
  /** @example 'Web shop' */
  name: string;

  /** @example 'web' */
  slug: string;

  /**
   * The events list.
   * @example 'https://notify.example.com/api/o/demo/p/shop/a/web/e/'
   */
  events: string;

  static from(
    { name, slug }: { name: string; slug: string },
    { org, prj }: PathNames,
    baseUrl: string,
  ): ApplicationDto {
    return { name, slug, events: linkTo(baseUrl, 'o', org, 'p', prj, 'a', slug, 'e') };
  }
}

/** The settings of an application. */
export class ApplicationSettingsDto extends PickType(ApplicationDto, ['name', 'slug']) {
  /** @example true */
  enabled: boolean;
}

export class CreateApplicationDto extends CreateProjectDto {}
export class UpdateApplicationDto extends UpdateProjectDto {}
