import { Injectable } from '@nestjs/common';
import type { Scope } from '../../auth/scope.js';
import { Resources } from '../resource/resources.js';
import { afterSlug, bySlug, nameAndSlug, slugOf } from '../../platform/http/list/by-slug.js';
import { Listing } from '../../platform/http/list/listing.js';
import type { Page } from '../../platform/http/list/page.js';
import { notFound } from '../../platform/http/problem.js';
import { PrismaService } from '../../platform/database/prisma.service.js';
import type { Transaction } from '../../platform/database/transaction.js';
import { ProjectDto } from './project.dto.js';
import type { CreateProjectDto, ProjectSettingsDto, UpdateProjectDto } from './project.dto.js';
import { putProject } from './project.write.js';

const settings = { ...nameAndSlug, enabled: true } as const;

@Injectable()
export class ProjectService {
  constructor(
    private readonly prisma: PrismaService,
    private readonly resources: Resources,
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

  create(scope: Scope, { slug, ...fields }: CreateProjectDto): Promise<ProjectSettingsDto> {
    return this.resources.create(scope, {
      noun: 'project',
      put: (tx) => putProject(tx, scope, { slug }, fields),
      read: this.read,
    });
  }

  getSettings({ projectId }: Scope): Promise<ProjectSettingsDto> {
    return this.read(this.prisma, projectId);
  }

  update(scope: Scope, fields: UpdateProjectDto): Promise<ProjectSettingsDto> {
    const id = scope.projectId;
    return this.resources.update(scope, id, {
      noun: 'project',
      put: (tx) => putProject(tx, scope, { id }, fields),
      read: this.read,
    });
  }

  /** Deletes the project with its distribution lists, channels and keys. */
  async remove(scope: Scope): Promise<void> {
    const { projectId } = scope;
    const remove = async (tx: Transaction) => {
      // References to the channels go first: PostgreSQL refuses to delete a channel that a row refers to, even if the same statement
      // would delete that row.
      await tx.distributionList.deleteMany({ where: { projectId } });
      await tx.channel.updateMany({ where: { projectId, fallbackId: { not: null } }, data: { fallbackId: null } });
      await tx.project.delete({ where: only(scope) });
    };
    await this.resources.remove(scope, projectId, { noun: 'project', read: this.read, remove });
  }

  private readonly read = async (client: Transaction, id: number): Promise<ProjectSettingsDto> => {
    const row = await client.project.findUnique({ where: { id }, select: settings });
    if (!row) throw notFound('project');
    return row;
  };
}

const only = ({ projectId, organizationId }: Scope) => ({ id: projectId, organizationId });
