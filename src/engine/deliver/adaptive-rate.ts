import { setTimeout as sleep } from 'node:timers/promises';
import { MAX_WAIT_MS } from './channel-state.sql.js';

/** A receiver that refuses even one message a second counts as failing. */
const LONGEST_GAP_MS = 1000;
/** Messages a second, when the receiver refuses the first message of all. */
const FIRST = 10;
/** Above this the pace is no limit any more. */
const FASTEST = 2000;
/** A refusal leaves this part of the pace. */
const DECREASE = 0.8;
/** Each accepted message adds this many a second, so the pace grows by a tenth each second. */
const INCREASE = 0.1;

/**
 * How many messages a second a worker sends over one channel, after the receiver asked to slow down. Accepted messages raise it a
 * little, a refusal lowers it by a fifth, as TCP does: so it stays near the receiver's limit, and several workers share that limit. While
 * every message is refused, because the limit of a second or a minute is used up, the gap between two messages doubles each time.
 */
export class AdaptiveRate {
  private perSecond = Infinity;
  private nextAt = 0;
  private slowedAt = -Infinity;
  private refusedInRow = 0;
  // Accepted messages of this second and of the one before.
  private second = { startedAt: 0, accepted: 0, before: 0 };

  /** Waits until the next message may be sent. False when it would have to wait too long. */
  async waitForNext(stopping: AbortSignal): Promise<boolean> {
    const waitMs = this.reserve(performance.now());
    if (waitMs === null) return false;
    if (waitMs > 1) await sleep(waitMs, undefined, { signal: stopping }).catch(() => undefined);
    return true;
  }

  /** How long the next message must wait; null when that is too long. */
  reserve(now: number): number | null {
    if (this.perSecond === Infinity) return 0;
    const at = Math.max(this.nextAt, now);
    if (at - now > MAX_WAIT_MS) return null;
    this.nextAt = at + this.gapMs;
    return at - now;
  }

  /** Between two messages. It doubles with each refusal in a row: once for those that were in flight together. */
  private get gapMs(): number {
    return Math.min((2 ** Math.max(this.refusedInRow - 1, 0) * 1000) / this.perSecond, LONGEST_GAP_MS);
  }

  accepted(now: number): void {
    this.turnTo(now);
    this.second.accepted++;
    this.refusedInRow = 0;
    this.perSecond += INCREASE;
    if (this.perSecond > FASTEST) this.perSecond = Infinity;
  }

  /** Slows down. False when it cannot slow down any more. */
  refused(startedAt: number, now: number): boolean {
    // It was in flight when the pace was lowered, so it says nothing about the lower pace.
    if (startedAt < this.slowedAt) return true;
    if (this.refusedInRow === 0) this.perSecond = this.lowered(now);
    const before = this.refusedInRow === 0 ? 0 : this.gapMs;
    this.refusedInRow++;
    this.slowedAt = now;
    this.nextAt = Math.max(this.nextAt, now + this.gapMs);
    return before < LONGEST_GAP_MS;
  }

  private lowered(now: number): number {
    this.turnTo(now);
    // The receiver accepts no more than it did: a pace that nobody used up must not stay high.
    const reached = Math.max(this.second.accepted, this.second.before) || Math.min(this.perSecond, FIRST);
    return Math.max(Math.min(this.perSecond, reached) * DECREASE, 1000 / LONGEST_GAP_MS);
  }

  private turnTo(now: number): void {
    const { startedAt, accepted } = this.second;
    if (now - startedAt < 1000) return;
    this.second = { startedAt: now, accepted: 0, before: now - startedAt < 2000 ? accepted : 0 };
  }
}
