import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../platform/database/database.js';
import { NEWEST, TAKING_IDS } from './inbox.sql.js';

const POLL_MS = 10;
/** The statement timeout: no transaction that stores messages takes longer. */
const TIMEOUT_MS = 30_000;

/**
 * An id up to which no message can still appear. Ids are taken in one order and committed in another. A reader who is sent a message
 * while one with a lower id is not committed yet would continue after the higher id, and miss the other message. `lastOwnId`: the last id that
 * this cell gives out.
 */
export async function settledId(database: Database, lastOwnId: number): Promise<number> {
  const { rows } = await database.query<{ newest: number }>('inbox-newest', NEWEST, [lastOwnId]);
  let open = await takingIds(database);
  for (const end = Date.now() + TIMEOUT_MS; open.size > 0 && Date.now() < end;) {
    await sleep(POLL_MS);
    const now = await takingIds(database);
    open = new Set([...open].filter((transaction) => now.has(transaction)));
  }
  return rows[0]!.newest;
}

async function takingIds(database: Database): Promise<Set<string>> {
  const { rows } = await database.query<{ transaction: string }>('inbox-taking-ids', TAKING_IDS, []);
  return new Set(rows.map(({ transaction }) => transaction));
}
