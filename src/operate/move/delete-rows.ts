import type { Side } from './side.js';
import { childrenOf } from './tables.js';
import type { OwnTable } from './tables.js';

type OnRows = (count: number) => void | Promise<void>;

const BATCH = 5000;
const OCCURRENCES = 200;

/** Deletes rows in short transactions. No trigger runs: the organization is not deleted, it is elsewhere, and its audit log with it. */
export async function deleteRows(
  side: Side,
  tables: OwnTable[],
  organizationId: number,
  onRows: OnRows = () => undefined,
): Promise<void> {
  const history = tables.filter((table) => table.history);
  await deleteHistory(side, history, organizationId, onRows);
  // Rows that lead others to their organization go after those.
  const last = ['channels', 'events', 'organizations'];
  const place = ({ name }: OwnTable) => last.indexOf(name);
  for (const table of tables.filter(({ history: is }) => !is).sort((a, b) => place(a) - place(b)))
    await deleteAll(side, table, organizationId, onRows);
}

/** The rows of some tables that few rows have. */
export async function deleteAll(
  side: Side,
  { name, scope }: OwnTable,
  organizationId: number,
  onRows: OnRows = () => undefined,
): Promise<void> {
  // Unsealed entries of the audit log too.
  const where = name === 'audit_entries' ? 't.organization_id = $1' : scope;
  const sql = `delete from ${name} where ctid = any(array(select t.ctid from ${name} t where ${where} limit ${BATCH}))`;
  await inBatches(side, sql, [organizationId], onRows);
}

async function deleteHistory(side: Side, tables: OwnTable[], organizationId: number, onRows: OnRows): Promise<void> {
  const events = await side.rows<{ id: number }>('select id from events where organization_id = $1', [organizationId]);
  for (const { id } of events)
    for (;;) {
      const rows = await side.rows<{ id: string }>(
        `select id from occurrences where event_id = $1 order by id limit ${OCCURRENCES}`,
        [id],
      );
      if (rows.length === 0) break;
      const ids = rows.map((row) => row.id);
      await deleteDeliveries(side, tables, ids, onRows);
      for (const { name, parent } of childrenOf(tables, 'occurrences'))
        await inBatches(side, `delete from ${name} where ${parent!.column} = any($1)`, [ids], onRows, Infinity);
      await inBatches(side, 'delete from occurrences where id = any($1)', [ids], onRows, Infinity);
    }
}

async function deleteDeliveries(side: Side, tables: OwnTable[], occurrences: string[], onRows: OnRows): Promise<void> {
  for (;;) {
    const rows = await side.rows<{ id: string }>(
      `select id from deliveries where occurrence_id = any($1) limit ${BATCH}`,
      [occurrences],
    );
    if (rows.length === 0) return;
    const ids = rows.map(({ id }) => id);
    const count = await side.asReplica(async () => {
      let deleted = 0;
      for (const { name, parent } of childrenOf(tables, 'deliveries'))
        deleted += await side.run(`delete from ${name} where ${parent!.column} = any($1)`, [ids]);
      return deleted + (await side.run('delete from deliveries where id = any($1)', [ids]));
    });
    await onRows(count);
  }
}

async function inBatches(side: Side, sql: string, values: unknown[], onRows: OnRows, batch = BATCH): Promise<void> {
  let count: number;
  do {
    count = await side.asReplica(() => side.run(sql, values));
    await onRows(count);
  } while (count >= batch);
}
