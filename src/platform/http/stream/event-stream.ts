import { once } from 'node:events';
import { Injectable, Logger } from '@nestjs/common';
import type { OnModuleDestroy } from '@nestjs/common';
import type { Response } from 'express';
import { tenantOf } from '../limit/tenant.js';
import { ResponseBuffers } from '../limit/response-buffers.js';
import { loggedPath } from '../path-of.js';
import { tooManyStreams, unavailable } from '../problem.js';

export const EVENT_STREAM = 'text/event-stream';

const HEADERS = {
  'Content-Type': `${EVENT_STREAM}; charset=utf-8`,
  'Cache-Control': 'no-cache, no-transform',
  'X-Accel-Buffering': 'no',
  // A connection is not reused after its stream: an idle one would delay the shutdown.
  Connection: 'close',
};

const RETRY_MS = 1000;

export interface StreamLimits {
  /** Streams that may be open in this process. */
  max: number;
  /** Streams that one organization may have open, so that no key can take all of them. */
  maxPerOrganization: number;
  /** The streams that are opened with recipient tokens, which take none of the others. */
  recipients: { max: number; maxPerOrganization: number; maxPerUser: number };
  /** Time between comments that keep proxies from closing a quiet stream. */
  heartbeatMs: number;
  /** A client that reads nothing for this long is disconnected. */
  stallMs: number;
  /** A client that takes longer for one event is disconnected. */
  takeMs: number;
  /** Longest life of a stream. The client then connects again, perhaps to another process. */
  lifeMs: number;
}

const LIMITS: StreamLimits = {
  max: 1000,
  maxPerOrganization: 100,
  recipients: { max: 4000, maxPerOrganization: 1000, maxPerUser: 10 },
  heartbeatMs: 15_000,
  stallMs: 30_000,
  takeMs: 60_000,
  lifeMs: 300_000,
};

export interface StreamEvent {
  id?: number;
  event: string;
  data: unknown;
}

/** Who reads a stream. */
interface StreamScope {
  organizationId: number;
  key: { id: number; permissions: readonly string[]; projectId?: number | null };
  /** Whose recipient token opened it; null: it was opened with a key. */
  recipient?: { userId: number; secretId: number; expiresAt: Date } | null;
}

/** Limits the streams of this process, and ends them at shutdown. */
@Injectable()
export class EventStreams implements OnModuleDestroy {
  private readonly streams = new Map<EventStream, StreamScope>();
  /** Called when a stream was opened. */
  onOpen: () => void = () => undefined;
  private stopping = false;

  constructor(
    private readonly limits: StreamLimits = LIMITS,
    private readonly buffers = new ResponseBuffers(),
  ) {}

  get size(): number {
    return this.streams.size;
  }

  list(): [EventStream, StreamScope][] {
    return [...this.streams];
  }

  /** Answers with a stream. `position` tells a client where to resume if it is disconnected before its first event. */
  open(response: Response, scope: StreamScope, position?: number): EventStream {
    if (this.stopping) throw unavailable('The service is stopping. Connect again.');
    if (scope.recipient) this.requireRoomForRecipient(scope.organizationId, scope.recipient.userId);
    else this.requireRoom(scope.organizationId);
    this.buffers.admit(tenantOf(response.req));
    const stream = new EventStream(response, this.buffers, this.limits, position);
    this.streams.set(stream, scope);
    stream.whenClosed(() => this.streams.delete(stream));
    this.onOpen();
    return stream;
  }

  private requireRoom(organizationId: number): void {
    const open = [...this.streams.values()].filter(({ recipient }) => !recipient);
    if (open.length >= this.limits.max) throw unavailable('The service has too many open streams. Try again later.');
    if (open.filter((other) => other.organizationId === organizationId).length >= this.limits.maxPerOrganization)
      throw unavailable('The organization has too many open streams. Close one, or try again later.');
  }

  private requireRoomForRecipient(organizationId: number, userId: number): void {
    const { max, maxPerOrganization, maxPerUser } = this.limits.recipients;
    const open = [...this.streams.values()].filter(({ recipient }) => recipient);
    if (open.length >= max) throw unavailable('The service has too many open streams. Try again later.');
    if (open.filter(({ recipient }) => recipient!.userId === userId).length >= maxPerUser)
      throw tooManyStreams('The recipient has too many open streams. Close one, or try again later.');
    if (open.filter((other) => other.organizationId === organizationId).length >= maxPerOrganization)
      throw tooManyStreams('The recipients of the organization have too many open streams. Try again later.');
  }

  /** Runs first when the process stops. */
  onModuleDestroy(): void {
    this.stopping = true;
    for (const stream of this.streams.keys()) stream.end();
  }
}

/** One answer of server-sent events. It ends when its client disconnects or stops reading, or after `lifeMs`. */
export class EventStream {
  private readonly logger = new Logger('Http');
  private readonly ended = new AbortController();

  constructor(
    private readonly response: Response,
    private readonly unsent: ResponseBuffers,
    private readonly limits: StreamLimits,
    position?: number,
  ) {
    const { heartbeatMs, stallMs, lifeMs } = limits;
    response.writeHead(200, HEADERS);
    response.write(`retry: ${RETRY_MS}\n${position === undefined ? '' : `id: ${position}\n`}\n`);
    response.setTimeout(stallMs, () => this.disconnect());
    const heartbeat = setInterval(() => this.beat(), heartbeatMs);
    // A random part, so that clients that connected together do not all connect again together.
    const life = setTimeout(() => this.end(), lifeMs * (0.9 + Math.random() / 10));
    this.whenClosed(() => {
      clearInterval(heartbeat);
      clearTimeout(life);
    });
    response.once('close', () => this.ended.abort());
    if (response.destroyed) this.ended.abort();
    else if (response.req.method === 'HEAD') this.end();
  }

  get closed(): boolean {
    return this.ended.signal.aborted;
  }

  /** Whether more may be loaded for this stream. If not, end it: its client connects again when there is room. */
  get hasCapacity(): boolean {
    return this.unsent.hasCapacity(tenantOf(this.response.req));
  }

  /** Calls back once, when nothing more can be sent. */
  whenClosed(then: () => void): void {
    if (this.closed) then();
    else this.ended.signal.addEventListener('abort', then, { once: true });
  }

  /** Resolves to true when the client can take more, to false when the stream is closed. */
  async send({ id, event, data }: StreamEvent): Promise<boolean> {
    if (this.closed) return false;
    const text = `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
    if (!this.response.write(text)) await this.drained(text.length);
    return !this.closed;
  }

  private async drained(bytes: number): Promise<void> {
    const release = this.unsent.reserve(tenantOf(this.response.req), bytes);
    const late = setTimeout(() => this.disconnect(), this.limits.takeMs);
    await once(this.response, 'drain', { signal: this.ended.signal }).catch(() => undefined);
    clearTimeout(late);
    release();
  }

  end(): void {
    if (this.closed) return;
    this.ended.abort();
    this.response.end();
  }

  private beat(): void {
    if (!this.response.writableNeedDrain) this.response.write(':\n\n');
  }

  private disconnect(): void {
    this.logger.warn({
      message: 'stream closed: its client stopped reading',
      path: loggedPath(this.response.req.originalUrl),
    });
    this.response.destroy();
  }
}
