import { setTimeout as sleep } from 'node:timers/promises';

const LOOK_MS = 500;
/** A second retry is due after up to 36 s, and the work of a dead process resumes within 30 s. */
const STALL_MS = 120_000;
/** As long as the sink must have received nothing, after the database shows no open work. */
const QUIET_MS = 3000;

const OPEN = `
  select (select count(*) from occurrences where status in ('pending', 'expanding'))::int occurrences,
         (select count(*) from deliveries where status = 'pending')::int deliveries,
         (select count(*) from attempts)::int attempts`;

/** @param {import('../world/database.mjs').Database} database */
export async function openWork(database) {
  const [{ occurrences, deliveries }] = await database.query(OPEN);
  return occurrences + deliveries;
}

/**
 * Waits until every occurrence and every delivery has ended. Stops waiting if nothing changes any more: the rest is lost.
 * @param {import('../report/progress.mjs').Progress} progress
 * @param {import('../world/database.mjs').Database} database
 * @param {import('../world/part.mjs').Part} sink
 */
export async function settled(progress, database, sink) {
  progress.step('waiting until all has ended');
  let [seen, changedAt] = ['', Date.now()];
  for (;;) {
    const [open] = await database.query(OPEN);
    const state = JSON.stringify([open, await sink.ask('count')]);
    if (state !== seen) [seen, changedAt] = [state, Date.now()];
    const rest = open.occurrences + open.deliveries;
    const waitedMs = Date.now() - changedAt;
    if (waitedMs > (rest === 0 ? QUIET_MS : STALL_MS)) return;
    progress.note(`${rest.toLocaleString('en')} occurrences and deliveries left`);
    await sleep(LOOK_MS);
  }
}
