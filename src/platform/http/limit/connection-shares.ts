import { TenantLimiter } from '../../tenant-limiter.js';
import { tooMany } from './too-many.js';

/** As many as wait in the bursts that clients send. */
const MAX_WAITING = 200;
const WAIT_MS = 3000;

/**
 * One at a time: while a part is read and written as JSON, other requests wait. With two, six clients that read large lists kept the process
 * busy: the messages of another organization took 290 ms instead of 70.
 */
const PARTS = { perOrganization: 1, waitMs: 60_000, refusal: tooMany('lists') };

/**
 * The operations that may keep a connection busy for long. One organization runs as many as half of the pool has connections, all together leave some
 * for triggers and for the keys of requests. A trigger takes no share: its statement is shared with other triggers.
 */
export class ConnectionShares extends TenantLimiter<number> {
  private readonly parts = new TenantLimiter(PARTS);

  constructor(poolSize: number) {
    super({
      perOrganization: Math.floor(poolSize / 2),
      inAll: Math.floor(poolSize * 0.8),
      maxWaiting: MAX_WAITING,
      waitMs: WAIT_MS,
      refusal: tooMany('requests'),
    });
  }

  /** For a further part of a list. It waits for long, because to refuse it would cut off the list. */
  runPart<Result>(tenant: number, work: () => Promise<Result>): Promise<Result> {
    return this.parts.run(tenant, () => this.run(tenant, work, PARTS.waitMs));
  }
}
