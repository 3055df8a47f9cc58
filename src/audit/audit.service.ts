import { Injectable } from '@nestjs/common';
import type { Scope } from '../auth/scope.js';
import { positiveBigint } from '../field/positive-int.js';
import { Listing } from '../http/list/listing.js';
import { badCursor } from '../http/list/page.js';
import type { Page } from '../http/list/page.js';
import { Database } from '../prisma/database.js';
import { listAuditEntries } from './audit-list.sql.js';
import type { AuditFilter } from './audit-list.sql.js';
import { AuditEntryDto } from './audit.dto.js';
import type { AuditEntryRow } from './audit.dto.js';

/** Reads the audit log. Database triggers write it; see the migration `audit`. */
@Injectable()
export class AuditService {
  constructor(private readonly database: Database) {}

  list({ organizationId }: Scope, filter: AuditFilter, page: Page): Listing<AuditEntryRow, AuditEntryDto> {
    const read = async (after: string | null, limit: number) => {
      const lastId = after === null ? null : positiveBigint(after);
      if (after !== null && lastId === null) throw badCursor();
      const entries = listAuditEntries(organizationId, filter, lastId, limit);
      return (await this.database.pool.query<AuditEntryRow>(entries)).rows;
    };
    return new Listing(page, read, AuditEntryDto.from, ({ id }) => Number(id));
  }
}
