import { setTimeout as sleep } from 'node:timers/promises';

const LOOK_MS = 500;
/** Work of a dead process resumes within 30 s, and a message waits up to a minute for a channel that failed. */
const STALL_MS = 90_000;
const DEADLINE_MS = 900_000;
/** As long as the sink must have received nothing, after the database shows no open work. */
const QUIET_MS = 3000;

const DEAD = `
  select distinct d.occurrence_id occurrence, o.slug organization from deliveries d join organizations o on o.id = d.organization_id
  where d.status = 'dead' limit 100`;

/**
 * Waits until everything has ended, with retries at once and not at their time. Stops waiting when nothing changes any more: the rest
 * is stuck.
 * @param {object} parts
 * @param {import('./observer.mjs').Observer} parts.observer
 * @param {import('./load.mjs').Load} parts.load
 * @param {import('../world/part.mjs').Part} parts.sink
 * @param {import('../report/progress.mjs').Progress} progress
 */
export async function drain({ observer, load, sink }, progress) {
  progress.step('waiting until all has ended');
  const deadline = Date.now() + DEADLINE_MS;
  let [seen, changedAt] = ['', Date.now()];
  while (Date.now() < deadline) {
    await observer.hurry();
    const dead = await observer.query(DEAD);
    for (const { organization, occurrence } of dead) await load.retry(organization, occurrence);
    const open = await observer.open();
    const state = JSON.stringify([open, dead.length, await sink.ask('count')]);
    if (state !== seen) [seen, changedAt] = [state, Date.now()];
    const rest = open.occurrences + open.deliveries + open.jobs + dead.length;
    if (Date.now() - changedAt > (rest === 0 ? QUIET_MS : STALL_MS)) return;
    progress.note(`${open.occurrences} occurrences, ${open.deliveries} deliveries, ${open.jobs} jobs left`);
    await sleep(LOOK_MS);
  }
}
