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
import {
  ApplicationDto,
  ApplicationSettingsDto,
  CreateApplicationDto,
  UpdateApplicationDto,
} from './application.dto.js';
import { ApplicationService } from './application.service.js';

@ApiTags('Applications')
@Controller('api/o/:org/p/:prj/a')
export class ApplicationController {
  constructor(private readonly applications: ApplicationService) {}

  /** List the project's applications. */
  @Get()
  @RequirePermission(Permission.OrganizationRead)
  @AnswersList(ApplicationDto, 'The applications, ordered by slug.')
  list(@CurrentScope() scope: Scope, @CurrentPage() page: Page, @CurrentBaseUrl() baseUrl: string) {
    return this.applications.list(scope, page, baseUrl);
  }

  /** Create an application. */
  @Post()
  @RequirePermission(Permission.OrganizationWrite, 'project')
  @Spends('storage')
  create(@CurrentScope() scope: Scope, @Body() body: CreateApplicationDto): Promise<ApplicationSettingsDto> {
    return this.applications.create(scope, body);
  }

  /** Retrieve the settings of an application. */
  @Get(':app')
  @AnswersEtag()
  @RequirePermission(Permission.OrganizationRead)
  get(@CurrentScope() scope: Scope): Promise<ApplicationSettingsDto> {
    return this.applications.get(scope);
  }

  /** Update an application. */
  @Patch(':app')
  @ChecksEtag()
  @RequirePermission(Permission.OrganizationWrite)
  update(@CurrentScope() scope: Scope, @Body() body: UpdateApplicationDto): Promise<ApplicationSettingsDto> {
    return this.applications.update(scope, body);
  }

  /** Delete an application with its keys and status webhook. */
  @Delete(':app')
  @ChecksEtag()
  @HttpCode(204)
  @RequirePermission(Permission.OrganizationWrite, 'project')
  @ApiConflictResponse({ description: 'The application still has events; the answer names them.' })
  remove(@CurrentScope() scope: Scope): Promise<void> {
    return this.applications.remove(scope);
  }
}
