import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../platform/database/database.js';
import { RESERVE } from './channel-state.sql.js';

/** One reservation covers the messages of a twentieth of a second: few enough to share evenly, enough to save queries. */
const RESERVATIONS_PER_SECOND = 20;

/** Limits a channel to its `rate`, over all workers. */
export class ChannelRateLimit {
  private nextAt = 0;
  private reserved = 0;

  constructor(
    private readonly database: Database,
    private readonly channelId: number,
    /** Messages per second; undefined: no limit. */
    private readonly rate: number | undefined,
  ) {}

  /** Reserves the first message, before users are loaded. False when it would have to wait too long. */
  async reserveFirst(): Promise<boolean> {
    return this.rate === undefined || this.reserve(this.rate, 1);
  }

  /** Waits until the next message may be sent; `wanted` messages are left to send. False when it would have to wait too long. */
  async waitForNext(wanted: number, stopping: AbortSignal): Promise<boolean> {
    const { rate } = this;
    if (rate === undefined) return true;
    if (this.reserved === 0 && !(await this.reserve(rate, wanted))) return false;
    this.reserved--;
    const waitMs = this.nextAt - performance.now();
    this.nextAt += 1000 / rate;
    if (waitMs > 1) await sleep(waitMs, undefined, { signal: stopping }).catch(() => undefined);
    return true;
  }

  private async reserve(rate: number, wanted: number): Promise<boolean> {
    const count = Math.min(wanted, Math.ceil(rate / RESERVATIONS_PER_SECOND));
    const values = [this.channelId, count, rate];
    const { rows } = await this.database.query<{ untilEndMs: number }>('reserve-rate', RESERVE, values);
    if (!rows[0]) return false;
    this.reserved = count;
    this.nextAt = performance.now() + rows[0].untilEndMs - (count * 1000) / rate;
    return true;
  }
}
