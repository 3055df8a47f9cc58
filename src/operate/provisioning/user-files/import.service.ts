import type { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { channelIds } from '../../../api/channel/channel-ids.js';
import { commandLine } from '../../../platform/database/actor.js';
import { PrismaService } from '../../../platform/database/prisma.service.js';
import type { Transaction } from '../../../platform/database/transaction.js';
import { rescheduleWaiting } from '../../../api/settings/reschedule-waiting.js';
import { knownTimeZones } from '../../../api/settings/time-zones.js';
import { beginBulkWrite, chunksOf } from '../bulk-write.js';
import type { MemberEntry } from '../file.js';
import { findList, findOrganization } from '../find.js';
import type { ListOwner } from '../find.js';
import type { UserFields } from '../../../api/user/user.read.js';
import { putUsers } from '../../../api/user/user.write.js';
import { putMembers } from './users.js';
import type { Columns } from '../../../rules/user-file/columns.js';
import { MEMBER_COLUMNS, USER_COLUMNS } from '../../../rules/user-file/user-columns.js';
import { isProblem, readUsers } from './user-file.js';
import type { UserFileRow, UserFileSource } from './user-file.js';

// Imported late: the check of an entry takes long to load (see ../file-check.ts).
const loadEntries = () => import('./user-entry.js');

const MAX_REFUSALS = 1000;

interface RefusedRow {
  line: number;
  problem: string;
}

export interface ImportResult {
  /** Number of rows for each kind of change. */
  done: Record<string, number>;
  refused: number;
  /** The first refused rows. */
  refusals: RefusedRow[];
}

export interface ImportOptions extends UserFileSource {
  /** Only count the changes: roll them back. */
  dryRun?: boolean;
}

/**
 * Imports users from a file of any size in one transaction. An interrupted import changes nothing and can be run again. A refused row does
 * not stop the other rows.
 */
@Injectable()
export class ImportService {
  constructor(private readonly prisma: PrismaService) {}

  users(org: string, input: Readable, options: ImportOptions): Promise<ImportResult> {
    return this.run(input, options, USER_COLUMNS, async (tx) => {
      const organizationId = await findOrganization(tx, org);
      const { problemOf, readUserRow } = await loadEntries();
      const zones = await knownTimeZones(tx);
      const changedClocks: number[] = [];
      return {
        read: (value) => readUserRow(value, zones),
        write: async (entries: (UserFields & Row)[], refuse) => {
          const put = await putUsers(tx, organizationId, entries, { merge: true });
          changedClocks.push(...put.changedClocks);
          for (const { entry, errors } of put.refused) refuse(entry, problemOf(errors));
          return { created: put.created, updated: put.updated, new_addresses: put.addresses };
        },
        end: () => rescheduleWaiting(tx, organizationId, changedClocks),
      };
    });
  }

  members(list: ListOwner, input: Readable, options: ImportOptions): Promise<ImportResult> {
    return this.run(input, options, MEMBER_COLUMNS, async (tx) => {
      const organizationId = await findOrganization(tx, list.org);
      const place = await findList(tx, organizationId, list);
      const channels = await channelIds(tx, { organizationId, projectId: place.projectId });
      const { readMember } = await loadEntries();
      return {
        read: (value) => readMember(value, channels),
        write: async (entries: MemberEntry[]) => {
          const counts = await putMembers(tx, { organizationId, ...place }, entries, channels);
          return { added: counts.added, updated: counts.updated, new_users: counts.createdUsers };
        },
      };
    });
  }

  private async run<Entry>(
    input: Readable,
    { dryRun, ...source }: ImportOptions,
    columns: Columns,
    begin: (tx: Transaction) => Promise<Kind<Entry>>,
  ): Promise<ImportResult> {
    const rollback = new Error('dry run');
    const result: ImportResult = { done: {}, refused: 0, refusals: [] };
    const work = async (tx: Transaction) => {
      await beginBulkWrite(tx);
      const kind = await begin(tx);
      const refuse = ({ line }: Row, problem: string) => {
        if (++result.refused <= MAX_REFUSALS) result.refusals.push({ line, problem });
      };
      const entries = entriesOf(readUsers(input, source, columns), kind.read, refuse);
      for await (const chunk of chunksOf(tx, entries)) {
        for (const [what, count] of Object.entries(await kind.write(chunk, refuse)))
          result.done[what] = (result.done[what] ?? 0) + count;
      }
      await kind.end?.();
      if (dryRun) throw rollback;
    };
    try {
      // No retry after a deadlock: the input stream cannot be read twice.
      await this.prisma.change(commandLine('import'), work, { retry: false });
    } catch (error) {
      if (error !== rollback) throw error;
    }
    return result;
  }
}

/** Where an entry is in the file. */
interface Row {
  line: number;
}

type Refuse = (row: Row, problem: string) => void;

interface Kind<Entry> {
  /** Returns an entry, or the problem. */
  read: (value: unknown) => Entry | { problem: string };
  write: (entries: (Entry & Row)[], refuse: Refuse) => Promise<Record<string, number>>;
  /** After the last entry. */
  end?: () => Promise<unknown>;
}

async function* entriesOf<Entry>(
  rows: AsyncGenerator<UserFileRow>,
  read: Kind<Entry>['read'],
  refuse: Refuse,
): AsyncGenerator<Entry & Row> {
  for await (const row of rows) {
    const entry = 'problem' in row ? row : read(row.value);
    if (isProblem(entry)) refuse(row, entry.problem);
    else yield { ...entry, line: row.line };
  }
}
