import { once } from 'node:events';
import { Injectable, Logger } from '@nestjs/common';
import type { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common';
import type { Request, Response } from 'express';
import { EMPTY, from, mergeMap, of } from 'rxjs';
import type { Observable } from 'rxjs';
import { baseUrl } from './base-url.js';
import { Listing } from './listing.js';

const WRITE_BYTES = 64 * 1024;
/** A reader that takes nothing for so long is cut off: it holds a database connection. */
const STALL_MS = 30_000;

/** Writes lists: a page with its `Link`, or the whole streamed, so that a million rows cost no memory. */
@Injectable()
export class ListingInterceptor implements NestInterceptor {
  private readonly logger = new Logger('Http');

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    return next.handle().pipe(
      mergeMap((value: unknown) => {
        if (!(value instanceof Listing)) return of(value);
        const http = context.switchToHttp();
        return from(this.write(value, http.getRequest<Request>(), http.getResponse<Response>())).pipe(
          mergeMap((page) => (page ? of(page) : EMPTY)),
        );
      }),
    );
  }

  private async write(listing: Listing<unknown, unknown>, request: Request, response: Response): Promise<unknown[] | null> {
    const { limit } = listing.page;
    if (limit === null) {
      await this.stream(listing, response);
      return null;
    }
    const { items, next } = await listing.take(limit);
    if (next !== null) response.setHeader('Link', `<${nextUrl(request, next)}>; rel="next"`);
    return items;
  }

  private async stream(listing: Listing<unknown, unknown>, response: Response): Promise<void> {
    const items = listing.items();
    // The first row is awaited before the status goes out: a failing query is still a proper error.
    let item = await items.next();
    response.status(200).setHeader('Content-Type', 'application/json; charset=utf-8');
    try {
      let text = '[';
      for (let first = true; !item.done; first = false, item = await items.next()) {
        text += (first ? '' : ',') + JSON.stringify(item.value);
        if (text.length < WRITE_BYTES) continue;
        if (!response.write(text)) await drained(response);
        text = '';
      }
      response.end(text + ']');
    } catch (error) {
      // Too late for a status: a cut connection is the only honest sign that the list is not whole.
      this.logger.warn({ message: 'list cut off', error: (error as Error).message });
      response.destroy();
    } finally {
      await items.return(undefined);
    }
  }
}

async function drained(response: Response): Promise<void> {
  const stop = new AbortController();
  const stalled = setTimeout(() => response.destroy(), STALL_MS);
  try {
    await Promise.race([
      once(response, 'drain', { signal: stop.signal }),
      once(response, 'close', { signal: stop.signal }).then(() => {
        throw new Error('the reader went away');
      }),
    ]);
  } finally {
    clearTimeout(stalled);
    stop.abort();
  }
}

function nextUrl(request: Request, after: string): string {
  const url = new URL(request.originalUrl, baseUrl(request));
  url.searchParams.set('after', after);
  return url.href;
}
