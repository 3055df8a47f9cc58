import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../prisma/database.js';

/** How much of a second's messages is taken at a time: little enough to be shared evenly, enough not to ask for each. */
const PART_OF_A_SECOND = 20;

/** What was not used a moment ago may be made up for; more would be a burst. */
const MAKE_UP = `interval '50 milliseconds'`;
/** Who would have to wait longer leaves its place to others meanwhile. */
export const LONGEST_WAIT_MS = 2000;

// A bucket that all workers share, as the one time at which it allows the next message: no clock but PostgreSQL's.
const TAKE = `
  insert into channel_states as s (channel_id, next_send_at) values ($1, clock_timestamp() + $2 * interval '1 second' / $3)
  on conflict (channel_id) do update
    set next_send_at = greatest(s.next_send_at, clock_timestamp() - ${MAKE_UP}) + $2 * interval '1 second' / $3
    where s.next_send_at is null or s.next_send_at < clock_timestamp() + ${LONGEST_WAIT_MS} * interval '1 millisecond'
  returning extract(epoch from next_send_at - clock_timestamp())::float8 * 1000 "untilEndMs"`;

/** Keeps the messages of a channel to its `rate`, over all workers. */
export class Pace {
  private at = 0;
  private left = 0;

  constructor(
    private readonly database: Database,
    private readonly channelId: number,
    /** Messages a second; none: as fast as it goes. */
    private readonly rate: number | undefined,
  ) {}

  /** Whether a message may leave soon: asked before people are loaded in vain. */
  async opens(): Promise<boolean> {
    return this.rate === undefined || this.take(this.rate, 1);
  }

  /** Waits for the time of the next message, of `wanted` at most. False when that is too far away. */
  async next(wanted: number, stopping: AbortSignal): Promise<boolean> {
    const { rate } = this;
    if (rate === undefined) return true;
    if (this.left === 0 && !(await this.take(rate, wanted))) return false;
    this.left--;
    const waitMs = this.at - performance.now();
    this.at += 1000 / rate;
    if (waitMs > 1) await sleep(waitMs, undefined, { signal: stopping }).catch(() => undefined);
    return true;
  }

  private async take(rate: number, wanted: number): Promise<boolean> {
    const count = Math.min(wanted, Math.ceil(rate / PART_OF_A_SECOND));
    const { rows } = await this.database.query<{ untilEndMs: number }>('take-rate', TAKE, [
      this.channelId,
      count,
      rate,
    ]);
    if (!rows[0]) return false;
    this.left = count;
    this.at = performance.now() + rows[0].untilEndMs - (count * 1000) / rate;
    return true;
  }
}
