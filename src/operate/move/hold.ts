import { setTimeout as sleep } from 'node:timers/promises';
import { FREEZE, THAW, WAIT_FOR_WRITES } from '../../cell/directory/freeze.sql.js';
import type { Side } from './side.js';

const LOOK_MS = 50;

/** Locks the jobs of an organization. A worker that has not seen the freeze yet passes by locked jobs. */
const LOCK_JOBS = `select state from jobs where organization_id = $1 order by id for update`;

export const freeze = (side: Side, organizationId: number) => side.run(FREEZE, [organizationId]);
export const thaw = (side: Side, organizationId: number) => side.run(THAW, [organizationId]);

/** Resolves when every request that began to write before the freeze has ended. */
export const waitForRequests = (source: Side, organizationId: number) =>
  source.$transaction(() => source.run(WAIT_FOR_WRITES, [organizationId]));

/** Resolves when every transaction that the trigger `move_note` has let through has ended. From the phase on that is set now, it refuses. */
export const waitForNotes = (source: Side, organizationId: number) =>
  source.$transaction(() => source.run('select pg_advisory_xact_lock(7261021, $1)', [organizationId]));

/**
 * Keeps workers away from the jobs of a frozen organization, in a transaction of its own that stays open. If the command is killed, the
 * transaction ends, and by then every worker sees the freeze.
 */
export class JobLocks {
  private constructor(
    private readonly keeper: Side,
    private readonly organizationId: number,
  ) {}

  /** Waits until no job runs: every attempt has ended and is written. Null: some job still runs after `patienceMs`. */
  static async take(keeper: Side, organizationId: number, patienceMs: number): Promise<JobLocks | null> {
    const end = Date.now() + patienceMs;
    for (;;) {
      await keeper.run('begin');
      const locks = new JobLocks(keeper, organizationId);
      if (await locks.extend()) return locks;
      await locks.release();
      if (Date.now() > end) return null;
      await sleep(LOOK_MS);
    }
  }

  /** Also locks jobs that were added since. False: a worker was faster. */
  async extend(): Promise<boolean> {
    const jobs = await this.keeper.rows<{ state: string }>(LOCK_JOBS, [this.organizationId]);
    return jobs.every(({ state }) => state !== 'running');
  }

  async release(): Promise<void> {
    await this.keeper.run('rollback');
  }
}
