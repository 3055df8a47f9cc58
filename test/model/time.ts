import type { Pool } from 'pg';
import { MAKE_READY } from '../../src/platform/queue/job.sql.js';

/**
 * Jobs wait for their time only as the test says: a retry is due in seconds, and a busy machine takes longer for a command. No worker takes
 * a job while `queue_stands_still` has a row.
 */
export const STOP_TIME = `
  create function keep_waiting() returns trigger language plpgsql as 'begin return null; end';
  create trigger stop_time before update on jobs for each row
    when (old.state = 'scheduled' and new.state = 'ready' and current_setting('test.time_passes', true) is distinct from 'yes')
    execute function keep_waiting();
  create table queue_stands_still ();
  create function stand_still() returns trigger language plpgsql as
    'begin if exists (select from queue_stands_still) then return null; end if; return new; end';
  create trigger stand_still before update on jobs for each row
    when (old.state = 'ready' and new.state = 'running') execute function stand_still()`;

const aDayEarlier = (field: string) => `
  update occurrences set options = jsonb_set(options, '{${field}}', to_jsonb(
    to_char(((options->>'${field}')::timestamptz - interval '1 day') at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')))
  where organization_id = $1 and options ? '${field}'`;

/** A day passes: every stored time is a day earlier. */
const PASS = [
  `update jobs set run_at = run_at - interval '1 day' where organization_id = $1 and state = 'scheduled'`,
  `update deliveries set next_attempt_at = next_attempt_at - interval '1 day', pending_since = pending_since - interval '1 day'
   where organization_id = $1 and status = 'pending'`,
  aDayEarlier('send_at'),
  aDayEarlier('expires_at'),
];

export async function passADay(pool: Pool, organizationId: number): Promise<undefined> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    await client.query(`set local test.time_passes = 'yes'`);
    for (const sql of PASS) await client.query(sql, [organizationId]);
    await client.query(MAKE_READY, [1000]);
    await client.query('commit');
  } finally {
    client.release();
  }
}
