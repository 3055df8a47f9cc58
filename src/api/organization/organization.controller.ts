import { Body, Controller, Delete, Get, HttpCode, Patch, Post } from '@nestjs/common';
import { ApiConflictResponse, ApiTags } from '@nestjs/swagger';
import { Permission } from '../../auth/permission.js';
import { RequirePermission } from '../../auth/require-permission.decorator.js';
import { CurrentScope } from '../../auth/scope.js';
import type { Scope } from '../../auth/scope.js';
import { CurrentBaseUrl } from '../../platform/http/base-url.js';
import { AnswersEtag, ChecksEtag } from '../../platform/http/etag/etag.decorator.js';
import { AnswersList } from '../../platform/http/list/answers-list.decorator.js';
import { CurrentPage } from '../../platform/http/list/page.js';
import type { Page } from '../../platform/http/list/page.js';
import {
  CreateOrganizationDto,
  OrganizationDto,
  OrganizationSettingsDto,
  UpdateOrganizationDto,
  UpdateOrganizationSettingsDto,
} from './organization.dto.js';
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

  /** Retrieve the settings of the organization: time zone, quiet hours, limit, color and origins. */
  @Get(':org/settings')
  @AnswersEtag()
  @RequirePermission(Permission.OrganizationRead)
  getSettings(@CurrentScope() scope: Scope): Promise<OrganizationSettingsDto> {
    return this.organizations.getSettings(scope);
  }

  /**
   * Change settings of the organization. Fields that you leave out keep their values.
   *
   * @remarks A message that waits already keeps its time. When that time comes, the new settings apply.
   */
  @Patch(':org/settings')
  @ChecksEtag()
  @RequirePermission(Permission.OrganizationWrite, 'organization')
  updateSettings(
    @CurrentScope() scope: Scope,
    @Body() body: UpdateOrganizationSettingsDto,
  ): Promise<OrganizationSettingsDto> {
    return this.organizations.updateSettings(scope, body);
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
