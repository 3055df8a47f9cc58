import { Injectable, Optional } from '@nestjs/common';
import type { Scope } from '../../auth/scope.js';
import { Cells } from '../../cell/directory/cells.js';
import { Removal } from '../resource/removal.js';
import { requireMatch } from '../../platform/http/etag/etag.js';
import { afterSlug, bySlug, nameAndSlug, slugOf } from '../../platform/http/list/by-slug.js';
import { Listing } from '../../platform/http/list/listing.js';
import type { Page } from '../../platform/http/list/page.js';
import { invalid, notFound } from '../../platform/http/problem.js';
import { PrismaService } from '../../platform/database/prisma.service.js';
import { lockRows } from '../../platform/database/transaction.js';
import type { Transaction } from '../../platform/database/transaction.js';
import { DELETE_WAITING_JOBS } from '../../platform/queue/job.sql.js';
import { checkOrganizationSettings, settingsData } from '../settings/put-settings.js';
import { OrganizationDto, OrganizationSettingsDto } from './organization.dto.js';
import type {
  CreateOrganizationDto,
  UpdateOrganizationDto,
  UpdateOrganizationSettingsDto,
} from './organization.dto.js';
import { SlugWriter } from '../resource/slug-writer.js';

const settings = { timeZone: true, quietHours: true, messageLimit: true, color: true, origins: true } as const;

@Injectable()
export class OrganizationService {
  constructor(
    private readonly prisma: PrismaService,
    private readonly slugs: SlugWriter,
    private readonly removal: Removal,
    @Optional() private readonly cells?: Cells,
  ) {}

  /** An operator key lists all organizations, any other key only its own. */
  list({ key }: Scope, page: Page, baseUrl: string) {
    const read = (after: string | null, take: number) =>
      this.prisma.organization.findMany({
        where: { apiKeys: key.isOperator ? undefined : { some: { id: key.id } }, ...afterSlug(after) },
        orderBy: bySlug,
        take,
        select: nameAndSlug,
      });
    return new Listing(page, read, (row) => OrganizationDto.from(row, baseUrl), slugOf);
  }

  async get(scope: Scope, baseUrl: string): Promise<OrganizationDto> {
    const row = await this.prisma.organization.findUnique({
      where: { id: scope.organizationId },
      select: nameAndSlug,
    });
    if (!row) throw notFound('organization');
    return OrganizationDto.from(row, baseUrl);
  }

  async create(scope: Scope, body: CreateOrganizationDto, baseUrl: string): Promise<OrganizationDto> {
    const data = { slug: body.slug, name: body.name.trim() };
    await this.cells?.claim(data.slug);
    const { id, ...row } = await this.slugs.write(scope, 'organization', (tx) =>
      tx.organization.create({ data, select: { id: true, ...nameAndSlug } }),
    );
    await this.cells?.created(row.slug, id);
    return OrganizationDto.from(row, baseUrl);
  }

  async update(scope: Scope, body: UpdateOrganizationDto, baseUrl: string): Promise<OrganizationDto> {
    const where = { id: scope.organizationId };
    const data = { name: body.name?.trim() };
    const row = await this.slugs.write(scope, 'organization', (tx) =>
      tx.organization.update({ where, data, select: nameAndSlug }),
    );
    return OrganizationDto.from(row, baseUrl);
  }

  async getSettings(
    { organizationId: id }: Scope,
    client: Transaction = this.prisma,
  ): Promise<OrganizationSettingsDto> {
    const row = await client.organization.findUnique({ where: { id }, select: settings });
    if (!row) throw notFound('organization');
    return OrganizationSettingsDto.from(row);
  }

  async updateSettings(scope: Scope, body: UpdateOrganizationSettingsDto): Promise<OrganizationSettingsDto> {
    const where = { id: scope.organizationId };
    const row = await this.slugs.write(scope, 'organization', async (tx) => {
      await requireMatch(scope.ifMatch, async () => {
        await lockRows(tx, 'organizations', [where.id], 'no key update');
        return this.getSettings(scope, tx);
      });
      const checked = await checkOrganizationSettings(tx, body);
      if ('errors' in checked) throw invalid(checked.errors);
      return tx.organization.update({ where, data: settingsData(checked.settings), select: settings });
    });
    return OrganizationSettingsDto.from(row);
  }

  /** Deletes the organization with its users, channels and keys. */
  async remove(scope: Scope): Promise<void> {
    const { organizationId } = scope;
    await this.removal.remove(scope, 'organization', organizationId, async (tx) => {
      await tx.channel.updateMany({ where: { organizationId, fallbackId: { not: null } }, data: { fallbackId: null } });
      await tx.$executeRawUnsafe(DELETE_WAITING_JOBS, organizationId);
      await tx.organization.delete({ where: { id: organizationId } });
    });
    await this.cells?.removed(scope.path.org ?? '', organizationId);
  }
}
