import { Body, Controller, Get, Patch } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Permission } from '../../auth/permission.js';
import { RequirePermission } from '../../auth/require-permission.decorator.js';
import { CurrentScope } from '../../auth/scope.js';
import type { Scope } from '../../auth/scope.js';
import { AnswersEtag, ChecksEtag } from '../../platform/http/etag/etag.decorator.js';
import { OrganizationQuotasDto, UpdateOrganizationQuotasDto } from './quota.dto.js';
import { QuotaService } from './quota.service.js';

@ApiTags('Organizations')
@Controller('api/o/:org/quotas')
export class QuotaController {
  constructor(private readonly quotas: QuotaService) {}

  /** Retrieve the quotas of the organization, and how much of them it uses. */
  @Get()
  @AnswersEtag()
  @RequirePermission(Permission.OrganizationRead, 'organization')
  get(@CurrentScope() scope: Scope): Promise<OrganizationQuotasDto> {
    return this.quotas.get(scope);
  }

  /**
   * Change quotas of the organization.
   *
   * @remarks Quotas that you leave out keep their values; null means the default of the service. Every process applies them within five seconds.
   */
  @Patch()
  @ChecksEtag()
  @RequirePermission(Permission.OrganizationWrite, 'service')
  update(@CurrentScope() scope: Scope, @Body() body: UpdateOrganizationQuotasDto): Promise<OrganizationQuotasDto> {
    return this.quotas.update(scope, body);
  }
}
