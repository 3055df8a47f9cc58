import { Injectable } from '@nestjs/common';
import type { Scope } from '../auth/scope.js';
import { Removal } from '../deletion/removal.js';
import { afterSlug, bySlug, nameAndSlug, slugOf } from '../http/list/by-slug.js';
import { Listing } from '../http/list/listing.js';
import type { Page } from '../http/list/page.js';
import { notFound } from '../http/problem.js';
import { PrismaService } from '../prisma/prisma.service.js';
import { ApplicationDto } from './application.dto.js';
import type { ApplicationSettingsDto, CreateApplicationDto, UpdateApplicationDto } from './application.dto.js';
import { SlugWriter } from './slug-writer.js';

const settings = { ...nameAndSlug, enabled: true } as const;

@Injectable()
export class ApplicationService {
  constructor(
    private readonly prisma: PrismaService,
    private readonly slugs: SlugWriter,
    private readonly removal: Removal,
  ) {}

  list({ projectId, key, path }: Scope, page: Page, baseUrl: string) {
    const read = (after: string | null, take: number) =>
      this.prisma.application.findMany({
        where: { projectId, id: key.applicationId ?? undefined, ...afterSlug(after) },
        orderBy: bySlug,
        take,
        select: nameAndSlug,
      });
    return new Listing(page, read, (row) => ApplicationDto.from(row, path, baseUrl), slugOf);
  }

  async create(scope: Scope, body: CreateApplicationDto): Promise<ApplicationSettingsDto> {
    const { organizationId, projectId } = scope;
    const data = { organizationId, projectId, slug: body.slug, name: body.name.trim(), enabled: body.enabled };
    return this.slugs.write(scope, 'application', (tx) => tx.application.create({ data, select: settings }), 'project');
  }

  async get({ applicationId, organizationId }: Scope): Promise<ApplicationSettingsDto> {
    const where = { id: applicationId, organizationId };
    const row = await this.prisma.application.findUnique({ where, select: settings });
    if (!row) throw notFound('application');
    return row;
  }

  async update(scope: Scope, { name, enabled }: UpdateApplicationDto): Promise<ApplicationSettingsDto> {
    const where = { id: scope.applicationId, organizationId: scope.organizationId };
    const data = { name: name?.trim(), enabled };
    return this.slugs.write(scope, 'application', (tx) => tx.application.update({ where, data, select: settings }));
  }

  /** Deletes the application with its keys and status webhook. */
  async remove(scope: Scope): Promise<void> {
    const { applicationId, organizationId } = scope;
    await this.removal.remove(scope, 'application', applicationId, (tx) =>
      tx.application.delete({ where: { id: applicationId, organizationId } }),
    );
  }
}
