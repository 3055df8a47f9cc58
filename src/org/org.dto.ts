import type { PathNames } from '../auth/scope.js';
import { linkTo } from '../http/base-url.js';

/** A tenant: it holds users, projects and channels. */
export class OrganizationDto {
  /** @example 'Acme Inc' */
  name: string;

  /** @example 'acme' */
  slug: string;

  /**
   * The users list.
   * @example 'https://notify.example.com/api/o/acme/u/'
   */
  users: string;

  /**
   * The projects list.
   * @example 'https://notify.example.com/api/o/acme/p/'
   */
  projects: string;

  /**
   * The channels list.
   * @example 'https://notify.example.com/api/o/acme/c/'
   */
  channels: string;

  static from({ name, slug }: { name: string; slug: string }, baseUrl: string): OrganizationDto {
    const home = linkTo(baseUrl, 'o', slug);
    return { name, slug, users: `${home}u/`, projects: `${home}p/`, channels: `${home}c/` };
  }
}

/** A project holds applications, channels and distribution lists. */
export class ProjectDto {
  /** @example 'Shop' */
  name: string;

  /** @example 'shop' */
  slug: string;

  /**
   * The applications list.
   * @example 'https://notify.example.com/api/o/acme/p/shop/a/'
   */
  applications: string;

  /**
   * The channels list.
   * @example 'https://notify.example.com/api/o/acme/p/shop/c/'
   */
  channels: string;

  /**
   * The distribution lists.
   * @example 'https://notify.example.com/api/o/acme/p/shop/d/'
   */
  distribution_lists: string;

  static from({ name, slug }: { name: string; slug: string }, { org }: PathNames, baseUrl: string): ProjectDto {
    const home = linkTo(baseUrl, 'o', org, 'p', slug);
    return { name, slug, applications: `${home}a/`, channels: `${home}c/`, distribution_lists: `${home}d/` };
  }
}

/** An application holds events. */
export class ApplicationDto {
  /** @example 'Web shop' */
  name: string;

  /** @example 'web' */
  slug: string;

  /**
   * The events list.
   * @example 'https://notify.example.com/api/o/acme/p/shop/a/web/e/'
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
