import type { Side } from './side.js';
import type { OwnTable } from './tables.js';

/** SQL for the checksum of one row `t`. Those of many rows are added up, so their order does not matter. */
export const rowChecksum = ({ compared }: OwnTable) => `hashtextextended(${compared ?? `''`}, 0)`;

interface Checksum {
  rows: number;
  sum: string;
}

/** Keys older than this are of no use any more, and each cell deletes them in its own time. */
const CURRENT: Record<string, string> = { idempotency_keys: `t.created_at > $2` };

/** Of all rows of an organization in a table. `since`: idempotency keys that are older do not count. */
async function checksumOf(side: Side, table: OwnTable, organizationId: number, since: Date): Promise<Checksum> {
  const current = CURRENT[table.name];
  const where = [table.scope, ...(current ? [current] : [])].join(' and ');
  // Here the whole table is wanted, so reading it in its own order is best.
  const [checksum] = await side.$transaction(async () => {
    await side.run('set local enable_seqscan = on');
    return side.rows<Checksum>(
      `select count(*)::int "rows", coalesce(sum(${rowChecksum(table)}), 0)::text "sum" from ${table.name} t where ${where}`,
      current ? [organizationId, since] : [organizationId],
    );
  });
  return checksum!;
}

/** Returns the names of the tables that differ, with what each side has. */
export async function compareTables(
  source: Side,
  target: Side,
  tables: OwnTable[],
  organizationId: number,
): Promise<string[]> {
  const since = new Date(Date.now() - 24 * 3_600_000);
  const different: string[] = [];
  for (const table of tables.filter(({ compared }) => compared !== null)) {
    const [a, b] = await Promise.all([source, target].map((side) => checksumOf(side, table, organizationId, since)));
    if (a!.rows !== b!.rows) different.push(`${table.name} (${a!.rows} rows in the source, ${b!.rows} in the target)`);
    else if (a!.sum !== b!.sum) different.push(`${table.name} (${a!.rows} rows, but their checksums differ)`);
  }
  return different;
}
