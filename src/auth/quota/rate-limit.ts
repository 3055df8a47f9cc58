import type { ServerResponse } from 'node:http';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { networkOf } from '../../platform/http/client-address.js';
import { Problem, tooManyRequests, tooManyWrongKeys } from '../../platform/http/problem.js';

/** A bucket may be forgotten when it is full again: it is like a new one then. */
const MAX_BUCKETS = 10_000;

/** Keeps rounding from refusing a client that has waited exactly as long as it was told. */
const TOLERANCE = 1e-6;
const isTooLittle = (left: number) => left + TOLERANCE < 1;

/** Receives the headers of the rate limit. */
export type Answer = Pick<ServerResponse, 'setHeader'>;

interface Taken {
  /** Requests that are still allowed at this moment. */
  remaining: number;
  /** Time until a request is allowed; 0 if this one is. */
  waitMs: number;
}

/**
 * Limits the requests of each key or address in this process. Each has a token bucket that holds the requests of one window and fills
 * evenly. Only the time at which the bucket is full again is stored.
 */
export class RateLimits<Bucket extends number | string = number> {
  private readonly fullAt = new LRUCache<Bucket, number>({ max: MAX_BUCKETS });

  constructor(private readonly windowMs = 1000) {}

  take(bucket: Bucket, limit: number, now = performance.now()): Taken {
    const fullAt = this.fullAgain(bucket, now);
    const left = this.left(fullAt, limit, now);
    if (isTooLittle(left)) return { remaining: 0, waitMs: ((1 - left) * this.windowMs) / limit };
    this.fullAt.set(bucket, fullAt + this.windowMs / limit);
    return { remaining: Math.floor(left + TOLERANCE) - 1, waitMs: 0 };
  }

  /** Whether a request would be refused now. */
  isEmpty(bucket: Bucket, limit: number, now = performance.now()): boolean {
    return isTooLittle(this.left(this.fullAgain(bucket, now), limit, now));
  }

  private fullAgain(bucket: Bucket, now: number): number {
    return Math.max(this.fullAt.get(bucket) ?? 0, now);
  }

  private left(fullAt: number, limit: number, now: number): number {
    return limit - ((fullAt - now) * limit) / this.windowMs;
  }

  /**
   * Counts one request of a key or a recipient, with the default window, and sets the headers of draft-ietf-httpapi-ratelimit-headers. Throws a 429
   * above the limit.
   */
  count(bucket: Bucket, limit: number, answer: Answer, who: 'key' | 'recipient' = 'key'): void {
    const { remaining, waitMs } = this.take(bucket, limit);
    answer.setHeader('RateLimit-Policy', `"${who}";q=${limit};w=1`);
    answer.setHeader('RateLimit', `"${who}";r=${remaining};t=1`);
    if (waitMs > 0) throw tooManyRequests(limit, Math.ceil(waitMs / 1000), who === 'key' ? 'API key' : who);
  }
}

/** Requests with a wrong key that an address may send in a minute; after that they are answered 429 instead of 401. */
const MAX_WRONG_KEYS = 100;

/**
 * Counts wrong keys by address. A right key is looked up and accepted all the same: others may share the address, behind a proxy or
 * a router, and must not be locked out by one of them.
 */
@Injectable()
export class WrongKeys {
  private readonly limits = new RateLimits<string>(60_000);

  /** Counts one, and returns the seconds to wait; 0: it is not one too many. */
  count(address: string): number {
    return Math.ceil(this.limits.take(networkOf(address), MAX_WRONG_KEYS).waitMs / 1000);
  }

  /** Whether the address has sent too many. Then nothing that costs more than a look-up is done for an unknown key. */
  isTooMany(address: string): boolean {
    return this.limits.isEmpty(networkOf(address), MAX_WRONG_KEYS);
  }

  /** Throws the error, or a 429 in place of one 401 too many. */
  refuse(address: string, error: unknown): never {
    if (error instanceof Problem && error.kind === 'unauthorized') {
      const seconds = this.count(address);
      if (seconds > 0) throw tooManyWrongKeys(seconds);
    }
    throw error;
  }
}
