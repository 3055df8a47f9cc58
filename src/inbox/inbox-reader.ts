import type { ConnectionShares } from '../http/limit/connection-shares.js';
import type { EventStream } from '../http/stream/event-stream.js';
import type { InboxPage, InboxScope, InboxService } from './inbox.service.js';

/** Messages loaded at a time, if they are small. */
const PAGE = 20;
/** A stream ends after this number of waiting messages: the reader connects again with the last id. */
const MAX_CATCH_UP = 1000;

/** One stream of a user's messages and counts, and its position. */
export class InboxReader {
  private upto: number;
  private showing = false;
  /** The counts are the first event of a stream. */
  private hasNewCounts = true;

  constructor(
    private readonly scope: InboxScope,
    private readonly stream: EventStream,
    private readonly inbox: InboxService,
    private readonly shares: ConnectionShares,
    private last: number,
  ) {
    this.upto = last;
  }

  get closed(): boolean {
    return this.stream.closed;
  }

  hasShown(id: number): boolean {
    return id <= this.last;
  }

  /** Sends every message up to this id, in order, as fast as the reader takes them. */
  show(upto: number): Promise<void> {
    this.upto = Math.max(this.upto, upto);
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
        this.last = message.id;
        if (!(await this.stream.send({ id: message.id, event: 'message', data: { ...message, counts } }))) return;
      }
      if (!isCut) this.last = upto;
    }
  }

  private async sendCounts(): Promise<void> {
    this.hasNewCounts = false;
    try {
      await this.stream.send({ event: 'counts', data: await this.readCounts() });
    } catch (error) {
      this.hasNewCounts = true;
      throw error;
    }
  }

  private readCounts() {
    const { shares, scope, inbox } = this;
    return shares.runPart(scope.organizationId, () => inbox.counts(scope));
  }

  /** Undefined when the clients of the organization have too much to read. One stream reads at a time: the messages may be large. */
  private read(upto: number): Promise<InboxPage | undefined> {
    const { shares, scope, stream, inbox, last } = this;
    return shares.runPart(scope.organizationId, async () =>
      stream.hasRoom ? inbox.between(scope, last, upto, PAGE) : undefined,
    );
  }
}
