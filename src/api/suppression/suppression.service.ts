import { Injectable } from '@nestjs/common';
import { actorOf } from '../../auth/scope.js';
import type { Scope } from '../../auth/scope.js';
import { positiveInt } from '../../platform/field/positive-int.js';
import { requireMatch } from '../../platform/http/etag/etag.js';
import { Listing } from '../../platform/http/list/listing.js';
import type { FoundRows } from '../../platform/http/list/listing.js';
import { afterId } from '../../platform/http/list/page.js';
import type { Page } from '../../platform/http/list/page.js';
import { invalid, notFound } from '../../platform/http/problem.js';
import { Database } from '../../platform/database/database.js';
import { isForeignKeyViolation } from '../../platform/database/database-error.js';
import { PrismaService } from '../../platform/database/prisma.service.js';
import { putSuppression } from './suppression.js';
import type { SuppressionRow } from './suppression.js';
import { SuppressionDto } from './suppression.dto.js';
import type { CreateSuppressionDto } from './suppression.dto.js';
import { GET_SUPPRESSION, LIFT_SUPPRESSION, listSuppressions } from './suppression.sql.js';
import type { SuppressionFilter } from './suppression.sql.js';

/**
 * Statements of its own, because PostgreSQL compares addresses, here and when users are found. A key that is bound to a project sees and changes
 * the suppressions of the project, and none of the organization.
 */
@Injectable()
export class SuppressionService {
  constructor(
    private readonly database: Database,
    private readonly prisma: PrismaService,
  ) {}

  list({ organizationId, key }: Scope, page: Page, filter: SuppressionFilter): Listing<SuppressionRow, SuppressionDto> {
    const { name, text, values, end } = listSuppressions({ ...filter, projectId: key.projectId });
    const read = async (after: string | null, limit: number): Promise<FoundRows<SuppressionRow>> => {
      const from = [organizationId, afterId(after)];
      const { rows } = await this.database.query<SuppressionRow>(name, text, [...from, limit, ...values]);
      if (end === null || rows.length === limit) return { rows, goesOnAt: null };
      const [last] = (await this.database.pool.query<{ id: number }>(end.text, [...from, ...end.values])).rows;
      return { rows, goesOnAt: last ? String(last.id) : null };
    };
    return new Listing(page, read, SuppressionDto.from, ({ id }) => id);
  }

  async get({ organizationId, path, key }: Scope): Promise<SuppressionDto> {
    const id = positiveInt(path.suppression ?? '');
    const values = [organizationId, id, key.projectId];
    const { rows } = await this.database.query<SuppressionRow>('get-suppression', GET_SUPPRESSION, values);
    if (!rows[0]) throw notFound('suppression');
    return SuppressionDto.from(rows[0]);
  }

  async create(scope: Scope, body: CreateSuppressionDto, { dryRun }: { dryRun: boolean }): Promise<SuppressionDto> {
    try {
      const owner = { organizationId: scope.organizationId, projectId: scope.key.projectId };
      const put = await this.prisma.change(actorOf(scope), async (tx) => {
        const done = await putSuppression(tx, owner, body);
        if (dryRun && 'row' in done) throw new DryRun(done.row);
        return done;
      });
      if ('errors' in put) throw invalid(put.errors);
      return SuppressionDto.from(put.row);
    } catch (error) {
      if (error instanceof DryRun) return SuppressionDto.from(error.row);
      if (isForeignKeyViolation(error)) throw notFound('organization');
      throw error;
    }
  }

  async remove(scope: Scope): Promise<void> {
    const id = positiveInt(scope.path.suppression ?? '');
    const { organizationId, ifMatch } = scope;
    const values = [organizationId, id, scope.key.projectId];
    const lifted = await this.prisma.change(actorOf(scope), async (tx) => {
      await requireMatch(ifMatch, async () => {
        const locked = `${GET_SUPPRESSION} for update`;
        const [row] = await tx.$queryRawUnsafe<SuppressionRow[]>(locked, ...values);
        if (!row) throw notFound('suppression');
        return SuppressionDto.from(row);
      });
      return tx.$queryRawUnsafe<unknown[]>(LIFT_SUPPRESSION, ...values);
    });
    if (lifted.length === 0) throw notFound('suppression');
  }
}

/** Rolls back what was written: so a dry run checks all that a real one checks. */
class DryRun extends Error {
  constructor(readonly row: SuppressionRow) {
    super('dry run');
  }
}
