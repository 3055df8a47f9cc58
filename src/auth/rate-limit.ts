import type { ServerResponse } from 'node:http';
import { LRUCache } from 'lru-cache';
import { tooManyRequests } from '../http/problem.js';

/** A key that was not seen for a second has a full bucket, as one that was never seen. */
const MOST_KEYS = 10_000;

/** Rounding must not refuse who has waited as long as they were told to. */
const TOLERANCE = 1e-6;

export interface Taken {
  /** Requests that may follow at once. */
  remaining: number;
  /** How long until a request is let through; 0: this one is. */
  waitMs: number;
}

/**
 * Requests a second of each key that has a limit, in this process: a bucket that holds one second's worth, and is filled evenly. All
 * that is kept of it is when it will be full again.
 */
export class RateLimits {
  private readonly fullAt = new LRUCache<number, number>({ max: MOST_KEYS });

  take(keyId: number, limit: number, now = performance.now()): Taken {
    const fullAt = Math.max(this.fullAt.get(keyId) ?? 0, now);
    const left = limit - ((fullAt - now) * limit) / 1000;
    if (left + TOLERANCE < 1) return { remaining: 0, waitMs: ((1 - left) * 1000) / limit };
    this.fullAt.set(keyId, fullAt + 1000 / limit);
    return { remaining: Math.floor(left + TOLERANCE) - 1, waitMs: 0 };
  }

  /** Takes one request, and says on the answer what is left, as draft-ietf-httpapi-ratelimit-headers has it; above the limit, a 429. */
  count(keyId: number, limit: number, answer: Pick<ServerResponse, 'setHeader'>): void {
    const { remaining, waitMs } = this.take(keyId, limit);
    answer.setHeader('RateLimit-Policy', `"key";q=${limit};w=1`);
    answer.setHeader('RateLimit', `"key";r=${remaining};t=1`);
    if (waitMs > 0) throw tooManyRequests(limit, Math.ceil(waitMs / 1000));
  }
}
