import type { ServerResponse } from 'node:http';
import { LRUCache } from 'lru-cache';
import { tooManyRequests } from '../http/problem.js';

/** A key may be forgotten after one idle second: its bucket is full then, like that of a new key. */
const MAX_KEYS = 10_000;

/** Keeps rounding from refusing a client that has waited exactly as long as it was told. */
const TOLERANCE = 1e-6;

export interface Taken {
  /** Requests that are still allowed at this moment. */
  remaining: number;
  /** Time until a request is allowed; 0 if this one is. */
  waitMs: number;
}

/**
 * Limits the requests per second of each key in this process. Each key has a token bucket that holds the requests of one second
 * and fills evenly. Only the time at which the bucket is full again is stored.
 */
export class RateLimits {
  private readonly fullAt = new LRUCache<number, number>({ max: MAX_KEYS });

  take(keyId: number, limit: number, now = performance.now()): Taken {
    const fullAt = Math.max(this.fullAt.get(keyId) ?? 0, now);
    const left = limit - ((fullAt - now) * limit) / 1000;
    if (left + TOLERANCE < 1) return { remaining: 0, waitMs: ((1 - left) * 1000) / limit };
    this.fullAt.set(keyId, fullAt + 1000 / limit);
    return { remaining: Math.floor(left + TOLERANCE) - 1, waitMs: 0 };
  }

  /** Counts one request and sets the headers of draft-ietf-httpapi-ratelimit-headers. Throws a 429 above the limit. */
  count(keyId: number, limit: number, answer: Pick<ServerResponse, 'setHeader'>): void {
    const { remaining, waitMs } = this.take(keyId, limit);
    answer.setHeader('RateLimit-Policy', `"key";q=${limit};w=1`);
    answer.setHeader('RateLimit', `"key";r=${remaining};t=1`);
    if (waitMs > 0) throw tooManyRequests(limit, Math.ceil(waitMs / 1000));
  }
}
