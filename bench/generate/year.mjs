import { ENDED, HOURS, OCCURRENCES, PER_OCCURRENCE, SENT, TREE, USERS } from './year.sql.mjs';

const OCCURRENCES_AT_ONCE = 4000;

/** One in so many deliveries, the newest, is sent by statements like those of a worker, and noted by triggers. The others are stored with their end. */
const SENT_OF = 20;

/**
 * Gives one organization so many deliveries, spread over the last year. The figures of the newest are left to the worker, and those of days.
 * @param {import('../world/database.mjs').Database} database
 * @param {{ users: number, deliveries: number }} size
 * @param {(done: number, total: number) => void} progress
 */
export async function generateYear(database, { users, deliveries }, progress) {
  const occurrences = Math.round(deliveries / PER_OCCURRENCE);
  const ended = occurrences - Math.floor(occurrences / SENT_OF);
  // The generated rows are consistent, so foreign keys need no checks.
  await database.query(`set synchronous_commit = off; set work_mem = '256MB'; set session_replication_role = replica`);
  for (const sql of TREE) await database.query(sql);
  for (const sql of USERS) await database.query(sql, sql.includes('$1') ? [users] : []);
  await database.query('analyze');
  for (let first = 1; first <= occurrences;) {
    const isEnded = first <= ended;
    const last = Math.min(first + OCCURRENCES_AT_ONCE - 1, isEnded ? ended : occurrences);
    const made = await database.query(OCCURRENCES, [occurrences, first, last]);
    const ids = [made.map(({ id }) => id)];
    for (const sql of isEnded ? [ENDED] : SENT) await database.query(sql, sql.includes('$1') ? ids : []);
    if (last === ended) {
      for (const sql of HOURS) await database.query(sql);
      await database.query('set session_replication_role = origin');
    }
    first = last + 1;
    progress(last * PER_OCCURRENCE, deliveries);
  }
  await database.query('drop view one; reset synchronous_commit; reset work_mem');
  await database.query('vacuum analyze');
}
