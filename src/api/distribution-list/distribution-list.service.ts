import { Injectable } from '@nestjs/common';
import type { Scope } from '../../auth/scope.js';
import { Resources } from '../resource/resources.js';
import type { Prisma } from '../../platform/database/generated/prisma/client.js';
import { etagCovers } from '../../platform/http/etag/etag.js';
import { Listing } from '../../platform/http/list/listing.js';
import { afterId } from '../../platform/http/list/page.js';
import type { Page } from '../../platform/http/list/page.js';
import { notFound } from '../../platform/http/problem.js';
import { Database } from '../../platform/database/database.js';
import { PrismaService } from '../../platform/database/prisma.service.js';
import type { Transaction } from '../../platform/database/transaction.js';
import { DistributionListDto, DistributionListSettingsDto } from './distribution-list.dto.js';
import type { CreateDistributionListDto, UpdateDistributionListDto } from './distribution-list.dto.js';
import { LIST_DISTRIBUTION_LISTS } from './distribution-list.sql.js';
import { putDistributionList } from './distribution-list.write.js';

const listSelect = { id: true, name: true } satisfies Prisma.DistributionListSelect;

type ListRow = Prisma.DistributionListGetPayload<{ select: typeof listSelect }>;

@Injectable()
export class DistributionListService {
  constructor(
    private readonly prisma: PrismaService,
    /** For `list`: a project may have very many distribution lists. */
    private readonly database: Database,
    private readonly resources: Resources,
  ) {}

  list(scope: Scope, page: Page, baseUrl: string): Listing<ListRow, DistributionListDto> {
    const read = async (after: string | null, limit: number) => {
      const values = [[scope.projectId], afterId(after), limit];
      return (await this.database.query<ListRow>('list-distribution-lists', LIST_DISTRIBUTION_LISTS, values)).rows;
    };
    const show = (row: ListRow) => DistributionListDto.from(row, scope.path, baseUrl);
    return new Listing(page, read, show, ({ id }) => id);
  }

  get(scope: Scope, baseUrl: string): Promise<DistributionListDto> {
    return this.reader(scope, baseUrl)(this.prisma, scope.listId);
  }

  async getSettings({ listId: id, organizationId }: Scope): Promise<DistributionListSettingsDto> {
    const row = await this.prisma.distributionList.findUnique({ where: { id, organizationId } });
    if (!row) throw notFound('distribution list');
    return DistributionListSettingsDto.from(row);
  }

  create(scope: Scope, fields: CreateDistributionListDto, baseUrl: string): Promise<DistributionListDto> {
    return this.resources.create(scope, {
      noun: 'distribution list',
      put: (tx) => putDistributionList(tx, scope, fields, fields),
      read: this.reader(scope, baseUrl),
    });
  }

  update(scope: Scope, fields: UpdateDistributionListDto, baseUrl: string): Promise<DistributionListDto> {
    const id = scope.listId;
    return this.resources.update(scope, id, {
      noun: 'distribution list',
      put: (tx) => putDistributionList(tx, scope, { id }, fields),
      read: this.reader(scope, baseUrl),
    });
  }

  /** Also removes the members from the list; their users are kept. */
  async remove(scope: Scope): Promise<void> {
    const { listId: id, organizationId } = scope;
    const remove = (tx: Transaction) => tx.distributionList.delete({ where: { id, organizationId } });
    await this.resources.remove(scope, id, { noun: 'distribution list', remove });
  }

  private reader({ path, organizationId }: Scope, baseUrl: string) {
    return async (client: Transaction, id: number): Promise<DistributionListDto> => {
      const row = await client.distributionList.findUnique({ where: { id, organizationId } });
      if (!row) throw notFound('distribution list');
      // The version is that of the settings, which the operation that answers them has.
      return etagCovers(DistributionListDto.from(row, path, baseUrl), DistributionListSettingsDto.from(row));
    };
  }
}
