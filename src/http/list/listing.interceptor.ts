import { Readable } from 'node:stream';
import { Injectable, Logger, StreamableFile } from '@nestjs/common';
import type { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common';
import type { Request, Response } from 'express';
import { mergeMap, of } from 'rxjs';
import type { Observable } from 'rxjs';
import { baseUrl } from '../base-url.js';
import { Listing } from './listing.js';
import type { Part } from './listing.js';

/** A reader that takes nothing for so long is cut off: rows wait for it in memory. */
const STALL_MS = 30_000;
const LONGEST_MS = 600_000;

/** Writes lists: a page with its `Link`, or the whole, part after part as it is taken, so that a million rows cost no memory. */
@Injectable()
export class ListingInterceptor implements NestInterceptor {
  private readonly logger = new Logger('Http');

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const http = context.switchToHttp();
    return next
      .handle()
      .pipe(
        mergeMap((value: unknown) =>
          value instanceof Listing
            ? this.write(value, http.getRequest<Request>(), http.getResponse<Response>())
            : of(value),
        ),
      );
  }

  private async write(listing: Listing<unknown, unknown>, request: Request, response: Response): Promise<unknown> {
    const { limit, after } = listing.page;
    // Awaited before the status goes out: a query that fails is still a proper error. Most lists are over then.
    const first = await listing.take(after, limit ?? listing.atOnce);
    if (first.next === null) return first.items;
    if (limit === null) return this.stream(listing, first, response);
    response.setHeader('Link', `<${nextUrl(request, first.next)}>; rel="next"`);
    return first.items;
  }

  private stream(listing: Listing<unknown, unknown>, first: Part<unknown>, response: Response): StreamableFile {
    response.setTimeout(STALL_MS, () => response.destroy());
    const text = Readable.from(jsonChunks(listing, first), { objectMode: false });
    const deadline = setTimeout(() => response.destroy(), LONGEST_MS).unref();
    text.once('close', () => clearTimeout(deadline));
    return new StreamableFile(text, { type: 'application/json; charset=utf-8' })
      .setErrorLogger((error) => this.logger.warn({ message: 'list cut off', error: error.message }))
      .setErrorHandler(() => void response.destroy()); // too late for a status: a cut connection is the only honest sign
  }
}

async function* jsonChunks(listing: Listing<unknown, unknown>, part: Part<unknown>): AsyncGenerator<string> {
  let separator = '[';
  for (;;) {
    // What was left a moment ago may be gone.
    if (part.items.length > 0) yield separator + JSON.stringify(part.items).slice(1, -1);
    separator = ',';
    if (part.next === null) break;
    part = await listing.take(part.next, listing.atOnce);
  }
  yield ']';
}

function nextUrl(request: Request, after: string): string {
  // Put together by hand: the host is the caller's word, and may be no part of a URL at all.
  const { pathname, searchParams } = new URL(request.originalUrl, 'http://localhost');
  searchParams.set('after', after);
  return `${baseUrl(request)}${pathname}?${searchParams.toString()}`;
}
