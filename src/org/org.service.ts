import { Injectable } from '@nestjs/common';
import type { Scope } from '../auth/scope.js';
import { Listing, rowsFor } from '../common/listing.js';
import type { Page } from '../common/page.js';
import { notFound } from '../common/problem.js';
import type { Prisma } from '../generated/prisma/client.js';
import { PrismaService } from '../prisma/prisma.service.js';
import { ApplicationDto, ChannelDto, OrganizationDto, ProjectDto } from './org.dto.js';

const nameAndSlug = { name: true, slug: true } as const;
const channelSelect = { ...nameAndSlug, type: true, enabled: true } satisfies Prisma.ChannelSelect;

/** The tenant tree down to applications. Configuration, not people: these lists are short, and Prisma reads them whole. */
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

  async listProjects(scope: Scope, page: Page, baseUrl: string) {
    const rows = await this.prisma.project.findMany({
      where: { organizationId: scope.organizationId, id: scope.key.projectId ?? undefined, ...after(page) },
      ...bySlug(page),
      select: nameAndSlug,
    });
    return listing(rows, page, (row) => ProjectDto.from(row, scope.path, baseUrl));
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
  async listChannels(scope: Scope, page: Page) {
    const rows = await this.prisma.channel.findMany({
      where: { organizationId: scope.organizationId, projectId: scope.projectId || null, ...after(page) },
      ...bySlug(page),
      select: channelSelect,
    });
    return listing(rows, page, ChannelDto.from);
  }

  async listApplications(scope: Scope, page: Page, baseUrl: string) {
    const rows = await this.prisma.application.findMany({
      where: { projectId: scope.projectId, id: scope.key.applicationId ?? undefined, ...after(page) },
      ...bySlug(page),
      select: nameAndSlug,
    });
    return listing(rows, page, (row) => ApplicationDto.from(row, scope.path, baseUrl));
  }
}

const after = (page: Page) => (page.after === null ? {} : { slug: { gt: page.after } });

const bySlug = (page: Page) => ({ orderBy: { slug: 'asc' }, take: rowsFor(page) ?? undefined }) as const;

function listing<Row extends { slug: string }, Item>(rows: Row[], page: Page, show: (row: Row) => Item) {
  return new Listing(rows, page, show, ({ slug }) => slug);
}
