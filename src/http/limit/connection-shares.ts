import { Shares } from './shares.js';

/** As many as wait in the bursts that clients send. */
const MAX_WAITING = 200;
const WAIT_MS = 3000;

/**
 * The operations that use the database. One organization runs as many as half of the pool has connections, all together leave some
 * for triggers and for the keys of requests. A trigger takes no share: its statement is shared with other triggers.
 */
export class ConnectionShares extends Shares {
  constructor(poolSize: number) {
    super({
      perOrganization: Math.floor(poolSize / 2),
      inAll: Math.floor(poolSize * 0.8),
      maxWaiting: MAX_WAITING,
      waitMs: WAIT_MS,
      nouns: 'requests',
    });
  }
}
