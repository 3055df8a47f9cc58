import type { ClientBase } from 'pg';
import { MEASURED_TABLES, STORE_USAGE, TABLE_PAGES, sampleTable } from './quota.sql.js';

/** Pages of each table that are read: a table of 100 GB takes no longer than one of 16 MB. */
const PAGES = 2000;

interface Sampled {
  organizationId: number;
  bytes: number;
}

/**
 * Estimates how much each organization has stored, from a random part of every large table, and writes it down. Small tables are read whole.
 * Returns the slugs of organizations that use 80 % of their quota. `storedMb`: the quota of organizations without one of their own.
 */
export async function measureUsage(client: ClientBase, storedMb: number): Promise<string[]> {
  const total = new Map<number, number>();
  for (const measured of MEASURED_TABLES) {
    const pages = (await client.query<{ pages: number }>(TABLE_PAGES, [measured.table])).rows[0]!.pages;
    const percent = Math.min(100, (100 * PAGES) / pages);
    const { rows } = await client.query<Sampled>(sampleTable(measured), [percent]);
    for (const { organizationId, bytes } of rows)
      total.set(organizationId, (total.get(organizationId) ?? 0) + (bytes * 100) / percent);
  }
  const values = [[...total.keys()], [...total.values()], storedMb];
  return (await client.query<{ slug: string }>(STORE_USAGE, values)).rows.map(({ slug }) => slug);
}
