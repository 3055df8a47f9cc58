import { Inject, Injectable } from '@nestjs/common';
import type { Scope } from '../../auth/scope.js';
import { CONFIG } from '../../platform/config/config.js';
import type { Config } from '../../platform/config/config.js';
import { PrismaService } from '../../platform/database/prisma.service.js';
import type { Transaction } from '../../platform/database/transaction.js';
import { notFound } from '../../platform/http/problem.js';
import { putOrganization } from '../organization/organization.write.js';
import { Resources } from '../resource/resources.js';
import { OrganizationSettingsDto } from './organization-settings.dto.js';
import type { UpdateOrganizationSettingsDto } from './organization-settings.dto.js';

const settings = {
  slug: true,
  timeZone: true,
  quietHours: true,
  locale: true,
  messageLimit: true,
  color: true,
  address: true,
  links: true,
  logo: true,
  pageTexts: true,
  origins: true,
  alerts: true,
} as const;

@Injectable()
export class OrganizationSettingsService {
  constructor(
    private readonly prisma: PrismaService,
    private readonly resources: Resources,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  async get({ organizationId: id }: Scope, client: Transaction = this.prisma): Promise<OrganizationSettingsDto> {
    const row = await client.organization.findUnique({ where: { id }, select: settings });
    if (!row) throw notFound('organization');
    return OrganizationSettingsDto.from(row, this.config.publicUrl);
  }

  update(scope: Scope, body: UpdateOrganizationSettingsDto): Promise<OrganizationSettingsDto> {
    const id = scope.organizationId;
    return this.resources.update(scope, id, {
      noun: 'organization',
      put: (tx) => putOrganization({ tx, quotas: this.config.quotas }, { id }, body),
      read: (tx) => this.get(scope, tx),
    });
  }
}
