import { Injectable } from '@nestjs/common';
import { actorOf } from '../auth/scope.js';
import type { Scope } from '../auth/scope.js';
import { ScopeService } from '../auth/scope.service.js';
import type { Prisma } from '../generated/prisma/client.js';
import { refuseIfUsed } from '../http/in-use.js';
import { invalid, notFound } from '../http/problem.js';
import { PrismaService } from '../prisma/prisma.service.js';
import { isParentGone, isUniqueViolation } from '../prisma/unique.js';
import { OrganizationDto } from './org.dto.js';
import type {
  ApplicationSettingsDto,
  CreateApplicationDto,
  CreateOrganizationDto,
  CreateProjectDto,
  ProjectSettingsDto,
  UpdateOrganizationDto,
  UpdateProjectDto,
} from './tree.dto.js';

const nameAndSlug = { name: true, slug: true } as const;
const settings = { ...nameAndSlug, enabled: true } as const;

/**
 * Writes the tenant tree down to applications. What holds others is not deleted while it does: a branch goes from its leaves up, so
 * that nobody loses one by a slip. What is looked at before is locked: whoever adds a child waits, and then finds no parent.
 */
@Injectable()
export class TreeService {
  constructor(
    private readonly prisma: PrismaService,
    private readonly scopes: ScopeService,
  ) {}

  async createOrganization(scope: Scope, body: CreateOrganizationDto, baseUrl: string): Promise<OrganizationDto> {
    const data = { slug: body.slug, name: body.name.trim() };
    const row = await this.write(scope, 'organization', (tx) => tx.organization.create({ data, select: nameAndSlug }));
    return OrganizationDto.from(row, baseUrl);
  }

  async updateOrganization(scope: Scope, body: UpdateOrganizationDto, baseUrl: string): Promise<OrganizationDto> {
    const where = { id: scope.organizationId };
    const data = { name: body.name?.trim() };
    const row = await this.write(scope, 'organization', (tx) =>
      tx.organization.update({ where, data, select: nameAndSlug }),
    );
    return OrganizationDto.from(row, baseUrl);
  }

  /** With its users, channels and keys. */
  async deleteOrganization(scope: Scope): Promise<void> {
    const { organizationId } = scope;
    await this.remove(scope, 'organization', async (tx) => {
      await tx.$queryRaw`select id from organizations where id = ${organizationId} for update`;
      const projects = await tx.project.findMany({ where: { organizationId }, orderBy: bySlug, select: nameAndSlug });
      refuseIfUsed(
        'organization',
        projects.map(({ slug }) => `the project ${slug}`),
      );
      await tx.channel.updateMany({ where: { organizationId, fallbackId: { not: null } }, data: { fallbackId: null } });
      await tx.organization.delete({ where: { id: organizationId } });
    });
  }

  async createProject(scope: Scope, { slug, name, enabled }: CreateProjectDto): Promise<ProjectSettingsDto> {
    const data = { organizationId: scope.organizationId, slug, name: name.trim(), enabled };
    return this.write(scope, 'project', (tx) => tx.project.create({ data, select: settings }), 'organization');
  }

  async getProject({ projectId, organizationId }: Scope): Promise<ProjectSettingsDto> {
    const row = await this.prisma.project.findUnique({ where: { id: projectId, organizationId }, select: settings });
    if (!row) throw notFound('project');
    return row;
  }

  async updateProject(scope: Scope, { name, enabled }: UpdateProjectDto): Promise<ProjectSettingsDto> {
    const where = { id: scope.projectId, organizationId: scope.organizationId };
    const data = { name: name?.trim(), enabled };
    return this.write(scope, 'project', (tx) => tx.project.update({ where, data, select: settings }));
  }

  /** With its lists, channels and keys. */
  async deleteProject(scope: Scope): Promise<void> {
    const { projectId, organizationId } = scope;
    await this.remove(scope, 'project', async (tx) => {
      await tx.$queryRaw`select id from projects where id = ${projectId} for update`;
      const applications = await tx.application.findMany({
        where: { projectId },
        orderBy: bySlug,
        select: nameAndSlug,
      });
      refuseIfUsed(
        'project',
        applications.map(({ slug }) => `the application ${slug}`),
      );
      // First what uses its channels: PostgreSQL does not delete those while something does, even if that is to go too.
      await tx.distributionList.deleteMany({ where: { projectId } });
      await tx.channel.updateMany({ where: { projectId, fallbackId: { not: null } }, data: { fallbackId: null } });
      await tx.project.delete({ where: { id: projectId, organizationId } });
    });
  }

  async createApplication(scope: Scope, body: CreateApplicationDto): Promise<ApplicationSettingsDto> {
    const { organizationId, projectId } = scope;
    const data = { organizationId, projectId, slug: body.slug, name: body.name.trim(), enabled: body.enabled };
    return this.write(scope, 'application', (tx) => tx.application.create({ data, select: settings }), 'project');
  }

  async getApplication({ applicationId, organizationId }: Scope): Promise<ApplicationSettingsDto> {
    const where = { id: applicationId, organizationId };
    const row = await this.prisma.application.findUnique({ where, select: settings });
    if (!row) throw notFound('application');
    return row;
  }

  async updateApplication(scope: Scope, { name, enabled }: UpdateProjectDto): Promise<ApplicationSettingsDto> {
    const where = { id: scope.applicationId, organizationId: scope.organizationId };
    const data = { name: name?.trim(), enabled };
    return this.write(scope, 'application', (tx) => tx.application.update({ where, data, select: settings }));
  }

  /** With its keys and its status webhook. */
  async deleteApplication(scope: Scope): Promise<void> {
    const { applicationId, organizationId } = scope;
    await this.remove(scope, 'application', async (tx) => {
      await tx.$queryRaw`select id from applications where id = ${applicationId} for update`;
      const events = await tx.event.findMany({ where: { applicationId }, orderBy: bySlug, select: nameAndSlug });
      refuseIfUsed(
        'application',
        events.map(({ slug }) => `the event ${slug}`),
      );
      await tx.application.delete({ where: { id: applicationId, organizationId } });
    });
  }

  private async remove(
    scope: Scope,
    noun: string,
    work: (tx: Prisma.TransactionClient) => Promise<void>,
  ): Promise<void> {
    await this.write(scope, noun, async (tx) => {
      await tx.$executeRaw`set local statement_timeout = 0`; // there may be a million people in it
      await work(tx);
    });
    this.scopes.forgetAll();
  }

  private async write<Row>(
    scope: Scope,
    noun: string,
    work: (tx: Prisma.TransactionClient) => Promise<Row>,
    parent = noun,
  ): Promise<Row> {
    try {
      return await this.prisma.change(actorOf(scope), work);
    } catch (error) {
      const article = /^[ao]/.test(noun) ? 'an' : 'a';
      if (isUniqueViolation(error)) throw invalid({ slug: [`belongs to ${article} ${noun} that already exists`] });
      // The path named it: it has gone since.
      if (isParentGone(error)) throw notFound(parent);
      throw error;
    }
  }
}

const bySlug = { slug: 'asc' } as const;
