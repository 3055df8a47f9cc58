import { Injectable } from '@nestjs/common';
import { actorOf } from '../../auth/scope.js';
import type { Scope } from '../../auth/scope.js';
import { channelIds } from '../channel/channel-ids.js';
import { positiveInt } from '../../platform/field/positive-int.js';
import { Listing } from '../../platform/http/list/listing.js';
import { afterId } from '../../platform/http/list/page.js';
import type { Page } from '../../platform/http/list/page.js';
import { conflict, invalidField, notFound } from '../../platform/http/problem.js';
import { Database } from '../../platform/database/database.js';
import { isForeignKeyViolation } from '../../platform/database/database-error.js';
import { PrismaService } from '../../platform/database/prisma.service.js';
import type { Transaction } from '../../platform/database/transaction.js';
import { StoredBytes } from '../../auth/quota/stored-bytes.js';
import { addMembers } from './add-members.js';
import { AddedRecipientsDto, MemberDto } from './member.dto.js';
import type { UpdateMemberDto } from './member.dto.js';
import { LIST_MEMBERS, LIST_MEMBERS_BY_CHOICE } from './member.sql.js';
import { readRecipients } from './recipients.js';

/** Rows with their indexes and audit entries: much more than the addresses in the body. */
const MEMBER_BYTES = 300;
const USER_BYTES = 700;

@Injectable()
export class MemberService {
  constructor(
    private readonly prisma: PrismaService,
    /** For `list`: a distribution list may have a million members. */
    private readonly database: Database,
    private readonly stored: StoredBytes,
  ) {}

  list({ listId }: Scope, page: Page, chosen: '0' | '1' | null): Listing<MemberDto, MemberDto> {
    const [name, sql] =
      chosen === null ? ['list-members', LIST_MEMBERS] : [`list-members-${chosen}`, LIST_MEMBERS_BY_CHOICE[chosen]];
    const read = async (after: string | null, limit: number) => {
      const values = [[listId], afterId(after), limit];
      return (await this.database.query<MemberDto>(name, sql, values)).rows;
    };
    return new Listing(page, read, MemberDto.from, ({ id }) => id);
  }

  async update(scope: Scope, { active, channel }: UpdateMemberDto): Promise<MemberDto> {
    const id = memberId(scope);
    await this.change(scope, async (tx) => {
      const channelId = typeof channel === 'string' ? (await channelIds(tx, scope)).get(channel) : channel;
      if (typeof channel === 'string' && channelId === undefined)
        throw invalidField('channel', 'not_found', 'is not a channel of the project or the organization');
      const where = { id, listId: scope.listId };
      const { count } = await tx.member.updateMany({ where, data: { active, channelId } });
      if (count === 0) throw notFound('member');
    });
    const { rows } = await this.database.query<MemberDto>('list-members', LIST_MEMBERS, [[scope.listId], id - 1, 1]);
    const [row] = rows;
    if (row?.id !== id) throw notFound('member');
    return MemberDto.from(row);
  }

  async remove(scope: Scope): Promise<void> {
    const where = { id: memberId(scope), listId: scope.listId };
    const { count } = await this.change(scope, (tx) => tx.member.deleteMany({ where }));
    if (count === 0) throw notFound('member');
  }

  async add(scope: Scope, body: unknown): Promise<AddedRecipientsDto> {
    const recipients = readRecipients(body);
    const counts = await this.change(scope, (tx) => addMembers(tx, scope, recipients));
    if (!counts) throw notFound('distribution list');
    this.stored.add(scope.organizationId, MEMBER_BYTES * counts.added + USER_BYTES * counts.createdUsers);
    return {
      added: counts.added,
      existing: recipients.keys.length - counts.added,
      created_users: counts.createdUsers,
    };
  }

  private async change<Result>(scope: Scope, work: (tx: Transaction) => Promise<Result>): Promise<Result> {
    try {
      return await this.prisma.change(actorOf(scope), work);
    } catch (error) {
      if (isForeignKeyViolation(error))
        throw conflict('Another request has just deleted a user, an address or the channel. Try again.');
      throw error;
    }
  }
}

function memberId({ path }: Scope): number {
  const id = positiveInt(path.member ?? '');
  if (id === null) throw notFound('member');
  return id;
}
