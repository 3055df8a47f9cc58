import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable, Logger } from '@nestjs/common';
import type { OnModuleDestroy } from '@nestjs/common';
import type { Response } from 'express';
import type { Scope } from '../../auth/scope.js';
import { IdOrders } from '../../platform/database/order/id-orders.js';
import { positiveInt } from '../../platform/field/positive-int.js';
import { ConnectionShares } from '../../platform/http/limit/connection-shares.js';
import { invalidField, unavailable } from '../../platform/http/problem.js';
import { EventStreams } from '../../platform/http/stream/event-stream.js';
import { DATABASE_URL, Database } from '../../platform/database/database.js';
import { Listener } from '../../platform/database/listener.js';
import { Notice } from '../../platform/database/notice.js';
import { InboxReader } from './inbox-reader.js';
import { InboxService } from './inbox.service.js';
import { settledId } from './settled-id.js';

const READY_TIMEOUT_MS = 4000;
const RETRY_MS = 500;

/** Sends new messages and counts to the streams of this process, whichever process stored or marked the messages. */
@Injectable()
export class InboxFeed implements OnModuleDestroy {
  private readonly logger = new Logger('Inbox');
  private readonly listener: Listener;
  private readonly readers = new Map<string, Set<InboxReader>>();
  private readonly pending = new Set<InboxReader>();
  private running = false;

  constructor(
    @Inject(DATABASE_URL) databaseUrl: string,
    private readonly database: Database,
    private readonly inbox: InboxService,
    private readonly streams: EventStreams,
    private readonly shares: ConnectionShares,
    private readonly orders: IdOrders,
  ) {
    this.listener = new Listener(
      databaseUrl,
      Notice.Inbox,
      (payload) => this.notified(payload),
      () => {
        const readers = [...this.readers.values()].flatMap((each) => [...each]);
        this.showCounts(readers);
        this.update(readers);
      },
    );
  }

  onModuleDestroy(): Promise<void> {
    return this.listener.stop();
  }

  async open(scope: Scope, lastEventId: string | undefined, response: Response): Promise<void> {
    const asked = lastEventId === undefined ? null : readLastEventId(lastEventId);
    await this.listening();
    const order = this.orders.of(scope.organizationId, 'inbox_messages');
    const now = order.settled(await this.newest());
    const position = asked === null ? now : Math.min(order.rank(asked), now);
    const stream = this.streams.open(response, scope, order.idAt(position));
    const reader = new InboxReader(scope, stream, this.inbox, this.shares, position, order);
    const key = keyOf(scope.organizationId, scope.userId);
    const readers = this.readers.get(key) ?? new Set();
    this.readers.set(key, readers.add(reader));
    stream.whenClosed(() => {
      readers.delete(reader);
      if (readers.size === 0) this.readers.delete(key);
    });
    this.update([reader]);
  }

  private async listening(): Promise<void> {
    const late = sleep(READY_TIMEOUT_MS, 'late', { ref: false });
    if ((await Promise.race([this.listener.ready(), late])) === 'late') {
      throw unavailable('The database cannot be reached at the moment. Try again later.');
    }
  }

  private newest(): Promise<number> {
    return settledId(this.database, this.orders.lastOwnMessage);
  }

  private notified(payload: string): void {
    for (const [organizationId, userId, id] of parse(payload)) {
      const readers = [...(this.readers.get(keyOf(organizationId, userId)) ?? [])];
      if (id === MARKED) this.showCounts(readers);
      else this.update(readers.filter((reader) => !reader.hasShown(id)));
    }
  }

  private showCounts(readers: InboxReader[]): void {
    for (const reader of readers) void reader.showCounts().catch(() => this.retry([reader]));
  }

  private update(readers: InboxReader[]): void {
    for (const reader of readers) if (!reader.closed) this.pending.add(reader);
    if (this.pending.size > 0 && !this.running) void this.run();
  }

  /** Readers that become pending during one query share the next one. */
  private async run(): Promise<void> {
    this.running = true;
    while (this.pending.size > 0) {
      const readers = [...this.pending];
      this.pending.clear();
      try {
        const newest = await this.newest();
        for (const reader of readers) void reader.show(newest).catch(() => this.retry([reader]));
      } catch (error) {
        if (readers.every(({ closed }) => closed)) continue;
        this.logger.warn({ message: 'could not load new inbox messages, will retry', error: (error as Error).message });
        void this.retry(readers);
      }
    }
    this.running = false;
  }

  /** An outage of the database delays messages and loses none. */
  private async retry(readers: InboxReader[]): Promise<void> {
    await sleep(RETRY_MS);
    this.update(readers);
  }
}

const keyOf = (organizationId: number, userId: number) => `${organizationId}/${userId}`;

function readLastEventId(text: string): number {
  const id = text === '0' ? 0 : positiveInt(text);
  if (id === null) throw invalidField('Last-Event-ID', 'invalid_format', 'must be the id of an event of this stream');
  return id;
}

/** Instead of the id of a new message: messages were marked. */
const MARKED = 0;

type NewMessage = [organizationId: number, userId: number, id: number];

/** Any client of the database can send a notification, so the payload is not trusted. */
function parse(payload: string): NewMessage[] {
  try {
    const messages: unknown = JSON.parse(payload);
    return Array.isArray(messages) ? messages.filter((each): each is NewMessage => Array.isArray(each)) : [];
  } catch {
    return [];
  }
}
