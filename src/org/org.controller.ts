import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Permission } from '../auth/permission.js';
import { RequirePermission } from '../auth/require-permission.decorator.js';
import { CurrentScope } from '../auth/scope.js';
import type { Scope } from '../auth/scope.js';
import { CurrentBaseUrl } from '../http/base-url.js';
import { AnswersList } from '../http/list/answers-list.decorator.js';
import { CurrentPage } from '../http/list/page.js';
import type { Page } from '../http/list/page.js';
import { ApplicationDto, OrganizationDto, ProjectDto } from './org.dto.js';
import { OrgService } from './org.service.js';

@ApiTags('Organizations')
@Controller('api/o')
export class OrganizationController {
  constructor(private readonly orgs: OrgService) {}

  /** List the organizations that your key reaches: all of them for an operator key. */
  @Get()
  @RequirePermission(Permission.OrganizationRead)
  @AnswersList(OrganizationDto, 'The organizations, ordered by slug.')
  list(@CurrentScope() scope: Scope, @CurrentPage() page: Page, @CurrentBaseUrl() baseUrl: string) {
    return this.orgs.list(scope, page, baseUrl);
  }

  /** Retrieve the organization. */
  @Get(':org')
  @RequirePermission(Permission.OrganizationRead)
  get(@CurrentScope() scope: Scope, @CurrentBaseUrl() baseUrl: string): Promise<OrganizationDto> {
    return this.orgs.get(scope, baseUrl);
  }
}

@ApiTags('Organizations')
@Controller('api/o/:org/p')
export class ProjectController {
  constructor(private readonly orgs: OrgService) {}

  /** List the organization's projects. */
  @Get()
  @RequirePermission(Permission.OrganizationRead)
  @AnswersList(ProjectDto, 'The projects, ordered by slug.')
  list(@CurrentScope() scope: Scope, @CurrentPage() page: Page, @CurrentBaseUrl() baseUrl: string) {
    return this.orgs.listProjects(scope, page, baseUrl);
  }

  /** Retrieve a project. */
  @Get(':prj')
  @RequirePermission(Permission.OrganizationRead)
  get(@CurrentScope() scope: Scope, @CurrentBaseUrl() baseUrl: string): Promise<ProjectDto> {
    return this.orgs.getProject(scope, baseUrl);
  }
}

@ApiTags('Applications')
@Controller('api/o/:org/p/:prj/a')
export class ApplicationController {
  constructor(private readonly orgs: OrgService) {}

  /** List the project's applications. */
  @Get()
  @RequirePermission(Permission.OrganizationRead)
  @AnswersList(ApplicationDto, 'The applications, ordered by slug.')
  list(@CurrentScope() scope: Scope, @CurrentPage() page: Page, @CurrentBaseUrl() baseUrl: string) {
    return this.orgs.listApplications(scope, page, baseUrl);
  }
}
