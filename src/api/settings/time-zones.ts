import type { SqlTransaction } from '../../platform/database/transaction.js';

let zones: ReadonlyMap<string, string> | undefined;

/** The time zones that PostgreSQL knows, by their lower case. Read once in each process: PostgreSQL opens a file for each of them. */
export async function knownTimeZones(tx: SqlTransaction): Promise<ReadonlyMap<string, string>> {
  if (!zones) {
    const rows = await tx.$queryRawUnsafe<{ name: string }[]>('select name from pg_timezone_names');
    zones = new Map(rows.map(({ name }) => [name.toLowerCase(), name]));
  }
  return zones;
}
