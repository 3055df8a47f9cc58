import type { InboxClient } from './inbox-client.js';
import { InboxError } from './inbox-error.js';
import { isNewer } from './message.js';
import type { Brand, Counts, InboxEvent, InboxMessage, MarkAs, Status, Which } from './message.js';

const PAGE = 20;
/** The first page is read again when something changed elsewhere; what was loaded beyond this is dropped then. */
const MOST_AGAIN = 100;

/** The messages that a page shows, kept up to date. It knows no DOM: draw it as you like. */
export class InboxList {
  messages: readonly InboxMessage[] = [];
  counts: Counts | null = null;
  /** How the organization looks. */
  brand: Brand | null = null;
  /** Whether older messages can be loaded. */
  hasMore = false;
  isLoaded = false;
  status: Status = 'connecting';
  /** Why the last read or change failed. */
  error: { doing: 'read' | 'change'; cause: InboxError } | null = null;
  /** While it is false nothing is read: the counts are enough for a badge. */
  isWatched = false;

  get isLoading(): boolean {
    return this.#reads > 0;
  }

  readonly #unfollow: () => void;
  #next: string | null = null;
  /** New messages since the running read began, which its answer may not contain. */
  #arrived: InboxMessage[] = [];
  /** Counts of the stream so far. An answer that was on its way meanwhile may be older than they are. */
  #heard = 0;
  #failed: [as: MarkAs, which: Which] | null = null;
  #isStale = true;
  /** The last of the reads, which run one after the other. */
  #turn: Promise<void> = Promise.resolve();
  #reads = 0;
  /** A refresh that has not begun. */
  #refresh: Promise<void> | null = null;

  constructor(
    private readonly client: InboxClient,
    private readonly onChange: () => void,
    private readonly onMessage: (message: InboxMessage) => void = () => undefined,
  ) {
    this.#unfollow = client.follow((event) => this.#hear(event));
  }

  close(): void {
    this.#unfollow();
  }

  /** Reads the messages, and again whenever they change, until `watch(false)`. */
  watch(isWatched = true): void {
    this.isWatched = isWatched;
    if (isWatched && this.#isStale) void this.refresh();
  }

  /** After an error: makes the change that failed, or reads again, and connects now. */
  retry(): void {
    const failed = this.#failed;
    this.client.retry();
    if (failed) void this.#mark(...failed);
    else void this.refresh();
  }

  /** Reads the messages again. Calls that come before it has begun share it. */
  refresh(): Promise<void> {
    this.#refresh ??= this.#inTurn(() => this.#read());
    return this.#refresh;
  }

  /** Adds the next page of older messages. */
  more(): Promise<void> {
    return this.#inTurn(() => this.#readMore());
  }

  read(message: InboxMessage): Promise<void> {
    return message.read_at ? Promise.resolve() : this.#mark('read', { messages: [message.id] });
  }

  unread(message: InboxMessage): Promise<void> {
    return this.#mark('unread', { messages: [message.id] });
  }

  archive(message: InboxMessage): Promise<void> {
    return this.#mark('archived', { messages: [message.id] });
  }

  async readAll(): Promise<void> {
    const [newest] = this.messages;
    if (newest) await this.#mark('read', { upTo: newest.id });
  }

  /** Everything in the list was shown to the user. */
  async seen(): Promise<void> {
    const [newest] = this.messages;
    if (newest && this.counts?.unseen !== 0) await this.#mark('seen', { upTo: newest.id });
  }

  #hear(event: InboxEvent): void {
    if (event.type === 'status') {
      this.status = event.status;
      return this.onChange();
    }
    if (event.type === 'brand') {
      this.brand = event.brand;
      return this.onChange();
    }
    this.counts = event.counts;
    this.#heard++;
    if (event.type === 'message') this.#add(event.message);
    else this.#isStale = true;
    if (this.#isStale && this.isWatched) void this.refresh();
    this.onChange();
  }

  #add(message: InboxMessage): void {
    if (this.isLoading) this.#arrived.push(message);
    // After a lost connection a read may be faster than the stream. Then the message is known, or belongs to a later page.
    const isKnown = this.messages.some(({ id }) => id === message.id);
    const last = this.messages.at(-1);
    const isShown = !this.hasMore || !last || isNewer(message, last);
    if (this.isLoaded && isShown && !isKnown)
      this.messages = [message, ...this.messages].sort((a, b) => (isNewer(a, b) ? -1 : 1));
    this.onMessage(message);
  }

