import { Injectable } from '@nestjs/common';
import { actorOf } from '../auth/scope.js';
import type { Scope } from '../auth/scope.js';
import type { Prisma } from '../generated/prisma/client.js';
import { refuseIfUsed } from '../http/in-use.js';
import { Listing } from '../http/list/listing.js';
import { afterId } from '../http/list/page.js';
import type { Page } from '../http/list/page.js';
import { invalid, notFound } from '../http/problem.js';
import { Database } from '../prisma/database.js';
import { nextRows } from '../prisma/next-rows.js';
import { PrismaService } from '../prisma/prisma.service.js';
import { isParentGone, isUniqueViolation } from '../prisma/unique.js';
import { DistributionListDto, MAX_NAME } from './distribution-list.dto.js';
import { listKey } from './list-key.js';
import { USERS_OF_LISTS } from './list-users.js';

const listSelect = { id: true, name: true } satisfies Prisma.DistributionListSelect;

type ListRow = Prisma.DistributionListGetPayload<{ select: typeof listSelect }>;

const LIST = `select id, name from distribution_lists where ${nextRows('project_id')}`;

@Injectable()
export class DistributionListService {
  constructor(
    private readonly prisma: PrismaService,
    private readonly database: Database,
  ) {}

  list(scope: Scope, page: Page, baseUrl: string): Listing<ListRow, DistributionListDto> {
    const read = async (after: string | null, limit: number) => {
      const values = [[scope.projectId], afterId(after), limit];
      return (await this.database.query<ListRow>('list-distribution-lists', LIST, values)).rows;
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
    const where = { id: scope.listId, organizationId: scope.organizationId };
    return this.write(scope, rawName, baseUrl, 'distribution list', (tx, data) =>
      tx.distributionList.update({ where, data, select: listSelect }),
    );
  }

  /** With its members, who stay users. */
  async remove(scope: Scope): Promise<void> {
    const { listId, organizationId } = scope;
    await this.database.change(actorOf(scope), async (client) => {
      await client.query('set local statement_timeout = 0'); // it may have a million members
      // Locked, so that nothing comes to use it meanwhile.
      const lock = 'select from distribution_lists where id = $1 and organization_id = $2 for update';
      if (!(await client.query(lock, [listId, organizationId])).rowCount) throw notFound('distribution list');
      const { rows } = await client.query<{ user: string }>(USERS_OF_LISTS, [[listId]]);
      refuseIfUsed(
        'distribution list',
        rows.map(({ user }) => user),
      );
      await client.query('delete from distribution_lists where id = $1', [listId]);
    });
  }

  private async write(
    scope: Scope,
    rawName: string,
    baseUrl: string,
    parent: string,
    work: (tx: Prisma.TransactionClient, names: { name: string; nameKey: string }) => Promise<ListRow>,
  ): Promise<DistributionListDto> {
    const name = rawName.trim();
    if (!name) throw invalid({ name: ['must not be blank'] });
    if (name.length > MAX_NAME) throw invalid({ name: [`must be shorter than or equal to ${MAX_NAME} characters`] });
    try {
      const row = await this.prisma.change(actorOf(scope), (tx) => work(tx, { name, nameKey: listKey(name) }));
      return DistributionListDto.from(row, scope.path, baseUrl);
    } catch (error) {
      if (isUniqueViolation(error)) throw invalid({ name: ['belongs to a distribution list that already exists'] });
      if (isParentGone(error)) throw notFound(parent);
      throw error;
    }
  }

  async get(scope: Scope, baseUrl: string): Promise<DistributionListDto> {
    const row = await this.prisma.distributionList.findUnique({
      where: { id: scope.listId, organizationId: scope.organizationId },
      select: listSelect,
    });
    if (!row) throw notFound('distribution list');
    return DistributionListDto.from(row, scope.path, baseUrl);
  }
}
