import { OmitType, PickType } from '@nestjs/swagger';
import { IsBoolean } from 'class-validator';
import { Optional } from '../field/optional.decorator.js';
import { IsName, IsSlug } from '../field/slug.js';
import { ApplicationDto, ProjectDto } from './org.dto.js';

/** A name and a slug, which it keeps. */
export class CreateOrganizationDto {
  /**
   * Names it in paths; it stays.
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

export class UpdateProjectDto extends UpdateOrganizationDto {
  /**
   * Switched off, nothing below it is sent; what waits goes on once it is on again.
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

export class CreateApplicationDto extends CreateProjectDto {}
export class UpdateApplicationDto extends UpdateProjectDto {}

/** A project, and whether it is switched on. */
export class ProjectSettingsDto extends PickType(ProjectDto, ['name', 'slug']) {
  /** @example true */
  enabled: boolean;
}

/** An application, and whether it is switched on. */
export class ApplicationSettingsDto extends PickType(ApplicationDto, ['name', 'slug']) {
  /** @example true */
  enabled: boolean;
}
