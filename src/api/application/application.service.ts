import { Injectable } from '@nestjs/common';
import type { Scope } from '../../auth/scope.js';
import { Removal } from '../resource/removal.js';
import { requireMatch } from '../../platform/http/etag/etag.js';
import { afterSlug, bySlug, nameAndSlug, slugOf } from '../../platform/http/list/by-slug.js';
import { Listing } from '../../platform/http/list/listing.js';
import type { Page } from '../../platform/http/list/page.js';
import { notFound } from '../../platform/http/problem.js';
import { PrismaService } from '../../platform/database/prisma.service.js';
import { lockRows } from '../../platform/database/transaction.js';
import type { Transaction } from '../../platform/database/transaction.js';
import { ApplicationDto } from './application.dto.js';
import type { ApplicationSettingsDto, CreateApplicationDto, UpdateApplicationDto } from './application.dto.js';
import { SlugWriter } from '../resource/slug-writer.js';

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

  async get(scope: Scope, client: Transaction = this.prisma): Promise<ApplicationSettingsDto> {
    const row = await client.application.findUnique({ where: only(scope), select: settings });
    if (!row) throw notFound('application');
    return row;
  }

  async update(scope: Scope, { name, enabled }: UpdateApplicationDto): Promise<ApplicationSettingsDto> {
    const data = { name: name?.trim(), enabled };
    return this.slugs.write(scope, 'application', async (tx) => {
      await this.requireMatch(tx, scope);
      return tx.application.update({ where: only(scope), data, select: settings });
    });
  }

  /** Deletes the application with its keys and status webhook. */
  async remove(scope: Scope): Promise<void> {
    await this.removal.remove(scope, 'application', scope.applicationId, async (tx) => {
      await this.requireMatch(tx, scope);
      await tx.application.delete({ where: only(scope) });
    });
  }

  private requireMatch(tx: Transaction, scope: Scope): Promise<void> {
    return requireMatch(scope.ifMatch, async () => {
      await lockRows(tx, 'applications', [scope.applicationId], 'no key update');
      return this.get(scope, tx);
    });
  }
}

const only = ({ applicationId, organizationId }: Scope) => ({ id: applicationId, organizationId });
