import { Body, Controller, Get, Patch } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Permission } from '../../auth/permission.js';
import { RequirePermission } from '../../auth/require-permission.decorator.js';
import { CurrentScope } from '../../auth/scope.js';
import type { Scope } from '../../auth/scope.js';
import { BodyLimitKb, DEFAULT_LIMIT_KB } from '../../platform/http/body/json-body.guard.js';
import { AnswersEtag, ChecksEtag } from '../../platform/http/etag/etag.decorator.js';
import { MAX_LOGO_BASE64 } from '../logo/read-logo.js';
import { OrganizationSettingsDto, UpdateOrganizationSettingsDto } from './organization-settings.dto.js';
import { OrganizationSettingsService } from './organization-settings.service.js';

@ApiTags('Organizations')
@Controller('api/o/:org/settings')
export class OrganizationSettingsController {
  constructor(private readonly settings: OrganizationSettingsService) {}

  /** Retrieve the settings of the organization: time zone, quiet hours, locale, limit, brand, origins and alerts. */
  @Get()
  @AnswersEtag()
  @RequirePermission(Permission.OrganizationRead)
  get(@CurrentScope() scope: Scope): Promise<OrganizationSettingsDto> {
    return this.settings.get(scope);
  }

  /**
   * Change settings of the organization. Fields that you leave out keep their values.
   *
   * @remarks A message that waits already keeps its time. When that time comes, the new settings apply.
   */
  @Patch()
  @BodyLimitKb(DEFAULT_LIMIT_KB + MAX_LOGO_BASE64 / 1024)
  @ChecksEtag()
  @RequirePermission(Permission.OrganizationWrite, 'organization')
  update(@CurrentScope() scope: Scope, @Body() body: UpdateOrganizationSettingsDto): Promise<OrganizationSettingsDto> {
    return this.settings.update(scope, body);
  }
}
