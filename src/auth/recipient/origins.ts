import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { LRUCache } from 'lru-cache';
import { Database } from '../../platform/database/database.js';
import { ORIGINS } from './recipient.sql.js';

/** How long the origins of an organization are cached. */
const CACHE_MS = 5000;

const EXPOSED = 'Link, RateLimit, RateLimit-Policy, Retry-After, X-Request-Id, X-Unread-Count, X-Unseen-Count';

/**
 * Lets the web pages of an organization read answers to recipients (CORS). Answers to all other pages lack the headers, whether the
 * organization has other origins, none, or does not exist.
 */
@Injectable()
export class Origins {
  private readonly cache = new LRUCache<string, ReadonlySet<string>>({ max: 10_000, ttl: CACHE_MS });

  constructor(private readonly database: Database) {}

  /** Resolves to whether the page may read the answer. Returns no promise when there is no page, or its origins are cached. */
  share({ headers, params }: Request, response: Response): boolean | Promise<boolean> {
    response.setHeader('Vary', 'Origin');
    const { origin } = headers;
    const org = params.org as string | undefined;
    if (origin === undefined || org === undefined) return false;
    const known = this.cache.get(org);
    if (known) return allow(origin, known, response);
    return this.originsOf(org).then((origins) => allow(origin, origins, response));
  }

  private async originsOf(org: string): Promise<ReadonlySet<string>> {
    if (org.includes('\u0000')) return new Set();
    const { rows } = await this.database.query<{ origins: string[] }>('origins-of', ORIGINS, [org]);
    const origins = new Set(rows[0]?.origins);
    this.cache.set(org, origins);
    return origins;
  }
}

/** Without credentials: the token is in a header that the page sets itself, so a browser adds nothing of its own. */
function allow(origin: string, origins: ReadonlySet<string>, response: Response): boolean {
  if (!origins.has(origin)) return false;
  response.setHeader('Access-Control-Allow-Origin', origin);
  response.setHeader('Access-Control-Expose-Headers', EXPOSED);
  return true;
}
