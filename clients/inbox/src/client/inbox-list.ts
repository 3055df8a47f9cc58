import type { InboxClient } from './inbox-client.js';
import { InboxError } from './inbox-error.js';
import { isNewer } from './message.js';
import type { Brand, Category, Counts, InboxEvent, InboxMessage, MarkAs, Status, View, Which } from './message.js';

const PAGE = 20;
/** The first page is read again when something changed elsewhere; what was loaded beyond this is dropped then. */
const MOST_AGAIN = 100;
/** As many as the service marks at once. */
const MOST_MARKED = 500;

/** What becomes of messages here. */
type Change = MarkAs | 'acknowledged';

/** The messages that a page shows, kept up to date. It knows no DOM: draw it as you like. */
export class InboxList {
  messages: readonly InboxMessage[] = [];
  counts: Counts | null = null;
  /** Which messages are shown. Choose with `show`. */
  view: View = {};
  /** Of the messages in the inbox. */
  categories: readonly Category[] = [];
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
  #failed: [as: Change, which: Which, until?: Date] | null = null;
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
    if (isWatched) void this.#readCategories();
  }

  /** Shows other messages. */
  show(view: View): void {
    this.view = view;
    this.messages = [];
    this.isLoaded = false;
    this.#setNext(null);
    void this.refresh();
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

  unarchive(message: InboxMessage): Promise<void> {
    return this.#mark('unarchived', { messages: [message.id] });
  }

  snooze(message: InboxMessage, until: Date): Promise<void> {
    return this.#mark('snoozed', { messages: [message.id] }, until);
  }

  unsnooze(message: InboxMessage): Promise<void> {
    return this.#mark('unsnoozed', { messages: [message.id] });
  }

  /** The user takes care of what it is about. */
  acknowledge(message: InboxMessage): Promise<void> {
    return this.#mark('acknowledged', { messages: [message.id] });
  }

  /** Deletes it for good. */
  remove(message: InboxMessage): Promise<void> {
    return this.#mark('deleted', { messages: [message.id] });
  }

  async readAll(): Promise<void> {
    const which = this.#shown(({ read_at }) => read_at === null);
    if (which) await this.#mark('read', which);
  }

  /** Everything in the list was shown to the user. */
  async seen(): Promise<void> {
    const which = this.counts?.unseen === 0 ? null : this.#shown(({ seen_at }) => seen_at === null);
    if (which) await this.#mark('seen', which);
  }

  /** What the user sees: of a category only its messages, else also older ones. */
  #shown(isMeant: (message: InboxMessage) => boolean): Which | null {
    const [newest] = this.messages;
    if (!newest || this.view.state === 'archived' || this.view.state === 'snoozed') return null;
    if (!this.view.category) return { upTo: newest.id };
    const messages = this.messages
      .filter(isMeant)
      .map(({ id }) => id)
      .slice(0, MOST_MARKED);
    return messages.length > 0 ? { messages } : null;
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
    // A message that was just read stays in the view of unread ones, for its reader to finish it.
    if (this.#isStale && this.isWatched && this.view.state !== 'unread') void this.refresh();
    this.onChange();
  }

  #add(message: InboxMessage): void {
    if (this.isLoading) this.#arrived.push(message);
    // After a lost connection a read may be faster than the stream. Then the message is known, or belongs to a later page.
    const isKnown = this.messages.some(({ id }) => id === message.id);
    const last = this.messages.at(-1);
    const isShown = !this.hasMore || !last || isNewer(message, last);
    if (this.isLoaded && isShown && !isKnown && isIn(this.view, message))
      this.messages = [message, ...this.messages].sort((a, b) => (isNewer(a, b) ? -1 : 1));
    const { category } = message;
    if (category && this.isWatched && !this.categories.some(({ slug }) => slug === category.slug))
      void this.#readCategories();
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
    const { view } = this;
    if (this.#next === null) return;
    try {
      const { messages, next } = await this.client.list({ ...view, limit: PAGE, after: this.#next });
      if (view !== this.view) return;
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
    const { view } = this;
    try {
      const limit = Math.min(Math.max(this.messages.length, PAGE), MOST_AGAIN);
      const { messages, next, counts } = await this.client.list({ ...view, limit });
      if (view !== this.view) return;
      const newest = messages[0]?.id ?? 0;
      const arrived = this.#arrived.filter((message) => message.id > newest && isIn(view, message)).reverse();
      this.messages = [...arrived, ...messages];
      if (heard === this.#heard) this.counts = counts;
      this.#setNext(next);
      this.isLoaded = true;
      this.#fail(null);
    } catch (error) {
      this.#fail('read', error);
      this.#isStale = true;
    }
  }

  /** The list is of use without them. */
  async #readCategories(): Promise<void> {
    const categories = await this.client.categories().catch(() => null);
    if (categories) this.categories = categories;
    this.onChange();
  }

  #setNext(next: string | null): void {
    this.#next = next;
    this.hasMore = next !== null;
  }

  /** Shows the change at once, then makes it. If that fails, the change is taken back, and the user is told. */
  async #mark(as: Change, which: Which, until?: Date): Promise<void> {
    const { view } = this;
    const before = this.messages;
    const heard = this.#heard;
    const last = before.find(({ id }) => 'upTo' in which && id === which.upTo);
    const isMeant = (message: InboxMessage) => {
      if (!('upTo' in which)) return which.messages.includes(message.id);
      return last ? !isNewer(message, last) : message.id <= which.upTo;
    };
    this.messages = before.flatMap((message) => (isMeant(message) ? marked(message, as, view) : message));
    this.onChange();
    try {
      if (as === 'acknowledged') await this.client.acknowledge((which as { messages: number[] }).messages[0]!);
      else {
        const { unread, unseen } = await this.client.mark(as, which, until);
        if (heard === this.#heard) this.counts = { unread, unseen };
      }
      this.#fail(null);
      // A read that was running may have seen the old state; without a stream nobody else tells us.
      if (this.isLoading || this.status !== 'live') void this.refresh();
    } catch (error) {
      const [newest] = before;
      const newer = this.messages.filter((message) => !newest || isNewer(message, newest));
      if (view === this.view) this.messages = [...newer, ...before];
      this.#isStale = true; // the change may have been made, and only its answer was lost
      if (as !== 'seen') this.#fail('change', error, [as, which, until]); // nobody asked for that
    }
    this.onChange();
  }

  #fail(doing: 'read' | 'change' | null, error?: unknown, failed: [Change, Which, Date?] | null = null): void {
    this.error = doing && { doing, cause: InboxError.of(error) };
    this.#failed = failed;
  }
}

/** Whether a new message is in a view: it is neither read nor archived. */
const isIn = ({ state, category }: View, message: InboxMessage) =>
  state !== 'archived' && state !== 'snoozed' && (!category || message.category?.slug === category);

/** The message after the change; nothing when it leaves the list. */
function marked(message: InboxMessage, as: Change, { state }: View): InboxMessage[] {
  const now = new Date().toISOString();
  const { seen_at, read_at } = message;
  if (as === 'deleted') return [];
  if (as === 'acknowledged') return [{ ...message, acknowledge: 'done' }];
  if (as === 'archived' || as === 'unarchived') return (as === 'archived') === (state === 'archived') ? [message] : [];
  if (as === 'snoozed' || as === 'unsnoozed') return (as === 'snoozed') === (state === 'snoozed') ? [message] : [];
  if (as === 'seen') return [{ ...message, seen_at: seen_at ?? now }];
  if (as === 'read') return [{ ...message, seen_at: seen_at ?? now, read_at: read_at ?? now }];
  return as === 'unread' ? [{ ...message, read_at: null }] : [message];
}
