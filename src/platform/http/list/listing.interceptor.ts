import { Readable } from 'node:stream';
import { Injectable, Logger, StreamableFile } from '@nestjs/common';
import type { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common';
import type { Request, Response } from 'express';
import { mergeMap, of } from 'rxjs';
import type { Observable } from 'rxjs';
import { baseUrl } from '../base-url.js';
import { ConnectionShares } from '../limit/connection-shares.js';
import { tenantOf } from '../limit/tenant.js';
import { ResponseBuffers } from '../limit/response-buffers.js';
import type { Held } from '../limit/response-buffers.js';
import { Listing } from './listing.js';
import type { ListPart } from './listing.js';

const MAX_DURATION_MS = 600_000;

/** What a list holds while it is sent: a part that waits for the client, and the next one, as rows and as text. */
const STREAM_BYTES = 4 * 1024 * 1024;

/**
 * Writes lists: one page with its `Link`, or the complete list in parts, as the client reads them. A million rows cost no
 * memory.
 */
@Injectable()
export class ListingInterceptor implements NestInterceptor {
  private readonly logger = new Logger('Http');

  constructor(
    private readonly shares: ConnectionShares,
    private readonly buffers: ResponseBuffers,
  ) {}

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
    const tenant = tenantOf(request);
    // Awaited before the status is sent, so that a failing query is still a proper error. Most lists end here.
    const { first, held } = await this.shares.run(tenant, async () => {
      this.buffers.admit(tenant);
      const first = await listing.take(after, limit ?? listing.partSize);
      const isStream = limit === null && first.next !== null;
      // Counted before the next list is admitted.
      return { first, held: isStream ? this.buffers.hold(response, STREAM_BYTES) : null };
    });
    if (held) return this.stream(listing, first, response, held);
    if (first.next !== null) response.setHeader('Link', `<${nextUrl(request, first.next)}>; rel="next"`);
    return first.items;
  }

  private stream(
    listing: Listing<unknown, unknown>,
    first: ListPart<unknown>,
    response: Response,
    held: Held,
  ): StreamableFile {
    const text = Readable.from(this.jsonChunks(listing, first, tenantOf(response.req), held), { objectMode: false });
    const deadline = setTimeout(() => response.destroy(), MAX_DURATION_MS).unref();
    text.once('close', () => clearTimeout(deadline));
    return new StreamableFile(text, { type: 'application/json; charset=utf-8' })
      .setErrorLogger((error) => this.logger.warn({ message: 'list aborted', error: error.message }))
      .setErrorHandler(() => void response.destroy()); // the status is already sent: only a closed connection shows the error
  }

  private async *jsonChunks(listing: Listing<unknown, unknown>, part: ListPart<unknown>, tenant: number, held: Held) {
    let separator = '[';
    for (;;) {
      // The remaining rows may have been deleted meanwhile, and a search may have found nothing yet.
      if (part.items.length > 0) {
        yield separator + JSON.stringify(part.items).slice(1, -1);
        separator = ',';
      }
      held.partTaken();
      const { next } = part;
      if (next === null) break;
      part = await this.shares.runPart(tenant, () => listing.take(next, listing.partSize));
    }
    yield separator === '[' ? '[]' : ']';
  }
}

function nextUrl(request: Request, after: string): string {
  // The URL is joined as text: the caller chooses the host, and that host may not be valid in a `URL`.
  const { pathname, searchParams } = new URL(request.originalUrl, 'http://localhost');
  searchParams.set('after', after);
  return `${baseUrl(request)}${pathname}?${searchParams.toString()}`;
}
