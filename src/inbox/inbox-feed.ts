import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable, Logger } from '@nestjs/common';
import type { OnModuleDestroy } from '@nestjs/common';
import type { Response } from 'express';
import type { Scope } from '../auth/scope.js';
import { positiveInt } from '../http/list/page.js';
import { invalid, unavailable } from '../http/problem.js';
import { EventStreams } from '../http/stream/event-stream.js';
import { DATABASE_URL, Database } from '../prisma/database.js';
import { Listener } from '../prisma/listener.js';
import { Notice } from '../prisma/notice.js';
import { InboxReader } from './inbox-reader.js';
import { InboxService } from './inbox.service.js';
import { settledId } from './settled-id.js';

const READY_MS = 4000;
const RETRY_MS = 500;

/** Shows new messages to the streams of this process, whichever process stored them. */
@Injectable()
export class InboxFeed implements OnModuleDestroy {
  private readonly logger = new Logger('Inbox');
  private readonly listener: Listener;
  private readonly readers = new Map<string, Set<InboxReader>>();
  private readonly woken = new Set<InboxReader>();
  private running = false;

  constructor(
    @Inject(DATABASE_URL) databaseUrl: string,
    private readonly database: Database,
    private readonly inbox: InboxService,
    private readonly streams: EventStreams,
  ) {
    this.listener = new Listener(
      databaseUrl,
      Notice.Inbox,
      (payload) => this.hear(payload),
      () => this.wake([...this.readers.values()].flatMap((readers) => [...readers])),
    );
  }

  onModuleDestroy(): Promise<void> {
    return this.listener.stop();
  }

  async open({ organizationId, userId }: Scope, lastEventId: string | undefined, response: Response): Promise<void> {
    const asked = lastEventId === undefined ? null : readLastEventId(lastEventId);
    await this.listening();
    const now = await settledId(this.database);
    const position = asked === null ? now : Math.min(asked, now);
    const stream = this.streams.open(response, organizationId, position);
    const reader = new InboxReader({ organizationId, userId }, stream, this.inbox, position);
    const key = keyOf(organizationId, userId);
    const readers = this.readers.get(key) ?? new Set();
    this.readers.set(key, readers.add(reader));
    stream.whenClosed(() => {
      readers.delete(reader);
      if (readers.size === 0) this.readers.delete(key);
    });
    this.wake([reader]);
  }

  private async listening(): Promise<void> {
    const late = sleep(READY_MS, 'late', { ref: false });
    if ((await Promise.race([this.listener.ready(), late])) === 'late') {
      throw unavailable('The database cannot be reached at the moment.');
    }
  }

  private hear(payload: string): void {
    this.wake(
      parse(payload).flatMap(([organizationId, userId, id]) =>
        [...(this.readers.get(keyOf(organizationId, userId)) ?? [])].filter((reader) => !reader.hasShown(id)),
      ),
    );
  }

  private wake(readers: InboxReader[]): void {
    for (const reader of readers) if (!reader.closed) this.woken.add(reader);
    if (!this.running) void this.run();
  }

  /** Those who are woken while one round looks share the next. */
  private async run(): Promise<void> {
    this.running = true;
    while (this.woken.size > 0) {
      const readers = [...this.woken];
      this.woken.clear();
      try {
        const upto = await settledId(this.database);
        for (const reader of readers) void reader.show(upto).catch(() => this.wakeLater([reader]));
      } catch (error) {
        if (readers.every(({ closed }) => closed)) continue;
        this.logger.warn({ message: 'no look at new messages', error: (error as Error).message });
        void this.wakeLater(readers);
      }
    }
    this.running = false;
  }

  /** A database that is away for a while costs time, and no message. */
  private async wakeLater(readers: InboxReader[]): Promise<void> {
    await sleep(RETRY_MS);
    this.wake(readers);
  }
}

const keyOf = (organizationId: number, userId: number) => `${organizationId}/${userId}`;

function readLastEventId(text: string): number {
  const id = text === '0' ? 0 : positiveInt(text);
  if (id === null) throw invalid({ 'Last-Event-ID': ['must be the id of an event of this stream'] });
  return id;
}

type Told = [organizationId: number, userId: number, id: number];

/** Anybody who may connect to the database may say anything. */
function parse(payload: string): Told[] {
  try {
    const told: unknown = JSON.parse(payload);
    return Array.isArray(told) ? told.filter((one): one is Told => Array.isArray(one)) : [];
  } catch {
    return [];
  }
}
