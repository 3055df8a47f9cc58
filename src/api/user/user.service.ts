import { Injectable } from '@nestjs/common';
import { actorOf } from '../../auth/scope.js';
import type { Scope } from '../../auth/scope.js';
import { Resources } from '../resource/resources.js';
import { emailKey } from '../../platform/field/email.js';
import type { Prisma } from '../../platform/database/generated/prisma/client.js';
import { Listing } from '../../platform/http/list/listing.js';
import type { FoundRows } from '../../platform/http/list/listing.js';
import { tooMany } from '../../platform/http/limit/too-many.js';
import { afterId } from '../../platform/http/list/page.js';
import type { Page } from '../../platform/http/list/page.js';
import { invalid, invalidField, notFound } from '../../platform/http/problem.js';
import { Database } from '../../platform/database/database.js';
import { isRowGone } from '../../platform/database/database-error.js';
import { PrismaService } from '../../platform/database/prisma.service.js';
import type { Transaction } from '../../platform/database/transaction.js';
import { TenantLimiter } from '../../platform/tenant-limiter.js';
import { StoredBytes } from '../../auth/quota/stored-bytes.js';
import { eraseUser } from './privacy/erase.js';
import { scanUsers } from './search/scan-users.js';
import type { Scan, ScannedUser } from './search/scan-users.js';
import { conditionOf } from './search/user-filter.js';
import type { UserListFilter } from './search/user-filter.js';
import { containsInside, startingUsers } from './search/user-search.js';
import { CreatedUserDto, UpdatedUserDto, UserDto } from './user.dto.js';
import type { CreateUserDto, UpdateUserDto } from './user.dto.js';
import { GET_USER, LIST_USERS } from './user.sql.js';
import { putUser, putUsers } from './user.write.js';

const userSelect = { id: true, email: true, firstName: true, lastName: true, locked: true } satisfies Prisma.UserSelect;
const fullSelect = { ...userSelect, customFields: true } satisfies Prisma.UserSelect;

interface UserRow extends Prisma.UserGetPayload<{ select: typeof userSelect }> {
  /** The cursor after the user, if it is not the id. */
  place?: string;
}

/** In the cursor of a page that begins with users who are found by the middle of a word. */
const INSIDE = 'inside-';

/** A search may keep a processor of PostgreSQL busy. Somebody who types asks again before the last answer is there. */
const SEARCHES = { perOrganization: 2, inAll: 4, maxWaiting: 20, waitMs: 20_000, refusal: tooMany('searches') };

@Injectable()
export class UserService {
  private readonly searches = new TenantLimiter<number>(SEARCHES);

  constructor(
    private readonly prisma: PrismaService,
    /** For what is read most: see user.sql.ts. */
    private readonly database: Database,
    private readonly resources: Resources,
    private readonly stored: StoredBytes,
  ) {}

  list({ organizationId }: Scope, page: Page, filter: UserListFilter): Listing<UserRow, UserDto> {
    const { order, ...conditions } = filter;
    const { search } = filter;
    const others = Object.values({ ...filter, search: null }).some((value) => value !== null);
    const read = async (after: string | null, limit: number) => {
      if (others) {
        const condition = conditionOf(organizationId, conditions);
        return this.scan({ organizationId, condition, order: order ?? 'id', after, limit });
      }
      if (search !== null) return this.search(organizationId, search, after, limit);
      const values = [[organizationId], afterId(after), limit];
      return (await this.database.query<UserRow>('list-users', LIST_USERS, values)).rows;
    };
    return new Listing(page, read, UserDto.from, ({ id, place }) => place ?? id);
  }

  /** First those whom the words start, by index, and then those who have them inside. */
  private async search(
    organizationId: number,
    text: string,
    after: string | null,
    limit: number,
  ): Promise<FoundRows<UserRow>> {
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

  private async starting(organizationId: number, text: string, after: number, limit: number): Promise<UserRow[]> {
    return (await this.database.pool.query<UserRow>(startingUsers(organizationId, text, after, limit))).rows;
  }

  private scan(scan: Scan): Promise<FoundRows<UserRow & ScannedUser>> {
    return this.searches.run(scan.organizationId, () => scanUsers<UserRow & ScannedUser>(this.database, scan));
  }

  create(scope: Scope, { email, first_name, last_name, custom_fields }: CreateUserDto): Promise<CreatedUserDto> {
    const { organizationId } = scope;
    return this.change(scope, 'organization', async (tx) => {
      const { created, refused } = await putUsers(tx, organizationId, [
        { email, first_name, last_name, custom_fields },
      ]);
      if (refused[0]) throw invalid(refused[0].errors);
      if (created === 0) throw invalidField('email', 'already_exists', 'is already used by another user');
      const where = { organizationId_emailKey: { organizationId, emailKey: emailKey(email) } };
      return CreatedUserDto.from(await tx.user.findUniqueOrThrow({ where, select: fullSelect }));
    });
  }

  async get({ userId, organizationId }: Scope): Promise<UserDto> {
    const { rows } = await this.database.query<UserRow>('get-user', GET_USER, [userId, organizationId]);
    const [row] = rows;
    if (!row) throw notFound('user');
    return UserDto.from(row);
  }

  async update(scope: Scope, body: UpdateUserDto): Promise<UpdatedUserDto> {
    const { first_name, last_name, locked, custom_fields: given, _mode: mode } = body;
    // Without it, a user can be locked although the storage is full.
    if (given) this.stored.requireSpace(scope.organizationId, scope.quotas);
    const custom_fields = mode === 'MERGE' || mode === 'REPLACE' ? given : undefined;
    const fields = { first_name, last_name, locked, custom_fields };
    return this.change(scope, 'user', async (tx) => {
      const put = await putUser(tx, scope, fields, { merge: mode === 'MERGE' });
      if ('errors' in put) throw invalid(put.errors);
      return UpdatedUserDto.from(put);
    });
  }

  /**
   * Also deletes addresses, list memberships and inbox. The audit log forgets their data. Records of messages sent to them are kept, unless
   * their data is erased.
   */
  async remove(scope: Scope, { erase }: { erase: boolean }): Promise<void> {
    const remove = (tx: Transaction) => {
      const drop = () => tx.user.delete({ where: only(scope), select: { id: true } });
      return erase ? eraseUser(tx, scope, drop) : drop();
    };
    await this.resources.remove(scope, scope.userId, { noun: 'user', remove });
  }

  /** `noun`: what another request may have deleted meanwhile. */
  private async change<Result>(
    scope: Scope,
    noun: string,
    work: (tx: Transaction) => Promise<Result>,
  ): Promise<Result> {
    try {
      return await this.prisma.change(actorOf(scope), work);
    } catch (error) {
      if (isRowGone(error)) throw notFound(noun);
      throw error;
    }
  }
}

const only = ({ userId, organizationId }: Scope) => ({ id: userId, organizationId });
