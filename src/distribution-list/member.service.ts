import { Injectable } from '@nestjs/common';
import type { Scope } from '../auth/scope.js';
import { Listing, rowsFor } from '../common/listing.js';
import { afterId } from '../common/page.js';
import type { Page } from '../common/page.js';
import { notFound } from '../common/problem.js';
import { Prisma } from '../generated/prisma/client.js';
import { Database } from '../prisma/database.js';
import { addMembers } from './add-members.js';
import { AddedRecipientsDto, MemberDto } from './member.dto.js';
import type { MemberRow } from './member.dto.js';
import { readRecipients } from './recipients.js';

@Injectable()
export class MemberService {
  constructor(private readonly database: Database) {}

  list(scope: Scope, page: Page): Listing<MemberRow, MemberDto> {
    const rows = this.database.stream<MemberRow>(Prisma.sql`
      select m.id, a.value address, a.name "addressKind", u.email "user", c.slug channel, m.active
      from members m
      join users u on u.id = m.user_id
      join addresses a on a.id = m.address_id
      left join channels c on c.id = m.channel_id
      where m.list_id = ${scope.listId} and m.id > ${afterId(page)}
      order by m.id
      limit ${rowsFor(page)}`);
    return new Listing(rows, page, MemberDto.from, ({ id }) => id);
  }

  async add(scope: Scope, body: unknown): Promise<AddedRecipientsDto> {
    const recipients = readRecipients(body);
    const counts = await this.database.transaction((client) => addMembers(client, scope, recipients));
    if (!counts) throw notFound('distribution list');
    return {
      added: counts.added,
      existing: recipients.keys.length - counts.added,
      created_users: counts.createdUsers,
    };
  }
}
