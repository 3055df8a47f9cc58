import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database.js';
import { tooMany } from '../../../platform/http/limit/too-many.js';
import type { FoundRows } from '../../../platform/http/list/listing.js';
import { afterId } from '../../../platform/http/list/page.js';
import { TenantLimiter } from '../../../platform/tenant-limiter.js';
import { scanUsers } from './scan-users.js';
import type { Scan, ScannedUser } from './scan-users.js';
import { conditionOf } from './user-filter.js';
import type { UserListFilter } from './user-filter.js';
import { containsInside, startingUsers } from './user-search.js';

export interface FoundUser {
  id: number;
  email: string;
  firstName: string;
  lastName: string;
  locked: boolean;
  /** The cursor after the user, if it is not the id. */
  place?: string;
}

/** In the cursor of a page that begins with users who are found by the middle of a word. */
const INSIDE = 'inside-';

/** A search may keep a processor of PostgreSQL busy. Somebody who types asks again before the last answer is there. */
const SEARCHES = { perOrganization: 2, inAll: 4, maxWaiting: 20, waitMs: 20_000, refusal: tooMany('searches') };

/** Finds the users that a list shows. */
@Injectable()
export class UserFinder {
  private readonly searches = new TenantLimiter<number>(SEARCHES);

  constructor(private readonly database: Database) {}

  /** The next users that a filter leaves, in its order. */
  async find(
    organizationId: number,
    { order, ...filter }: UserListFilter,
    after: string | null,
    limit: number,
  ): Promise<FoundRows<FoundUser>> {
    const isSearchAlone = Object.values({ ...filter, order, search: null }).every((value) => value === null);
    if (filter.search !== null && isSearchAlone) return this.search(organizationId, filter.search, after, limit);
    const condition = conditionOf(organizationId, filter);
    return this.scan({ organizationId, condition, order: order ?? 'id', after, limit });
  }

  /** First those whom the words start, by index, and then those who have them inside. */
  private async search(
    organizationId: number,
    text: string,
    after: string | null,
    limit: number,
  ): Promise<FoundRows<FoundUser>> {
    const isInside = after?.startsWith(INSIDE) ?? false;
    const starting = isInside ? [] : await this.starting(organizationId, text, afterId(after), limit);
    if (starting.length === limit) return { rows: starting, goesOnAt: null };
    const { rows, goesOnAt } = await this.scan({
      ...{ organizationId, condition: containsInside(text), order: 'id' },
      after: isInside ? after!.slice(INSIDE.length) : null,
      limit: limit - starting.length,
    });
    const inside = rows.map((row) => ({ ...row, place: INSIDE + row.place }));
    return { rows: [...starting, ...inside], goesOnAt: goesOnAt === null ? null : INSIDE + goesOnAt };
  }

  private async starting(organizationId: number, text: string, after: number, limit: number): Promise<FoundUser[]> {
    return (await this.database.pool.query<FoundUser>(startingUsers(organizationId, text, after, limit))).rows;
  }

  private scan(scan: Scan): Promise<FoundRows<FoundUser & ScannedUser>> {
    return this.searches.run(scan.organizationId, () => scanUsers<FoundUser & ScannedUser>(this.database, scan));
  }
}
