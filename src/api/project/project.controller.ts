import { Body, Controller, Delete, Get, HttpCode, Patch, Post } from '@nestjs/common';
import { ApiConflictResponse, ApiTags } from '@nestjs/swagger';
import { Permission } from '../../auth/permission.js';
import { RequirePermission, Spends } from '../../auth/require-permission.decorator.js';
import { CurrentScope } from '../../auth/scope.js';
import type { Scope } from '../../auth/scope.js';
import { CurrentBaseUrl } from '../../platform/http/base-url.js';
import { AnswersEtag, ChecksEtag } from '../../platform/http/etag/etag.decorator.js';
import { AnswersList } from '../../platform/http/list/answers-list.decorator.js';
import { CurrentPage } from '../../platform/http/list/page.js';
import type { Page } from '../../platform/http/list/page.js';
import { CreateProjectDto, ProjectDto, ProjectSettingsDto, UpdateProjectDto } from './project.dto.js';
import { ProjectService } from './project.service.js';

@ApiTags('Organizations')
@Controller('api/o/:org/p')
export class ProjectController {
  constructor(private readonly projects: ProjectService) {}

  /** List the organization's projects. */
  @Get()
  @RequirePermission(Permission.OrganizationRead)
  @AnswersList(ProjectDto, 'The projects, ordered by slug.')
  list(@CurrentScope() scope: Scope, @CurrentPage() page: Page, @CurrentBaseUrl() baseUrl: string) {
    return this.projects.list(scope, page, baseUrl);
  }

  /** Retrieve a project. */
  @Get(':prj')
  @RequirePermission(Permission.OrganizationRead)
  get(@CurrentScope() scope: Scope, @CurrentBaseUrl() baseUrl: string): Promise<ProjectDto> {
    return this.projects.get(scope, baseUrl);
  }

  /** Create a project. */
  @Post()
  @RequirePermission(Permission.OrganizationWrite, 'organization')
  @Spends('storage')
  create(@CurrentScope() scope: Scope, @Body() body: CreateProjectDto): Promise<ProjectSettingsDto> {
    return this.projects.create(scope, body);
  }

  /** Retrieve the settings of a project. */
  @Get(':prj/settings')
  @AnswersEtag()
  @RequirePermission(Permission.OrganizationRead)
  getSettings(@CurrentScope() scope: Scope): Promise<ProjectSettingsDto> {
    return this.projects.getSettings(scope);
  }

  /** Update a project. */
  @Patch(':prj')
  @ChecksEtag()
  @RequirePermission(Permission.OrganizationWrite, 'project')
  update(@CurrentScope() scope: Scope, @Body() body: UpdateProjectDto): Promise<ProjectSettingsDto> {
    return this.projects.update(scope, body);
  }

  /** Delete a project with its distribution lists, channels and keys. */
  @Delete(':prj')
  @ChecksEtag()
  @HttpCode(204)
  @RequirePermission(Permission.OrganizationWrite, 'organization')
  @ApiConflictResponse({ description: 'The project still has applications; the answer names them.' })
  remove(@CurrentScope() scope: Scope): Promise<void> {
    return this.projects.remove(scope);
  }
}
