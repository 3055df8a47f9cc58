import { Injectable } from '@nestjs/common';
import type { Scope } from '../../auth/scope.js';
import { PrismaService } from '../../platform/database/prisma.service.js';
import { lockRows } from '../../platform/database/transaction.js';
import type { Transaction } from '../../platform/database/transaction.js';
import { requireMatch } from '../../platform/http/etag/etag.js';
import { invalid, notFound } from '../../platform/http/problem.js';
import { SlugWriter } from '../resource/slug-writer.js';
import { OrganizationSettingsDto } from './organization-settings.dto.js';
import type { UpdateOrganizationSettingsDto } from './organization-settings.dto.js';
import { checkOrganizationSettings, settingsData } from './put-settings.js';

const settings = { timeZone: true, quietHours: true, messageLimit: true, color: true, origins: true } as const;

@Injectable()
export class OrganizationSettingsService {
  constructor(
    private readonly prisma: PrismaService,
    private readonly slugs: SlugWriter,
  ) {}

  async get({ organizationId: id }: Scope, client: Transaction = this.prisma): Promise<OrganizationSettingsDto> {
    const row = await client.organization.findUnique({ where: { id }, select: settings });
    if (!row) throw notFound('organization');
    return OrganizationSettingsDto.from(row);
  }

  async update(scope: Scope, body: UpdateOrganizationSettingsDto): Promise<OrganizationSettingsDto> {
    const where = { id: scope.organizationId };
    const row = await this.slugs.write(scope, 'organization', async (tx) => {
      await requireMatch(scope.ifMatch, async () => {
        await lockRows(tx, 'organizations', [where.id], 'no key update');
        return this.get(scope, tx);
      });
      const checked = await checkOrganizationSettings(tx, body);
      if ('errors' in checked) throw invalid(checked.errors);
      return tx.organization.update({ where, data: settingsData(checked.settings), select: settings });
    });
    return OrganizationSettingsDto.from(row);
  }
}
