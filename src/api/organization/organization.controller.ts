import { Body, Controller, Delete, Get, HttpCode, Patch, Post } from '@nestjs/common';
import { ApiConflictResponse, ApiTags } from '@nestjs/swagger';
import { Permission } from '../../auth/permission.js';
import { RequirePermission } from '../../auth/require-permission.decorator.js';
import { CurrentScope } from '../../auth/scope.js';
import type { Scope } from '../../auth/scope.js';
import { CurrentBaseUrl } from '../../platform/http/base-url.js';
import { AnswersList } from '../../platform/http/list/answers-list.decorator.js';
import { CurrentPage } from '../../platform/http/list/page.js';
import type { Page } from '../../platform/http/list/page.js';
import { CreateOrganizationDto, OrganizationDto, UpdateOrganizationDto } from './organization.dto.js';
import { OrganizationService } from './organization.service.js';

@ApiTags('Organizations')
@Controller('api/o')
export class OrganizationController {
  constructor(private readonly organizations: OrganizationService) {}

  /** List the organizations that your key reaches; an operator key reaches all. */
  @Get()
  @RequirePermission(Permission.OrganizationRead)
  @AnswersList(OrganizationDto, 'The organizations, ordered by slug.')
  list(@CurrentScope() scope: Scope, @CurrentPage() page: Page, @CurrentBaseUrl() baseUrl: string) {
    return this.organizations.list(scope, page, baseUrl);
  }

  /** Retrieve the organization. */
  @Get(':org')
  @RequirePermission(Permission.OrganizationRead)
  get(@CurrentScope() scope: Scope, @CurrentBaseUrl() baseUrl: string): Promise<OrganizationDto> {
    return this.organizations.get(scope, baseUrl);
  }

  /** Create an organization. */
  @Post()
  @RequirePermission(Permission.OrganizationWrite, 'service')
  create(
    @CurrentScope() scope: Scope,
    @Body() body: CreateOrganizationDto,
    @CurrentBaseUrl() baseUrl: string,
  ): Promise<OrganizationDto> {
    return this.organizations.create(scope, body, baseUrl);
  }

  /** Update the organization. */
  @Patch(':org')
  @RequirePermission(Permission.OrganizationWrite, 'service')
  update(
    @CurrentScope() scope: Scope,
    @Body() body: UpdateOrganizationDto,
    @CurrentBaseUrl() baseUrl: string,
  ): Promise<OrganizationDto> {
    return this.organizations.update(scope, body, baseUrl);
  }

  /** Delete the organization with its users, channels and keys. */
  @Delete(':org')
  @HttpCode(204)
  @RequirePermission(Permission.OrganizationWrite, 'service')
  @ApiConflictResponse({ description: 'The organization still has projects; the answer names them.' })
  remove(@CurrentScope() scope: Scope): Promise<void> {
    return this.organizations.remove(scope);
  }
}
