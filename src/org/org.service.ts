import { Injectable } from '@nestjs/common';
import type { Scope } from '../auth/scope.js';
import { Listing } from '../common/listing.js';
import type { Page } from '../common/page.js';
import { notFound } from '../common/problem.js';
import type { Prisma } from '../generated/prisma/client.js';
import { PrismaService } from '../prisma/prisma.service.js';
import { ApplicationDto, ChannelDto, OrganizationDto, ProjectDto } from './org.dto.js';

const nameAndSlug = { name: true, slug: true } as const;
const channelSelect = { ...nameAndSlug, type: true, enabled: true } satisfies Prisma.ChannelSelect;

/** The tenant tree down to applications. */
@Injectable()
export class OrgService {
  constructor(private readonly prisma: PrismaService) {}

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

  /** The organization's own channels, or with a project in scope that project's. */
  listChannels({ organizationId, projectId }: Scope, page: Page) {
    const read = (after: string | null, take: number) =>
      this.prisma.channel.findMany({
        where: { organizationId, projectId: projectId || null, ...behind(after) },
        orderBy: bySlug,
        take,
        select: channelSelect,
      });
    return new Listing(page, read, ChannelDto.from, slugOf);
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
