import { once } from 'node:events';
import { Injectable, Logger } from '@nestjs/common';
import type { OnModuleDestroy } from '@nestjs/common';
import type { Response } from 'express';
import { unavailable } from '../problem.js';

export const EVENT_STREAM = 'text/event-stream';

const HEADERS = {
  'Content-Type': `${EVENT_STREAM}; charset=utf-8`,
  'Cache-Control': 'no-cache, no-transform',
  'X-Accel-Buffering': 'no',
  // Nothing else is worth sending over a connection that was a stream, and an idle one would keep a stop waiting.
  Connection: 'close',
};

const RETRY_MS = 1000;

export interface StreamLimits {
  /** Streams that are open at once in this process. */
  most: number;
  /** Of those, for one organization: no key can take them all. */
  mostEach: number;
  /** A comment so often keeps proxies from taking a quiet stream for dead. */
  heartbeatMs: number;
  /** A reader that takes nothing for so long is cut off. */
  stallMs: number;
  /** A key that was revoked listens no longer than this. */
  lifeMs: number;
}

const LIMITS: StreamLimits = { most: 1000, mostEach: 100, heartbeatMs: 15_000, stallMs: 30_000, lifeMs: 300_000 };

export interface StreamEvent {
  id?: number;
  event: string;
  data: unknown;
}

/** The streams of this process: not too many, and none that outlives it. */
@Injectable()
export class EventStreams implements OnModuleDestroy {
  /** Each with its organization. */
  private readonly streams = new Map<EventStream, number>();
  private stopping = false;

  constructor(private readonly limits: StreamLimits = LIMITS) {}

  get size(): number {
    return this.streams.size;
  }

  /** Answers with a stream. With a `position`, a reader that is cut off before its first event knows where to go on. */
  open(response: Response, organizationId: number, position?: number): EventStream {
    if (this.stopping) throw unavailable('The service is stopping.');
    if (this.streams.size >= this.limits.most) throw unavailable('Too many streams are open at the moment.');
    const each = [...this.streams.values()].filter((id) => id === organizationId).length;
    if (each >= this.limits.mostEach) throw unavailable('Too many streams of the organization are open at the moment.');
    const stream = new EventStream(response, this.limits, position);
    this.streams.set(stream, organizationId);
    stream.whenClosed(() => this.streams.delete(stream));
    return stream;
  }

  /** The first thing to happen when the process is told to stop. */
  onModuleDestroy(): void {
    this.stopping = true;
    for (const stream of this.streams.keys()) stream.end();
  }
}

/** One answer of server-sent events, until its reader goes, is cut off, or is told to come again. */
export class EventStream {
  private readonly logger = new Logger('Http');
  private readonly ended = new AbortController();

  constructor(
    private readonly response: Response,
    { heartbeatMs, stallMs, lifeMs }: StreamLimits,
    position?: number,
  ) {
    response.writeHead(200, HEADERS);
    response.write(`retry: ${RETRY_MS}\n${position === undefined ? '' : `id: ${position}\n`}\n`);
    response.setTimeout(stallMs, () => this.cutOff());
    const heartbeat = setInterval(() => this.beat(), heartbeatMs);
    // Those who came together do not all come again together.
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

  /** Calls back once nothing can be sent any more. */
  whenClosed(then: () => void): void {
    if (this.closed) then();
    else this.ended.signal.addEventListener('abort', then, { once: true });
  }

  /** Resolves when the reader can take more; false when it never will. */
  async send({ id, event, data }: StreamEvent): Promise<boolean> {
    if (this.closed) return false;
    const text = `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
    if (!this.response.write(text)) {
      await once(this.response, 'drain', { signal: this.ended.signal }).catch(() => undefined);
    }
    return !this.closed;
  }

  end(): void {
    if (this.closed) return;
    this.ended.abort();
    this.response.end();
  }

  private beat(): void {
    if (!this.response.writableNeedDrain) this.response.write(':\n\n');
  }

  private cutOff(): void {
    this.logger.warn({ message: 'stream cut off: its reader takes nothing', path: this.response.req.path });
    this.response.destroy();
  }
}
