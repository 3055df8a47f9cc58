import { Injectable } from '@nestjs/common';
import { Permission } from '../../auth/permission.js';
import type { Scope } from '../../auth/scope.js';
import { Listing } from '../../platform/http/list/listing.js';
import { afterId } from '../../platform/http/list/page.js';
import type { Page } from '../../platform/http/list/page.js';
import { Database } from '../../platform/database/database.js';
import { RevisionDto } from './revision.dto.js';
import type { RevisionRow } from './revision.dto.js';
import { LIST_REVISIONS } from './revision.sql.js';

const MAX_ID = 2_147_483_647;

@Injectable()
export class RevisionService {
  constructor(private readonly database: Database) {}

  /** Newest first, so the next page has lower ids. */
  list(scope: Scope, page: Page): Listing<RevisionRow, RevisionDto> {
    const { eventId, organizationId, key, path } = scope;
    // As for the audit log itself.
    const namesActors = scope.may(Permission.AuditRead) && key.projectId === null;
    const place = `${[path.prj, path.app, path.evt].join('/')}/`;
    const read = async (after: string | null, limit: number) => {
      const before = after === null ? MAX_ID : afterId(after);
      const values = [eventId, before, limit, namesActors ? organizationId : null, place];
      return (await this.database.query<RevisionRow>('list-revisions', LIST_REVISIONS, values)).rows;
    };
    return new Listing(page, read, RevisionDto.from, ({ id }) => id);
  }
}
