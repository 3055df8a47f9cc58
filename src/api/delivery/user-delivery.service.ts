import { Inject, Injectable } from '@nestjs/common';
import type { Scope } from '../../auth/scope.js';
import type { Dispatcher } from '../../dispatcher/dispatcher.js';
import { DISPATCHERS } from '../../dispatcher/dispatcher.module.js';
import { positiveBigint } from '../../platform/field/positive-int.js';
import { Prisma } from '../../platform/database/generated/prisma/client.js';
import type { Filter } from '../../platform/http/list/filter.js';
import { Listing } from '../../platform/http/list/listing.js';
import type { FoundRows } from '../../platform/http/list/listing.js';
import { badCursor } from '../../platform/http/list/page.js';
import type { Page } from '../../platform/http/list/page.js';
import { Database } from '../../platform/database/database.js';
import { addressKindOf } from '../../rules/ruleset/decide.js';
import { sentenceOf } from './delivery-sentence.js';
import { UserDeliveryDto } from './delivery.dto.js';
import type { UserDeliveryRow } from './delivery.dto.js';
import { DELIVERY_FILTER, ROWS_AT_ONCE } from './delivery.service.js';
import { NEWEST_DELIVERY, listUserDeliveries } from './user-delivery.sql.js';

export const USER_DELIVERY_FILTER = { status: DELIVERY_FILTER.status };

/**
 * How many ids a search looks through, one after the other. Users with many deliveries are found in the first range. A page ends after the
 * last range, with the rows that were found: no search reads more, however many deliveries there are.
 */
const RANGES = [100_000, 1_000_000, 10_000_000];

/** The deliveries to one user, of all occurrences. */
@Injectable()
export class UserDeliveryService {
  constructor(
    private readonly database: Database,
    @Inject(DISPATCHERS) private readonly dispatchers: ReadonlyMap<string, Dispatcher>,
  ) {}

  /** Newest first, so the next page has lower ids. */
  list(scope: Scope, { status }: Filter<typeof USER_DELIVERY_FILTER>, page: Page) {
    const conditions = status === null ? [] : [Prisma.sql`d.status = ${status}::delivery_status`];
    const read = async (after: string | null, limit: number): Promise<FoundRows<UserDeliveryRow>> => {
      const before = after === null ? null : positiveBigint(after);
      if (after !== null && before === null) throw badCursor();
      return this.search(scope, conditions, before === null ? await this.newestId() : before - 1, limit);
    };
    return new Listing(
      page,
      read,
      (row) => this.show(row),
      ({ id }) => id,
      ROWS_AT_ONCE,
    );
  }

  private async search(scope: Scope, conditions: Prisma.Sql[], newest: number, limit: number) {
    const rows: UserDeliveryRow[] = [];
    let last = newest;
    for (const range of RANGES) {
      const after = Math.max(last - range, 0);
      const found = listUserDeliveries(scope, { after, last }, conditions, limit - rows.length);
      rows.push(...(await this.database.pool.query<UserDeliveryRow>(found)).rows);
      last = after;
      if (last === 0 || rows.length === limit || rows.at(-1)?.isCut) break;
    }
    return { rows, goesOnAt: last === 0 ? null : String(last + 1) };
  }

  private async newestId(): Promise<number> {
    return (await this.database.query<{ id: number }>('newest-delivery', NEWEST_DELIVERY, [])).rows[0]!.id;
  }

  private show(row: UserDeliveryRow): UserDeliveryDto {
    const kindOf = ({ type, config }: { type: string | null; config: Record<string, unknown> | null }) =>
      addressKindOf({ type: type ?? '', config: config ?? {} }, this.dispatchers);
    return UserDeliveryDto.from({ ...row, sentence: sentenceOf(row, kindOf, new Date()) });
  }
}
