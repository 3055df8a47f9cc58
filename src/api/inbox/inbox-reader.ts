import type { IdOrder } from '../../platform/database/order/id-order.js';
import type { ConnectionShares } from '../../platform/http/limit/connection-shares.js';
import type { EventStream } from '../../platform/http/stream/event-stream.js';
import type { InboxPage, InboxScope, InboxService, StartOfStream } from './inbox.service.js';

/** Messages loaded at a time, if they are small. */
const PAGE = 20;
/** A stream ends after this number of waiting messages: the reader connects again with the last id. */
const MAX_CATCH_UP = 1000;

/** One stream of a user's messages and counts, and its position: the rank of the last message in the order of the organization's ids. */
export class InboxReader {
  private upto: number;
  private showing = false;
  /** The counts are the first event of a stream. */
  private hasNewCounts = true;
  /** The brand of the organization follows them. */
  private isStarted = false;

  constructor(
    private readonly scope: InboxScope,
    private readonly stream: EventStream,
    private readonly inbox: InboxService,
    private readonly shares: ConnectionShares,
    private last: number,
    private readonly order: IdOrder,
  ) {
    this.upto = last;
  }

  get closed(): boolean {
    return this.stream.closed;
  }

  hasShown(id: number): boolean {
    return this.order.rank(id) <= this.last;
  }

  /** Sends every message of which `newest` says that it is settled, in order, as fast as the reader takes them. */
  show(newest: number): Promise<void> {
    this.upto = Math.max(this.upto, this.order.settled(newest));
    return this.send();
  }

  /** Sends the counts of this moment. Changes that follow soon share the next event. */
  showCounts(): Promise<void> {
    this.hasNewCounts = true;
    return this.send();
  }

  private async send(): Promise<void> {
    if (this.showing) return;
    this.showing = true;
    try {
      await this.catchUp();
    } finally {
      this.showing = false;
    }
  }

  private async catchUp(): Promise<void> {
    for (let count = 0; (this.hasNewCounts || this.last < this.upto) && !this.closed;) {
      if (this.hasNewCounts) {
        await this.sendCounts();
        continue;
      }
      const { upto } = this;
      const page = await this.read(upto);
      if (!page) return this.stream.end();
      const { messages, counts, isCut } = page;
      for (const message of messages) {
        if (count++ === MAX_CATCH_UP) return this.stream.end();
        this.last = this.order.rank(message.id);
        if (!(await this.stream.send({ id: message.id, event: 'message', data: { ...message, counts } }))) return;
      }
      if (!isCut) this.last = upto;
    }
  }

  private async sendCounts(): Promise<void> {
    this.hasNewCounts = false;
    try {
      const { counts, brand } = await this.readCounts();
      await this.stream.send({ event: 'counts', data: counts });
      this.isStarted = true;
      if (brand) await this.stream.send({ event: 'brand', data: brand });
    } catch (error) {
      this.hasNewCounts = true;
      throw error;
    }
  }

  private readCounts(): Promise<StartOfStream> {
    const { shares, scope, inbox, isStarted } = this;
    return shares.runPart(scope.organizationId, async () =>
      isStarted ? { counts: await inbox.counts(scope), brand: null } : inbox.start(scope),
    );
  }

  /** Undefined when the clients of the organization have too much to read. One stream reads at a time: the messages may be large. */
  private read(upto: number): Promise<InboxPage | undefined> {
    const { shares, scope, stream, inbox, last, order } = this;
    return shares.runPart(scope.organizationId, async () =>
      stream.hasCapacity ? inbox.between(scope, order, last, upto, PAGE) : undefined,
    );
  }
}
