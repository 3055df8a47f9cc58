import { Injectable } from '@nestjs/common';
import { actorOf } from '../../auth/scope.js';
import type { Scope } from '../../auth/scope.js';
import { Removal } from '../resource/removal.js';
import { emailKey } from '../../platform/field/email.js';
import type { Prisma } from '../../platform/database/generated/prisma/client.js';
import { Listing } from '../../platform/http/list/listing.js';
import { afterId } from '../../platform/http/list/page.js';
import type { Page } from '../../platform/http/list/page.js';
import { invalidField, notFound } from '../../platform/http/problem.js';
import { Database } from '../../platform/database/database.js';
import { isRowGone, isUniqueViolation } from '../../platform/database/database-error.js';
import { PrismaService } from '../../platform/database/prisma.service.js';
import { lockRows } from '../../platform/database/transaction.js';
import type { Transaction } from '../../platform/database/transaction.js';
import { StoredBytes } from '../../auth/quota/stored-bytes.js';
import { eraseUser } from './privacy/erase.js';
import { MAX_CUSTOM_FIELDS_BYTES, mergeDeep } from './custom-fields.js';
import { searchUsers } from './user-search.js';
import { CreatedUserDto, UpdatedUserDto, UserDto } from './user.dto.js';
import type { CreateUserDto, UpdateUserDto } from './user.dto.js';
import { GET_USER, LIST_USERS } from './user.sql.js';

const userSelect = { id: true, email: true, firstName: true, lastName: true, locked: true } satisfies Prisma.UserSelect;
const fullSelect = { ...userSelect, customFields: true } satisfies Prisma.UserSelect;

type UserRow = Prisma.UserGetPayload<{ select: typeof userSelect }>;

@Injectable()
export class UserService {
  constructor(
    private readonly prisma: PrismaService,
    /** For what is read most: see user.sql.ts. */
    private readonly database: Database,
    private readonly removal: Removal,
    private readonly stored: StoredBytes,
  ) {}

  list({ organizationId }: Scope, page: Page, search: string | null): Listing<UserRow, UserDto> {
    const read = async (after: string | null, limit: number) => {
      if (search !== null) {
        const found = searchUsers(organizationId, search, afterId(after), limit);
        return (await this.database.pool.query<UserRow>(found)).rows;
      }
      const values = [[organizationId], afterId(after), limit];
      return (await this.database.query<UserRow>('list-users', LIST_USERS, values)).rows;
    };
    return new Listing(page, read, UserDto.from, ({ id }) => id);
  }

  async create(scope: Scope, body: CreateUserDto): Promise<CreatedUserDto> {
    const { email } = body;
    const data: Prisma.UserUncheckedCreateInput = {
      organizationId: scope.organizationId,
      email,
      emailKey: emailKey(email),
      firstName: body.first_name,
      lastName: body.last_name,
      customFields: body.custom_fields as Prisma.InputJsonObject | undefined,
      addresses: { create: { name: 'email', value: email } },
    };
    try {
      const create = (tx: Transaction) => tx.user.create({ data, select: fullSelect });
      return CreatedUserDto.from(await this.prisma.change(actorOf(scope), create));
    } catch (error) {
      if (isUniqueViolation(error))
        throw invalidField('email', 'already_exists', 'belongs to a user that already exists');
      if (isRowGone(error)) throw notFound('organization');
      throw error;
    }
  }

  async get({ userId, organizationId }: Scope): Promise<UserDto> {
    const { rows } = await this.database.query<UserRow>('get-user', GET_USER, [userId, organizationId]);
    const [row] = rows;
    if (!row) throw notFound('user');
    return UserDto.from(row);
  }

  async update(scope: Scope, body: UpdateUserDto): Promise<UpdatedUserDto> {
    const { first_name: firstName, last_name: lastName, locked, custom_fields: customFields, _mode } = body;
    // Without it, a user can be locked although the storage is full.
    if (customFields) this.stored.requireSpace(scope.organizationId, scope.quotas);
    const data: Prisma.UserUpdateInput = { firstName, lastName, locked };
    if (customFields && _mode === 'MERGE') return this.merge(scope, data, customFields);
    if (customFields && _mode === 'REPLACE') data.customFields = customFields as Prisma.InputJsonObject;
    return this.prisma.change(actorOf(scope), (tx) => this.save(tx, scope, data));
  }

  /**
   * Also deletes addresses, list memberships and inbox. The audit log forgets their data. Records of messages sent to them are kept, unless
   * their data is erased.
   */
  async remove(scope: Scope, { erase }: { erase: boolean }): Promise<void> {
    await this.removal.remove(scope, 'user', scope.userId, (tx) => {
      const remove = () => tx.user.delete({ where: only(scope), select: { id: true } });
      return erase ? eraseUser(tx, scope, remove) : remove();
    });
  }

  /** Reads and writes under one row lock, so that two concurrent merges both take effect. */
  private merge(scope: Scope, data: Prisma.UserUpdateInput, fields: Record<string, unknown>): Promise<UpdatedUserDto> {
    return this.prisma.change(actorOf(scope), async (tx) => {
      await lockRows(tx, 'users', [scope.userId]);
      const row = await tx.user.findUnique({ where: only(scope), select: { customFields: true } });
      if (!row) throw notFound('user');
      const customFields = mergeDeep(row.customFields as Record<string, unknown>, fields);
      if (Buffer.byteLength(JSON.stringify(customFields)) > MAX_CUSTOM_FIELDS_BYTES) {
        throw invalidField(
          'custom_fields',
          'too_large',
          'would exceed 256 KB after the merge: use _mode REPLACE to remove fields',
        );
      }
      return this.save(tx, scope, { ...data, customFields: customFields as Prisma.InputJsonObject });
    });
  }

  private async save(tx: Transaction, scope: Scope, data: Prisma.UserUpdateInput): Promise<UpdatedUserDto> {
    try {
      return UpdatedUserDto.from(await tx.user.update({ where: only(scope), data, select: fullSelect }));
    } catch (error) {
      if (isRowGone(error)) throw notFound('user');
      throw error;
    }
  }
}

const only = ({ userId, organizationId }: Scope) => ({ id: userId, organizationId });
