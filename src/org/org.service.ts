import { Injectable } from '@nestjs/common';
import type { Scope } from '../auth/scope.js';
import { Listing } from '../http/list/listing.js';
import type { Page } from '../http/list/page.js';
import { notFound } from '../http/problem.js';
import { PrismaService } from '../prisma/prisma.service.js';
import { ApplicationDto, OrganizationDto, ProjectDto } from './org.dto.js';

const nameAndSlug = { name: true, slug: true } as const;

/** The tenant tree down to applications. */
@Injectable()
export class OrgService {
  constructor(private readonly prisma: PrismaService) {}

  /** All for an operator, else the one of the key. */
  list({ key }: Scope, page: Page, baseUrl: string) {
    const read = (after: string | null, take: number) =>
      this.prisma.organization.findMany({
        where: { apiKeys: key.isOperator ? undefined : { some: { id: key.id } }, ...behind(after) },
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

  listProjects({ organizationId, key, path }: Scope, page: Page, baseUrl: string) {
    const read = (after: string | null, take: number) =>
      this.prisma.project.findMany({
        where: { organizationId, id: key.projectId ?? undefined, ...behind(after) },
        orderBy: bySlug,
        take,
        select: nameAndSlug,
      });
    return new Listing(page, read, (row) => ProjectDto.from(row, path, baseUrl), slugOf);
  }

  async getProject(scope: Scope, baseUrl: string): Promise<ProjectDto> {
    const row = await this.prisma.project.findUnique({
      where: { id: scope.projectId, organizationId: scope.organizationId },
      select: nameAndSlug,
    });
    if (!row) throw notFound('project');
    return ProjectDto.from(row, scope.path, baseUrl);
  }

  listApplications({ projectId, key, path }: Scope, page: Page, baseUrl: string) {
    const read = (after: string | null, take: number) =>
      this.prisma.application.findMany({
        where: { projectId, id: key.applicationId ?? undefined, ...behind(after) },
        orderBy: bySlug,
        take,
        select: nameAndSlug,
      });
    return new Listing(page, read, (row) => ApplicationDto.from(row, path, baseUrl), slugOf);
  }
}

const behind = (after: string | null) => (after === null ? {} : { slug: { gt: after } });

const bySlug = { slug: 'asc' } as const;

const slugOf = ({ slug }: { slug: string }) => slug;
