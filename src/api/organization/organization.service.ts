import { Injectable, Optional } from '@nestjs/common';
import type { Scope } from '../../auth/scope.js';
import { Cells } from '../../cell/directory/cells.js';
import { Removal } from '../resource/removal.js';
import { afterSlug, bySlug, nameAndSlug, slugOf } from '../../platform/http/list/by-slug.js';
import { Listing } from '../../platform/http/list/listing.js';
import type { Page } from '../../platform/http/list/page.js';
import { notFound } from '../../platform/http/problem.js';
import { PrismaService } from '../../platform/database/prisma.service.js';
import { DELETE_WAITING_JOBS } from '../../platform/queue/job.sql.js';
import { OrganizationDto } from './organization.dto.js';
import type { CreateOrganizationDto, UpdateOrganizationDto } from './organization.dto.js';
import { SlugWriter } from '../resource/slug-writer.js';

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
