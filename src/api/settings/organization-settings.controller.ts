import { Body, Controller, Get, Patch } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Permission } from '../../auth/permission.js';
import { RequirePermission } from '../../auth/require-permission.decorator.js';
import { CurrentScope } from '../../auth/scope.js';
import type { Scope } from '../../auth/scope.js';
import { AnswersEtag, ChecksEtag } from '../../platform/http/etag/etag.decorator.js';
import { OrganizationSettingsDto, UpdateOrganizationSettingsDto } from './organization-settings.dto.js';
import { OrganizationSettingsService } from './organization-settings.service.js';

@ApiTags('Organizations')
@Controller('api/o/:org/settings')
export class OrganizationSettingsController {
  constructor(private readonly settings: OrganizationSettingsService) {}

  /** Retrieve the settings of the organization: time zone, quiet hours, locale, limit, color and origins. */
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
  @ChecksEtag()
  @RequirePermission(Permission.OrganizationWrite, 'organization')
  update(@CurrentScope() scope: Scope, @Body() body: UpdateOrganizationSettingsDto): Promise<OrganizationSettingsDto> {
    return this.settings.update(scope, body);
  }
}
