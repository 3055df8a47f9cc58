import { Injectable } from '@nestjs/common';
import type { Scope } from '../auth/scope.js';
import { positiveBigint } from '../field/positive-int.js';
import { Listing } from '../http/list/listing.js';
import { badCursor } from '../http/list/page.js';
import type { Page } from '../http/list/page.js';
import { Database } from '../prisma/database.js';
import { AuditEntryDto } from './audit.dto.js';
import type { AuditEntryRow } from './audit.dto.js';
import { LIST_AUDIT_ENTRIES } from './audit.sql.js';

/** Reads the audit log. Database triggers write it; see the migration `audit`. */
@Injectable()
export class AuditService {
  constructor(private readonly database: Database) {}

  list({ organizationId }: Scope, page: Page): Listing<AuditEntryRow, AuditEntryDto> {
    const read = async (after: string | null, limit: number) => {
      const lastId = after === null ? 0 : positiveBigint(after);
      if (lastId === null) throw badCursor();
      const values = [[organizationId], lastId, limit];
      return (await this.database.query<AuditEntryRow>('list-audit', LIST_AUDIT_ENTRIES, values)).rows;
    };
    return new Listing(page, read, AuditEntryDto.from, ({ id }) => Number(id));
  }
}
