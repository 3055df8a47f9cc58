import { Injectable } from '@nestjs/common';
import { actorOf } from '../../auth/scope.js';
import type { Scope } from '../../auth/scope.js';
import { Removal } from '../resource/removal.js';
import { NAME_MAX_LENGTH } from '../../platform/field/slug.js';
import { lengthOf } from '../../platform/field/text-length.js';
import type { Prisma } from '../../platform/database/generated/prisma/client.js';
import { Listing } from '../../platform/http/list/listing.js';
import { afterId } from '../../platform/http/list/page.js';
import type { Page } from '../../platform/http/list/page.js';
import { invalidField, notFound } from '../../platform/http/problem.js';
import { Database } from '../../platform/database/database.js';
import { isRowGone, isUniqueViolation } from '../../platform/database/database-error.js';
import { PrismaService } from '../../platform/database/prisma.service.js';
import type { Transaction } from '../../platform/database/transaction.js';
import { DistributionListDto } from './distribution-list.dto.js';
import { LIST_DISTRIBUTION_LISTS } from './distribution-list.sql.js';
import { listKey } from './list-key.js';

const listSelect = { id: true, name: true } satisfies Prisma.DistributionListSelect;

type ListRow = Prisma.DistributionListGetPayload<{ select: typeof listSelect }>;

@Injectable()
export class DistributionListService {
  constructor(
    private readonly prisma: PrismaService,
    /** For `list`: a project may have very many distribution lists. */
    private readonly database: Database,
    private readonly removal: Removal,
  ) {}

  list(scope: Scope, page: Page, baseUrl: string): Listing<ListRow, DistributionListDto> {
    const read = async (after: string | null, limit: number) => {
      const values = [[scope.projectId], afterId(after), limit];
      return (await this.database.query<ListRow>('list-distribution-lists', LIST_DISTRIBUTION_LISTS, values)).rows;
    };
    const show = (row: ListRow) => DistributionListDto.from(row, scope.path, baseUrl);
    return new Listing(page, read, show, ({ id }) => id);
  }

  create(scope: Scope, rawName: string, baseUrl: string): Promise<DistributionListDto> {
    const { organizationId, projectId } = scope;
    return this.write(scope, rawName, baseUrl, 'project', (tx, names) =>
      tx.distributionList.create({ data: { organizationId, projectId, ...names }, select: listSelect }),
    );
  }

  update(scope: Scope, rawName: string, baseUrl: string): Promise<DistributionListDto> {
    return this.write(scope, rawName, baseUrl, 'distribution list', (tx, data) =>
      tx.distributionList.update({ where: whereOf(scope), data, select: listSelect }),
    );
  }

  /** Also removes the members from the list; their users are kept. */
  async remove(scope: Scope): Promise<void> {
    await this.removal.remove(scope, 'distribution list', scope.listId, (tx) =>
      tx.distributionList.delete({ where: whereOf(scope) }),
    );
  }

  private async write(
    scope: Scope,
    rawName: string,
    baseUrl: string,
    parent: string,
    work: (tx: Transaction, names: { name: string; nameKey: string }) => Promise<ListRow>,
  ): Promise<DistributionListDto> {
    const name = rawName.trim();
    if (!name) throw invalidField('name', 'blank', 'must not be blank');
    if (lengthOf(name) > NAME_MAX_LENGTH)
      throw invalidField('name', 'too_long', `must be shorter than or equal to ${NAME_MAX_LENGTH} characters`);
    try {
      const row = await this.prisma.change(actorOf(scope), (tx) => work(tx, { name, nameKey: listKey(name) }));
      return DistributionListDto.from(row, scope.path, baseUrl);
    } catch (error) {
      if (isUniqueViolation(error))
        throw invalidField('name', 'already_exists', 'belongs to a distribution list that already exists');
      if (isRowGone(error)) throw notFound(parent);
      throw error;
    }
  }

  async get(scope: Scope, baseUrl: string): Promise<DistributionListDto> {
    const row = await this.prisma.distributionList.findUnique({
      where: whereOf(scope),
      select: listSelect,
    });
    if (!row) throw notFound('distribution list');
    return DistributionListDto.from(row, scope.path, baseUrl);
  }
}

const whereOf = ({ listId, organizationId }: Scope) => ({ id: listId, organizationId });
