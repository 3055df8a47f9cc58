import { Injectable } from '@nestjs/common';
import type { Scope } from '../../auth/scope.js';
import { Resources } from '../resource/resources.js';
import { afterSlug, bySlug, nameAndSlug, slugOf } from '../../platform/http/list/by-slug.js';
import { Listing } from '../../platform/http/list/listing.js';
import type { Page } from '../../platform/http/list/page.js';
import { notFound } from '../../platform/http/problem.js';
import { PrismaService } from '../../platform/database/prisma.service.js';
import type { Transaction } from '../../platform/database/transaction.js';
import { ApplicationDto } from './application.dto.js';
import type { ApplicationSettingsDto, CreateApplicationDto, UpdateApplicationDto } from './application.dto.js';
import { putApplication } from './application.write.js';

const settings = { ...nameAndSlug, enabled: true } as const;

@Injectable()
export class ApplicationService {
  constructor(
    private readonly prisma: PrismaService,
    private readonly resources: Resources,
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

  create(scope: Scope, { slug, ...fields }: CreateApplicationDto): Promise<ApplicationSettingsDto> {
    return this.resources.create(scope, {
      noun: 'application',
      put: (tx) => putApplication(tx, scope, { slug }, fields),
      read: this.read,
    });
  }

  get({ applicationId }: Scope): Promise<ApplicationSettingsDto> {
    return this.read(this.prisma, applicationId);
  }

  update(scope: Scope, fields: UpdateApplicationDto): Promise<ApplicationSettingsDto> {
    const id = scope.applicationId;
    return this.resources.update(scope, id, {
      noun: 'application',
      put: (tx) => putApplication(tx, scope, { id }, fields),
      read: this.read,
    });
  }

  /** Deletes the application with its keys and status webhook. */
  async remove(scope: Scope): Promise<void> {
    const remove = (tx: Transaction) => tx.application.delete({ where: only(scope) });
    await this.resources.remove(scope, scope.applicationId, { noun: 'application', read: this.read, remove });
  }

  private readonly read = async (client: Transaction, id: number): Promise<ApplicationSettingsDto> => {
    const row = await client.application.findUnique({ where: { id }, select: settings });
    if (!row) throw notFound('application');
    return row;
  };
}

const only = ({ applicationId, organizationId }: Scope) => ({ id: applicationId, organizationId });
