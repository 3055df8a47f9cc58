import { Injectable } from '@nestjs/common';
import type { Scope } from '../auth/scope.js';
import { Listing } from '../http/list/listing.js';
import { badCursor, positiveBigint } from '../http/list/page.js';
import type { Page } from '../http/list/page.js';
import { Database } from '../prisma/database.js';
import { nextRows } from '../prisma/next-rows.js';
import { AuditEntryDto } from './audit.dto.js';
import type { AuditEntryRow } from './audit.dto.js';

const LIST = `
  select id, at, key_id "keyId", actor, request_id "requestId", verb, noun, name, count, changes
  from audit_entries where ${nextRows('organization_id')}`;

/** Reads the audit log. Database triggers write it; see the migration `audit`. */
@Injectable()
export class AuditService {
  constructor(private readonly database: Database) {}

  list({ organizationId }: Scope, page: Page): Listing<AuditEntryRow, AuditEntryDto> {
    const read = async (after: string | null, limit: number) => {
      const behind = after === null ? 0 : positiveBigint(after);
      if (behind === null) throw badCursor();
      const values = [[organizationId], behind, limit];
      return (await this.database.query<AuditEntryRow>('list-audit', LIST, values)).rows;
    };
    return new Listing(page, read, AuditEntryDto.from, ({ id }) => Number(id));
  }
}
