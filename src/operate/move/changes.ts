import { setTimeout as sleep } from 'node:timers/promises';
import { isLockTimeout } from '../../platform/database/database-error.js';
import type { Copy } from './copy.js';
import type { Key } from './rows.js';
import type { Side } from './side.js';
import type { OwnTable } from './tables.js';

const BATCH = 5000;
/** Longer than `deadlock_timeout`, after which an automatic vacuum makes room. Writers wait as long. */
const LOCK = `set local lock_timeout = '2s'`;
const MAX_TRIES = 60;
const PAUSE_MS = 1000;

const TRIGGERS = ['move_note_write', 'move_note_delete'];

/** Begins to note which rows of the organization change. A row that the copy reads from now on is either newest, or noted. */
export async function noteChanges(source: Side, tables: OwnTable[], organizationId: number): Promise<void> {
  for (const { name, key, columns } of tables.filter(({ kind }) => kind === 'rows')) {
    const owner = columns.some((column) => column.name === 'organization_id') ? 'organization_id' : 'id';
    const call = `for each row when (ROW.${owner} = ${organizationId})
      execute function move_note(${[organizationId, ...key.map((column) => column.name)].map((arg) => `'${arg}'`).join(', ')})`;
    await withLock(source, async () => {
      await source.run(
        `create or replace trigger move_note_write after insert or update on ${name} ${call.replace('ROW', 'new')}`,
      );
      await source.run(
        `create or replace trigger move_note_delete after delete on ${name} ${call.replace('ROW', 'old')}`,
      );
    });
  }
}

export async function stopNoting(source: Side): Promise<void> {
  const found = await source.rows<{ name: string; table: string }>(
    `select tgname "name", tgrelid::regclass::text "table" from pg_trigger where tgname = any($1)`,
    [TRIGGERS],
  );
  for (const { name, table } of found) await withLock(source, () => source.run(`drop trigger ${name} on ${table}`));
  await source.run('truncate move_changes');
}

/** A trigger needs a lock on its table. Writers queue behind whoever waits for one, so it is tried again and again for a short time. */
async function withLock(source: Side, work: () => Promise<unknown>): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return await source.$transaction(async () => {
        await source.run(LOCK);
        await work();
      });
    } catch (error) {
      if (!isLockTimeout(error) || tries === MAX_TRIES) throw error;
      await sleep(PAUSE_MS);
    }
  }
}

interface Change {
  id: string;
  table: string;
  key: Key;
}

/** Copies the noted rows again. Returns the number of notes, of which those that come in the meantime are for the next time. */
export async function copyChanges(copy: Copy): Promise<number> {
  const { source } = copy;
  const [newest] = await source.rows<{ id: string }>('select coalesce(max(id), 0)::text id from move_changes');
  let count = 0;
  for (;;) {
    const changes = await source.rows<Change>(
      `select id::text, table_name "table", key from move_changes where id <= $1 order by id limit ${BATCH}`,
      [newest!.id],
    );
    if (changes.length === 0) return count;
    for (const [name, keys] of keysByTable(changes)) await copy.again(copy.table(name), keys);
    await source.run('delete from move_changes where id = any($1)', [changes.map(({ id }) => id)]);
    count += changes.length;
  }
}

function keysByTable(changes: Change[]): Map<string, Key[]> {
  const byTable = new Map<string, Map<string, Key>>();
  for (const { table, key } of changes) {
    const keys = byTable.get(table) ?? new Map<string, Key>();
    byTable.set(table, keys.set(JSON.stringify(key), key));
  }
  return new Map([...byTable].map(([table, keys]) => [table, [...keys.values()]]));
}
