import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ImportOptions, ImportResult } from '../../provisioning/user-files/import.service.js';
import { MEMBER_COLUMNS, USER_COLUMNS } from '../../../rules/user-file/user-columns.js';
import { readUsers } from '../../provisioning/user-files/user-file.js';
import { CommandError } from '../print/print.js';
import { RemoteClient, RemoteError } from '../remote/client.js';
import type { RemoteService } from '../remote/client.js';
import { api } from '../remote/path.js';
import { findMembersPlace } from './find-members-place.js';
import type { ImportOwner } from './import-owner.js';
import { chunksOfRows } from './row-chunks.js';
import type { ImportedRow } from './row-chunks.js';
import { refusedRows } from './refused-rows.js';
import type { RowRefusal } from './refused-rows.js';
import type { Applied } from './apply-target.js';

const TIMEOUT_MS = 60_000;
const MAX_REFUSALS = 1000;
/** Requests at a time that merge custom fields. */
const MERGES = 8;
const PAUSE_MS = 1000;

/** The configuration that holds these rows. */
type Envelope = (rows: readonly ImportedRow[]) => object;

/**
 * Imports the rows over HTTP, as parts of a configuration, a chunk in each transaction. A configuration replaces custom fields, and an import
 * merges them: they are sent by themselves.
 */
export async function importOverHttp(
  service: RemoteService,
  owner: ImportOwner,
  input: Readable,
  { dryRun = false, ...source }: ImportOptions,
): Promise<ImportResult> {
  const client = new RemoteClient(service);
  const envelope = owner.list ? await findMembersPlace(client, owner.org, owner.list) : usersEnvelope;
  const importer = new Importer(client, owner.org, envelope, dryRun);
  const rows = readUsers(input, source, owner.list ? MEMBER_COLUMNS : USER_COLUMNS);
  for await (const chunk of chunksOfRows(rows, (line, problem) => importer.refuse({ line, problem })))
    await importer.send(chunk);
  return importer.result;
}

const usersEnvelope: Envelope = (rows) => ({ users: rows.map(({ value }) => value) });

class Importer {
  readonly result: ImportResult = { done: {}, refused: 0, refusals: [] };
  private lastLine = 0;

  constructor(
    private readonly client: RemoteClient,
    private readonly org: string,
    private readonly envelope: Envelope,
    private readonly dryRun: boolean,
  ) {}

  refuse(row: RowRefusal): void {
    if (++this.result.refused <= MAX_REFUSALS) this.result.refusals.push(row);
  }

  /** Leaves out the rows that the service refuses, and sends the others again. */
  async send(chunk: ImportedRow[]): Promise<void> {
    try {
      let rows = chunk;
      for (let refused = await this.put(rows); refused.length > 0; refused = await this.put(rows)) {
        for (const row of refused) this.refuse(row);
        const lines = new Set(refused.map(({ line }) => line));
        rows = rows.filter(({ line }) => !lines.has(line));
      }
      if (!this.dryRun) await this.mergeAll(rows.filter(({ value }) => value.custom_fields !== undefined));
    } catch (error) {
      if (this.lastLine === 0 || this.dryRun || !(error instanceof CommandError)) throw error;
      const message = `${error.message}\nthe rows up to line ${this.lastLine} are imported: correct this, and import the file again`;
      throw new CommandError(message, { cause: error });
    }
    this.lastLine = chunk.at(-1)!.line;
  }

  /** Returns the refused rows; none: the others are stored. */
  private async put(rows: ImportedRow[]): Promise<RowRefusal[]> {
    if (rows.length === 0) return [];
    // A dry run checks custom fields, too, and changes nothing.
    const sent = this.dryRun ? rows : rows.map(withoutCustomFields);
    try {
      const path = api`/api/o/${this.org}/configuration/`;
      const [method, place] = this.dryRun ? (['POST', `${path}plan/`] as const) : (['PUT', path] as const);
      const request = { body: this.envelope(sent), timeoutMs: TIMEOUT_MS };
      const { changes } = await this.client.send<Applied>(method, place, request);
      for (const { verb, noun, count = 0 } of changes) this.count(NAMES[`${verb} ${noun}`] ?? `${verb} ${noun}`, count);
      return [];
    } catch (error) {
      const refused = error instanceof RemoteError && error.status === 400 ? refusedRows(error.errors, rows) : [];
      if (refused.length === 0) throw error;
      return refused;
    }
  }

  private async mergeAll(rows: ImportedRow[]): Promise<void> {
    const waiting = [...rows];
    const work = async () => {
      for (let row = waiting.shift(); row; row = waiting.shift()) await this.merge(row);
    };
    await Promise.all(Array.from({ length: MERGES }, work));
  }

  private async merge({ line, value }: ImportedRow): Promise<void> {
    const path = api`/api/o/${this.org}/u/${value.email}/`;
    const body = { custom_fields: value.custom_fields, _mode: 'MERGE' };
    for (;;) {
      try {
        await this.client.send('PATCH', path, { body });
        return this.count('merged_custom_fields', 1);
      } catch (error) {
        if (!(error instanceof RemoteError)) throw error;
        if (error.status === 400) return this.refuse({ line, problem: error.message.split('\n').slice(1).join('; ') });
        // The rate limit of the key.
        if (error.status !== 429) throw error;
        await sleep(PAUSE_MS);
      }
    }
  }

  private count(what: string, count: number): void {
    if (count > 0) this.result.done[what] = (this.result.done[what] ?? 0) + count;
  }
}

/** As an import on the database counts them. */
const NAMES: Record<string, string> = {
  'create user': 'created',
  'update user': 'updated',
  'create address': 'new_addresses',
  'create member': 'added',
  'update member': 'updated',
};

function withoutCustomFields({ line, value }: ImportedRow): ImportedRow {
  const { custom_fields: _, ...others } = value;
  return { line, value: others };
}
