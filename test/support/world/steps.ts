import type { TestApp } from '../app/app.js';
import { until } from '../until.js';

const PATIENCE_MS = 15_000;

/** Time passes for an occurrence: what was sent and decided is older, and what is due by now is done. A second more, because a first pass waits for one. */
export async function passMinutes({ pool }: Pick<TestApp, 'pool'>, occurrence: string, minutes: number): Promise<void> {
  await quiet(pool, occurrence);
  await age(pool, occurrence, minutes);
  await wake(pool, occurrence, minutes);
  await quiet(pool, occurrence);
}

const back = `- make_interval(mins => $2, secs => 1)`;

/** What was sent and decided is so much older. */
export async function age(pool: TestApp['pool'], occurrence: string, minutes: number): Promise<void> {
  await pool.query(
    `update attempts set at = at ${back} where delivery_id in (select id from deliveries where occurrence_id = $1)`,
    [occurrence, minutes],
  );
  await pool.query(
    `update deliveries set pending_since = pending_since ${back}, next_attempt_at = next_attempt_at ${back} where occurrence_id = $1`,
    [occurrence, minutes],
  );
  await pool.query(`update occurrences set expanded_at = expanded_at ${back} where id = $1`, [occurrence, minutes]);
  await pool.query(`update acknowledgements set at = at ${back} where occurrence_id = $1`, [occurrence, minutes]);
}

/** Jobs look so much earlier what is due. */
export async function wake(pool: TestApp['pool'], occurrence: string, minutes: number): Promise<void> {
  await pool.query(
    `update jobs set run_at = run_at ${back} where payload->>'occurrence' = $1 and state = 'scheduled'`,
    [occurrence, minutes],
  );
}

/** Waits until nothing is left to be done now. */
export async function quiet(pool: TestApp['pool'], occurrence: string): Promise<void> {
  await until(PATIENCE_MS, () => isQuiet(pool, occurrence));
}

/** Whether nothing is left to be done now. Jobs of an occurrence that wait for more than ten seconds are for later. */
export async function isQuiet(pool: TestApp['pool'], occurrence: string): Promise<boolean> {
  const busy = `
    select from jobs
    where (payload->>'occurrence' = $1 or payload->'occurrences' ? $1)
      and state <> 'paused' and (state <> 'scheduled' or run_at < now() + interval '10 seconds')`;
  return (await pool.query(busy, [occurrence])).rowCount === 0;
}

/** The notifications of an occurrence whose steps are not over, if any. */
export async function openSteps({ pool }: Pick<TestApp, 'pool'>, occurrence: string): Promise<number[] | null> {
  const sql = 'select open_steps from occurrences where id = $1';
  return (await pool.query<{ open_steps: number[] | null }>(sql, [occurrence])).rows[0]!.open_steps;
}
