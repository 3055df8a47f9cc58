import { Readable } from 'node:stream';
import { Injectable, Logger, StreamableFile } from '@nestjs/common';
import type { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common';
import type { Request, Response } from 'express';
import { mergeMap } from 'rxjs';
import type { Observable } from 'rxjs';
import { baseUrl } from './base-url.js';
import { Listing } from './listing.js';

const CHUNK_CHARACTERS = 64 * 1024;
/** A reader that takes nothing for so long is cut off: it holds a database connection. */
const STALL_MS = 30_000;
const LONGEST_MS = 600_000;

/** Writes lists: a page with its `Link`, or the whole streamed, so that a million rows cost no memory. */
@Injectable()
export class ListingInterceptor implements NestInterceptor {
  private readonly logger = new Logger('Http');

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const http = context.switchToHttp();
    return next
      .handle()
      .pipe(
        mergeMap(async (value: unknown) =>
          value instanceof Listing
            ? this.write(value, http.getRequest<Request>(), http.getResponse<Response>())
            : value,
        ),
      );
  }

  private async write(listing: Listing<unknown, unknown>, request: Request, response: Response): Promise<unknown> {
    const { limit } = listing.page;
    if (limit === null) return this.stream(listing, response);
    const { items, next } = await listing.take(limit);
    if (next !== null) response.setHeader('Link', `<${nextUrl(request, next)}>; rel="next"`);
    return items;
  }

  private async stream(listing: Listing<unknown, unknown>, response: Response): Promise<StreamableFile> {
    const chunks = jsonChunks(listing);
    // The first rows are awaited before the status goes out: a query that fails is still a proper error.
    const first = await chunks.next();
    response.setTimeout(STALL_MS, () => response.destroy());
    const text = Readable.from(startingWith(first, chunks), { objectMode: false, highWaterMark: CHUNK_CHARACTERS });
    // Also when the reader went away before the first byte: the rows' connection must not stay taken.
    const deadline = setTimeout(() => response.destroy(), LONGEST_MS).unref();
    text.once('close', () => {
      clearTimeout(deadline);
      void chunks.return(undefined);
    });
    return new StreamableFile(text, { type: 'application/json; charset=utf-8' })
      .setErrorLogger((error) => this.logger.warn({ message: 'list cut off', error: error.message }))
      .setErrorHandler(() => void response.destroy()); // too late for a status: a cut connection is the only honest sign
  }
}

async function* startingWith(first: IteratorResult<string>, rest: AsyncGenerator<string>): AsyncGenerator<string> {
  if (!first.done) yield first.value;
  yield* rest;
}

async function* jsonChunks(listing: Listing<unknown, unknown>): AsyncGenerator<string> {
  let text = '[';
  let separator = '';
  for await (const item of listing.items()) {
    text += separator + JSON.stringify(item);
    separator = ',';
    if (text.length < CHUNK_CHARACTERS) continue;
    yield text;
    text = '';
  }
  yield `${text}]`;
}

function nextUrl(request: Request, after: string): string {
  // Put together by hand: the host is the caller's word, and may be no part of a URL at all.
  const { pathname, searchParams } = new URL(request.originalUrl, 'http://localhost');
  searchParams.set('after', after);
  return `${baseUrl(request)}${pathname}?${searchParams.toString()}`;
}
