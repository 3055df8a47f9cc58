import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../prisma/database.js';
import { DRAWING, NEWEST } from './inbox.sql.js';

const LOOK_AGAIN_MS = 10;
/** As long as a statement may take; nobody who stores messages is still at it after that. */
const LONGEST_MS = 30_000;

/**
 * An id up to which every message is stored by now, or never will be. Ids are drawn in one order and committed in another: a
 * message that is shown while a lower one is on its way would make its reader ask for what comes after it, and miss the other.
 */
export async function settledId(database: Database): Promise<number> {
  const { rows } = await database.query<{ newest: number }>('inbox-newest', NEWEST, []);
  let open = await drawing(database);
  for (const end = Date.now() + LONGEST_MS; open.size > 0 && Date.now() < end;) {
    await sleep(LOOK_AGAIN_MS);
    const now = await drawing(database);
    open = new Set([...open].filter((transaction) => now.has(transaction)));
  }
  return rows[0]!.newest;
}

async function drawing(database: Database): Promise<Set<string>> {
  const { rows } = await database.query<{ transaction: string }>('inbox-drawing', DRAWING, []);
  return new Set(rows.map(({ transaction }) => transaction));
}
