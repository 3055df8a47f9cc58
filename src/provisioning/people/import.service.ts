import type { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { channelIds } from '../../channel/channel-ids.js';
import { isObject } from '../../field/is-object.js';
import { commandLine } from '../../prisma/actor.js';
import { PrismaService } from '../../prisma/prisma.service.js';
import type { Transaction } from '../../prisma/transaction.js';
import { normalizeAddress } from '../../user/address.js';
import { workAlone } from '../alone.js';
import { checkEntry } from '../file.js';
import type { MemberEntry, UserEntry } from '../file.js';
import { findList, findOrganization } from '../find.js';
import type { ListPlace } from '../find.js';
import { addAddresses, putMembers, upsertUsers } from './people.js';
import { MEMBER_COLUMNS, USER_COLUMNS } from './people-columns.js';
import { readPeople } from './people-file.js';
import type { Columns, PeopleRow, PeopleSource } from './people-file.js';

const CHUNK = 5000;
const MOST_NAMED = 1000;

export interface Refusal {
  line: number;
  problem: string;
}

export interface ImportResult {
  /** Counts by what was done. */
  done: Record<string, number>;
  refused: number;
  /** The first of them. */
  refusals: Refusal[];
}

export interface ImportOptions extends PeopleSource {
  /** Work it out, keep nothing of it. */
  dryRun?: boolean;
}

/**
 * People from a file of any size, in one transaction: interrupted, it has done nothing, and can be run again. A row that is
 * refused keeps none of the others out.
 */
@Injectable()
export class ImportService {
  constructor(private readonly prisma: PrismaService) {}

  users(org: string, input: Readable, options: ImportOptions): Promise<ImportResult> {
    return this.run(input, options, USER_COLUMNS, async (tx) => {
      const organizationId = await findOrganization(tx, org);
      return {
        read: readUser,
        write: async (entries: UserEntry[]) => {
          const { created, updated } = await upsertUsers(tx, organizationId, entries, { merge: true });
          return { created, updated, 'new addresses': await addAddresses(tx, organizationId, entries) };
        },
      };
    });
  }

  members(list: ListPlace, input: Readable, options: ImportOptions): Promise<ImportResult> {
    return this.run(input, options, MEMBER_COLUMNS, async (tx) => {
      const organizationId = await findOrganization(tx, list.org);
      const place = await findList(tx, organizationId, list);
      const channels = await channelIds(tx, { organizationId, projectId: place.projectId });
      return {
        read: (value) => readMember(value, channels),
        write: async (entries: MemberEntry[]) => {
          const counts = await putMembers(tx, { organizationId, ...place }, entries, channels);
          return { added: counts.added, updated: counts.updated, 'new users': counts.createdUsers };
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
      await workAlone(tx);
      const kind = await begin(tx);
      for await (const chunk of chunksOf(readPeople(input, source, columns), kind.read, result)) {
        for (const [what, count] of Object.entries(await kind.write(chunk)))
          result.done[what] = (result.done[what] ?? 0) + count;
      }
      if (dryRun) throw rollback;
    };
    try {
      // It cannot start again after a deadlock: the rows that it has read are gone from the input.
      await this.prisma.change(commandLine('import'), work, { retry: false });
    } catch (error) {
      if (error !== rollback) throw error;
    }
    return result;
  }
}

interface Kind<Entry> {
  /** An entry, or what is wrong with it. */
  read: (value: unknown) => Entry | { problem: string };
  write: (entries: Entry[]) => Promise<Record<string, number>>;
}

async function* chunksOf<Entry>(
  rows: AsyncGenerator<PeopleRow>,
  read: Kind<Entry>['read'],
  result: ImportResult,
): AsyncGenerator<Entry[]> {
  let chunk: Entry[] = [];
  for await (const row of rows) {
    const entry = 'problem' in row ? row : read(row.value);
    if (isProblem(entry)) {
      if (++result.refused <= MOST_NAMED) result.refusals.push({ line: row.line, problem: entry.problem });
      continue;
    }
    chunk.push(entry);
    if (chunk.length < CHUNK) continue;
    yield chunk;
    chunk = [];
  }
  if (chunk.length > 0) yield chunk;
}

const isProblem = (entry: unknown): entry is { problem: string } => isObject(entry) && 'problem' in entry;

function readUser(value: unknown): UserEntry | { problem: string } {
  const checked = checkEntry('user', value);
  if (isProblem(checked)) return checked;
  for (const address of checked.addresses ?? []) {
    const normal = normalizeAddress(address.name, address.value);
    if ('problem' in normal) return { problem: `${address.name} ${normal.problem}` };
    address.value = normal.value;
  }
  return checked;
}

function readMember(value: unknown, channels: Map<string, number>): MemberEntry | { problem: string } {
  const checked = checkEntry('member', typeof value === 'string' ? { email: value } : value);
  if (isProblem(checked) || checked.channel === undefined || channels.has(checked.channel)) return checked;
  return { problem: `there is no channel ${checked.channel}` };
}
