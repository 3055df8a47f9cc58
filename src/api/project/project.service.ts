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
import { ProjectDto } from './project.dto.js';
import type { CreateProjectDto, ProjectSettingsDto, UpdateProjectDto } from './project.dto.js';
import { SlugWriter } from '../resource/slug-writer.js';

const settings = { ...nameAndSlug, enabled: true } as const;

@Injectable()
export class ProjectService {
  constructor(
    private readonly prisma: PrismaService,
    private readonly slugs: SlugWriter,
    private readonly removal: Removal,
  ) {}

  list({ organizationId, key, path }: Scope, page: Page, baseUrl: string) {
    const read = (after: string | null, take: number) =>
      this.prisma.project.findMany({
        where: { organizationId, id: key.projectId ?? undefined, ...afterSlug(after) },
        orderBy: bySlug,
        take,
        select: nameAndSlug,
      });
    return new Listing(page, read, (row) => ProjectDto.from(row, path, baseUrl), slugOf);
  }

  async get(scope: Scope, baseUrl: string): Promise<ProjectDto> {
    const row = await this.prisma.project.findUnique({ where: only(scope), select: nameAndSlug });
    if (!row) throw notFound('project');
    return ProjectDto.from(row, scope.path, baseUrl);
  }

  async create(scope: Scope, { slug, name, enabled }: CreateProjectDto): Promise<ProjectSettingsDto> {
    const data = { organizationId: scope.organizationId, slug, name: name.trim(), enabled };
    return this.slugs.write(scope, 'project', (tx) => tx.project.create({ data, select: settings }), 'organization');
  }

  async getSettings(scope: Scope, client: Transaction = this.prisma): Promise<ProjectSettingsDto> {
    const row = await client.project.findUnique({ where: only(scope), select: settings });
    if (!row) throw notFound('project');
    return row;
  }

  async update(scope: Scope, { name, enabled }: UpdateProjectDto): Promise<ProjectSettingsDto> {
    const data = { name: name?.trim(), enabled };
    return this.slugs.write(scope, 'project', async (tx) => {
      await this.requireMatch(tx, scope);
      return tx.project.update({ where: only(scope), data, select: settings });
    });
  }

  /** Deletes the project with its distribution lists, channels and keys. */
  async remove(scope: Scope): Promise<void> {
    const { projectId } = scope;
    await this.removal.remove(scope, 'project', projectId, async (tx) => {
      await this.requireMatch(tx, scope);
      // References to the channels go first: PostgreSQL refuses to delete a channel that a row refers to, even if the same statement
      // would delete that row.
      await tx.distributionList.deleteMany({ where: { projectId } });
      await tx.channel.updateMany({ where: { projectId, fallbackId: { not: null } }, data: { fallbackId: null } });
      await tx.project.delete({ where: only(scope) });
    });
  }

  private requireMatch(tx: Transaction, scope: Scope): Promise<void> {
    return requireMatch(scope.ifMatch, async () => {
      await lockRows(tx, 'projects', [scope.projectId], 'no key update');
      return this.getSettings(scope, tx);
    });
  }
}

const only = ({ projectId, organizationId }: Scope) => ({ id: projectId, organizationId });
