import { Body, Controller, Delete, Get, HttpCode, Patch, Post } from '@nestjs/common';
import { ApiConflictResponse, ApiTags } from '@nestjs/swagger';
import { Permission } from '../auth/permission.js';
import { RequirePermission } from '../auth/require-permission.decorator.js';
import { CurrentScope } from '../auth/scope.js';
import type { Scope } from '../auth/scope.js';
import { CurrentBaseUrl } from '../http/base-url.js';
import { OrganizationDto } from './org.dto.js';
import {
  ApplicationSettingsDto,
  CreateApplicationDto,
  CreateOrganizationDto,
  CreateProjectDto,
  ProjectSettingsDto,
  UpdateApplicationDto,
  UpdateOrganizationDto,
  UpdateProjectDto,
} from './tree.dto.js';
import { TreeService } from './tree.service.js';

@ApiTags('Organizations')
@Controller('api/o')
export class OrganizationTreeController {
  constructor(private readonly tree: TreeService) {}

  /** Create an organization. */
  @Post()
  @RequirePermission(Permission.OrganizationWrite, 'service')
  create(
    @CurrentScope() scope: Scope,
    @Body() body: CreateOrganizationDto,
    @CurrentBaseUrl() baseUrl: string,
  ): Promise<OrganizationDto> {
    return this.tree.createOrganization(scope, body, baseUrl);
  }

  /** Update the organization. */
  @Patch(':org')
  @RequirePermission(Permission.OrganizationWrite, 'service')
  update(
    @CurrentScope() scope: Scope,
    @Body() body: UpdateOrganizationDto,
    @CurrentBaseUrl() baseUrl: string,
  ): Promise<OrganizationDto> {
    return this.tree.updateOrganization(scope, body, baseUrl);
  }

  /** Delete the organization, with its users, channels and keys. */
  @Delete(':org')
  @HttpCode(204)
  @RequirePermission(Permission.OrganizationWrite, 'service')
  @ApiConflictResponse({ description: 'It still holds projects; the answer names them.' })
  delete(@CurrentScope() scope: Scope): Promise<void> {
    return this.tree.deleteOrganization(scope);
  }
}

@ApiTags('Organizations')
@Controller('api/o/:org/p')
export class ProjectTreeController {
  constructor(private readonly tree: TreeService) {}

  /** Create a project. */
  @Post()
  @RequirePermission(Permission.OrganizationWrite, 'organization')
  create(@CurrentScope() scope: Scope, @Body() body: CreateProjectDto): Promise<ProjectSettingsDto> {
    return this.tree.createProject(scope, body);
  }

  /** Retrieve the settings of a project. */
  @Get(':prj/settings')
  @RequirePermission(Permission.OrganizationRead)
  get(@CurrentScope() scope: Scope): Promise<ProjectSettingsDto> {
    return this.tree.getProject(scope);
  }

  /** Update a project. */
  @Patch(':prj')
  @RequirePermission(Permission.OrganizationWrite, 'project')
  update(@CurrentScope() scope: Scope, @Body() body: UpdateProjectDto): Promise<ProjectSettingsDto> {
    return this.tree.updateProject(scope, body);
  }

  /** Delete a project, with its distribution lists, channels and keys. */
  @Delete(':prj')
  @HttpCode(204)
  @RequirePermission(Permission.OrganizationWrite, 'organization')
  @ApiConflictResponse({ description: 'It still holds applications; the answer names them.' })
  delete(@CurrentScope() scope: Scope): Promise<void> {
    return this.tree.deleteProject(scope);
  }
}

@ApiTags('Applications')
@Controller('api/o/:org/p/:prj/a')
export class ApplicationTreeController {
  constructor(private readonly tree: TreeService) {}

  /** Create an application. */
  @Post()
  @RequirePermission(Permission.OrganizationWrite, 'project')
  create(@CurrentScope() scope: Scope, @Body() body: CreateApplicationDto): Promise<ApplicationSettingsDto> {
    return this.tree.createApplication(scope, body);
  }

  /** Retrieve the settings of an application. */
  @Get(':app')
  @RequirePermission(Permission.OrganizationRead)
  get(@CurrentScope() scope: Scope): Promise<ApplicationSettingsDto> {
    return this.tree.getApplication(scope);
  }

  /** Update an application. */
  @Patch(':app')
  @RequirePermission(Permission.OrganizationWrite)
  update(@CurrentScope() scope: Scope, @Body() body: UpdateApplicationDto): Promise<ApplicationSettingsDto> {
    return this.tree.updateApplication(scope, body);
  }

  /** Delete an application, with its keys and its status webhook. */
  @Delete(':app')
  @HttpCode(204)
  @RequirePermission(Permission.OrganizationWrite, 'project')
  @ApiConflictResponse({ description: 'It still holds events; the answer names them.' })
  delete(@CurrentScope() scope: Scope): Promise<void> {
    return this.tree.deleteApplication(scope);
  }
}