  #inTurn(read: () => Promise<void>): Promise<void> {
    this.#reads++;
    this.onChange();
    this.#turn = this.#turn.then(read).then(() => {
      this.#reads--;
      this.onChange();
    });
    return this.#turn;
  }

  async #readMore(): Promise<void> {
    if (this.#next === null) return;
    try {
      const { messages, next } = await this.client.list({ limit: PAGE, after: this.#next });
      const known = new Set(this.messages.map(({ id }) => id));
      this.messages = [...this.messages, ...messages.filter(({ id }) => !known.has(id))];
      this.#setNext(next);
      this.#fail(null);
    } catch (error) {
      this.#fail('read', error);
    }
  }

  async #read(): Promise<void> {
    this.#refresh = null;
    this.#isStale = false;
    this.#arrived = [];
    const heard = this.#heard;
    try {
      const limit = Math.min(Math.max(this.messages.length, PAGE), MOST_AGAIN);
      const { messages, next, counts } = await this.client.list({ limit });
      const newest = messages[0]?.id ?? 0;
      this.messages = [...this.#arrived.filter(({ id }) => id > newest).reverse(), ...messages];
      if (heard === this.#heard) this.counts = counts;
      this.#setNext(next);
      this.isLoaded = true;
      this.#fail(null);
    } catch (error) {
      this.#fail('read', error);
      this.#isStale = true;
    }
  }

  #setNext(next: string | null): void {
    this.#next = next;
    this.hasMore = next !== null;
  }

  /** Shows the change at once, then makes it. If that fails, the change is taken back, and the user is told. */
  async #mark(as: MarkAs, which: Which): Promise<void> {
    const before = this.messages;
    const heard = this.#heard;
    const last = before.find(({ id }) => 'upTo' in which && id === which.upTo);
    const isMeant = (message: InboxMessage) => {
      if (!('upTo' in which)) return which.messages.includes(message.id);
      return last ? !isNewer(message, last) : message.id <= which.upTo;
    };
    this.messages = before.flatMap((message) => (isMeant(message) ? marked(message, as) : message));
    this.onChange();
    try {
      const { unread, unseen } = await this.client.mark(as, which);
      if (heard === this.#heard) this.counts = { unread, unseen };
      this.#fail(null);
      // A read that was running may have seen the old state; without a stream nobody else tells us.
      if (this.isLoading || this.status !== 'live') void this.refresh();
    } catch (error) {
      const [newest] = before;
      const newer = this.messages.filter((message) => !newest || isNewer(message, newest));
      this.messages = [...newer, ...before];
      this.#isStale = true; // the change may have been made, and only its answer was lost
      if (as !== 'seen') this.#fail('change', error, [as, which]); // nobody asked for that
    }
    this.onChange();
  }

  #fail(doing: 'read' | 'change' | null, error?: unknown, failed: [MarkAs, Which] | null = null): void {
    this.error = doing && { doing, cause: InboxError.of(error) };
    this.#failed = failed;
  }
}

/** The message after the change; nothing when it leaves the list. */
function marked(message: InboxMessage, as: MarkAs): InboxMessage[] {
  const now = new Date().toISOString();
  const { seen_at, read_at } = message;
  if (as === 'archived') return [];
  if (as === 'seen') return [{ ...message, seen_at: seen_at ?? now }];
  if (as === 'read') return [{ ...message, seen_at: seen_at ?? now, read_at: read_at ?? now }];
  return as === 'unread' ? [{ ...message, read_at: null }] : [message];
}
