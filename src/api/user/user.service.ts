import { Injectable } from '@nestjs/common';
import { actorOf } from '../../auth/scope.js';
import type { Scope } from '../../auth/scope.js';
import { Resources } from '../resource/resources.js';
import { emailKey } from '../../platform/field/email.js';
import type { Prisma } from '../../platform/database/generated/prisma/client.js';
import { Listing } from '../../platform/http/list/listing.js';
import { afterId } from '../../platform/http/list/page.js';
import type { Page } from '../../platform/http/list/page.js';
import { invalid, invalidField, notFound } from '../../platform/http/problem.js';
import { Database } from '../../platform/database/database.js';
import { isRowGone } from '../../platform/database/database-error.js';
import { PrismaService } from '../../platform/database/prisma.service.js';
import type { Transaction } from '../../platform/database/transaction.js';
import { StoredBytes } from '../../auth/quota/stored-bytes.js';
import { eraseUser } from './privacy/erase.js';
import { isFiltered } from './search/user-filter.js';
import type { UserListFilter } from './search/user-filter.js';
import { UserFinder } from './search/user-finder.js';
import type { FoundUser } from './search/user-finder.js';
import { CreatedUserDto, UpdatedUserDto, UserDto } from './user.dto.js';
import type { CreateUserDto, UpdateUserDto } from './user.dto.js';
import { GET_USER, LIST_USERS } from './user.sql.js';
import { putUser, putUsers } from './user.write.js';

const userSelect = { id: true, email: true, firstName: true, lastName: true, locked: true } satisfies Prisma.UserSelect;
const fullSelect = { ...userSelect, customFields: true } satisfies Prisma.UserSelect;

@Injectable()
export class UserService {
  constructor(
    private readonly prisma: PrismaService,
    /** For what is read most: see user.sql.ts. */
    private readonly database: Database,
    private readonly resources: Resources,
    private readonly stored: StoredBytes,
    private readonly finder: UserFinder,
  ) {}

  list({ organizationId }: Scope, page: Page, filter: UserListFilter): Listing<FoundUser, UserDto> {
    const read = async (after: string | null, limit: number) => {
      if (isFiltered(filter)) return this.finder.find(organizationId, filter, after, limit);
      const values = [[organizationId], afterId(after), limit];
      return (await this.database.query<FoundUser>('list-users', LIST_USERS, values)).rows;
    };
    return new Listing(page, read, UserDto.from, ({ id, place }) => place ?? id);
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
    const { rows } = await this.database.query<FoundUser>('get-user', GET_USER, [userId, organizationId]);
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
