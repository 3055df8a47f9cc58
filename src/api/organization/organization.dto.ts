import { Optional } from '../../platform/field/optional.decorator.js';
import { IsName, IsSlug } from '../../platform/field/slug.js';
import { linkTo } from '../../platform/http/base-url.js';

/** A tenant. It holds users, projects and channels. */
export class OrganizationDto {
  /** @example 'Demo' */
  name: string;

  /** @example 'demo' */
  slug: string;

  /**
   * The users list.
   * @example 'https://notify.example.com/api/o/demo/u/'
   */
  users: string;

  /**
   * The projects list.
   * @example 'https://notify.example.com/api/o/demo/p/'
   */
  projects: string;

  /**
   * The channels list.
   * @example 'https://notify.example.com/api/o/demo/c/'
   */
  channels: string;

  static from({ name, slug }: { name: string; slug: string }, baseUrl: string): OrganizationDto {
    const home = linkTo(baseUrl, 'o', slug);
    return { name, slug, users: `${home}u/`, projects: `${home}p/`, channels: `${home}c/` };
  }
}

/** A new organization. */
export class CreateOrganizationDto {
  /**
   * Identifier in URLs; cannot be changed.
   * @example 'acme'
   */
  @IsSlug()
  slug: string;

  /** @example 'Acme Inc' */
  @IsName()
  name: string;
}

export class UpdateOrganizationDto {
  /** @example 'Acme Inc' */
  @Optional()
  @IsName()
  name?: string;
}
