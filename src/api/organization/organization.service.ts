import { Inject, Injectable, Optional } from '@nestjs/common';
import type { Scope } from '../../auth/scope.js';
import { Cells } from '../../cell/directory/cells.js';
import { CONFIG } from '../../platform/config/config.js';
import type { Config } from '../../platform/config/config.js';
import { Resources } from '../resource/resources.js';
import { afterSlug, bySlug, nameAndSlug, slugOf } from '../../platform/http/list/by-slug.js';
import { Listing } from '../../platform/http/list/listing.js';
import type { Page } from '../../platform/http/list/page.js';
import { notFound } from '../../platform/http/problem.js';
import { PrismaService } from '../../platform/database/prisma.service.js';
import type { Transaction } from '../../platform/database/transaction.js';
import { DELETE_WAITING_JOBS } from '../../platform/queue/job.sql.js';
import { OrganizationDto } from './organization.dto.js';
import type { CreateOrganizationDto, UpdateOrganizationDto } from './organization.dto.js';
import { putOrganization } from './organization.write.js';

@Injectable()
export class OrganizationService {
  constructor(
    private readonly prisma: PrismaService,
    private readonly resources: Resources,
    @Inject(CONFIG) private readonly config: Config,
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
    return OrganizationDto.from(await this.read(this.prisma, scope.organizationId), baseUrl);
  }

  async create(scope: Scope, body: CreateOrganizationDto, baseUrl: string): Promise<OrganizationDto> {
    const { slug, ...fields } = body;
    await this.cells?.claim(slug);
    const { id, ...row } = await this.resources.create(scope, {
      noun: 'organization',
      put: (tx) => putOrganization({ tx, quotas: this.config.quotas }, { slug }, fields),
      read: this.read,
    });
    await this.cells?.created(slug, id);
    return OrganizationDto.from(row, baseUrl);
  }

  async update(scope: Scope, body: UpdateOrganizationDto, baseUrl: string): Promise<OrganizationDto> {
    const id = scope.organizationId;
    const row = await this.resources.update(scope, id, {
      noun: 'organization',
      isUnconditional: true,
      put: (tx) => putOrganization({ tx, quotas: this.config.quotas }, { id }, body),
      read: this.read,
    });
    return OrganizationDto.from(row, baseUrl);
  }

  /** Deletes the organization with its users, channels and keys. */
  async remove(scope: Scope): Promise<void> {
    const { organizationId } = scope;
    const remove = async (tx: Transaction) => {
      await tx.channel.updateMany({ where: { organizationId, fallbackId: { not: null } }, data: { fallbackId: null } });
      await tx.$executeRawUnsafe(DELETE_WAITING_JOBS, organizationId);
      await tx.organization.delete({ where: { id: organizationId } });
    };
    await this.resources.remove(scope, organizationId, { noun: 'organization', remove });
    await this.cells?.removed(scope.path.org ?? '', organizationId);
  }

  private readonly read = async (client: Transaction, id: number) => {
    const row = await client.organization.findUnique({ where: { id }, select: { id: true, ...nameAndSlug } });
    if (!row) throw notFound('organization');
    return row;
  };
}
