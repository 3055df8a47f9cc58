import { Readable } from 'node:stream';
import { Injectable, StreamableFile } from '@nestjs/common';
import type { Response } from 'express';
import type { Scope } from '../../../auth/scope.js';
import { ConnectionShares } from '../../../platform/http/limit/connection-shares.js';
import { ResponseBuffers } from '../../../platform/http/limit/response-buffers.js';
import { Database } from '../../../platform/database/database.js';
import { EXPORT_PARTS } from './user-export.sql.js';

const ROWS = 500;
/** What an export holds while it is sent: lines that wait for the client, and the next ones. */
const STREAM_BYTES = 4 * 1024 * 1024;

interface ExportRow {
  id: string;
  line: Record<string, unknown>;
  isCut: boolean;
}

/** Writes everything that is stored about a user, one JSON object a line, as the client reads it. */
@Injectable()
export class UserExportService {
  constructor(
    private readonly database: Database,
    private readonly shares: ConnectionShares,
    private readonly buffers: ResponseBuffers,
  ) {}

  async export(scope: Scope, response: Response): Promise<StreamableFile> {
    this.buffers.admit(scope.organizationId);
    const lines = this.lines(scope);
    // Read before the status is sent, so that a failing query is still a proper error.
    const first = await lines.next();
    const held = this.buffers.hold(response, STREAM_BYTES);
    const text = async function* () {
      for (let part = first; !part.done; part = await lines.next()) {
        yield part.value;
        held.partTaken();
      }
    };
    // The status is already sent: only a closed connection shows an error.
    return new StreamableFile(Readable.from(text(), { objectMode: false }), { type: 'application/x-ndjson' })
      .setErrorLogger(() => undefined)
      .setErrorHandler(() => void response.destroy());
  }

  private async *lines(scope: Scope): AsyncGenerator<string> {
    for (const { kind, sql } of EXPORT_PARTS) {
      for (let after: string | null = '0'; after !== null;) {
        const rows: ExportRow[] = await this.read(scope, sql, after);
        if (rows.length > 0) yield rows.map(({ line }) => `${JSON.stringify({ kind, ...line })}\n`).join('');
        const last: ExportRow | undefined = rows.at(-1);
        after = last && (last.isCut || rows.length === ROWS) ? last.id : null;
      }
    }
  }

  private async read({ userId, organizationId }: Scope, sql: string, after: string): Promise<ExportRow[]> {
    const values = [userId, organizationId, after, ROWS];
    return this.shares.runPart(
      organizationId,
      async () => (await this.database.pool.query<ExportRow>(sql, values)).rows,
    );
  }
}
