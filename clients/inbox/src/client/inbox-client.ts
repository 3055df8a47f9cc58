import { InboxError } from './inbox-error.js';
import type {
  Acknowledgement,
  Brand,
  Category,
  Counts,
  InboxEvent,
  InboxMessage,
  InboxPage,
  MarkAs,
  View,
  Which,
} from './message.js';
import { SharedStream } from './shared-stream.js';
import { TokenSource } from './token-source.js';
import type { TokenFunction } from './token-source.js';

const DEADLINE_MS = 30_000;

export interface InboxOptions {
  /** Where the service is: `https://carillon.example.com`. */
  url: string;
  /** The slug of the organization. */
  organization: string;
  username: string;
  /** Answers a token for this user. It is called again when the token expires or is refused. */
  token: TokenFunction;
}

export interface ListOptions extends View {
  limit?: number;
  /** `next` of the page before. */
  after?: string;
  signal?: AbortSignal;
}

type Listener = (event: InboxEvent) => void;

/** The inbox of one user. Throws an `InboxError` for every call that fails. */
export class InboxClient {
  readonly #url: string;
  readonly #inbox: string;
  readonly #token: TokenSource;
  readonly #listeners = new Set<Listener>();
  #stream: SharedStream | null = null;
  #known = new Map<'counts' | 'brand' | 'status', InboxEvent>();

  constructor({ url, organization, username, token }: InboxOptions) {
    const path = ['api', 'o', segment(organization), 'u', segment(username), 'inbox/'];
    this.#url = url.replace(/\/+$/, '');
    this.#inbox = [this.#url, ...path].join('/');
    this.#token = new TokenSource(token);
  }

  /** One page, newest first. */
  async list({ state, category, limit = 20, after, signal }: ListOptions = {}): Promise<InboxPage> {
    const given = { ...(state && { state }), ...(category && { category }), ...(after && { after }) };
    const query = new URLSearchParams({ limit: String(limit), ...given });
    const response = await this.#send(`?${query}`, { signal: signal ?? AbortSignal.timeout(DEADLINE_MS) });
    const next = /<([^>]*)>; rel="next"/.exec(response.headers.get('Link') ?? '')?.[1];
    return {
      messages: (await response.json()) as InboxMessage[],
      next: next ? new URL(next, this.#inbox).searchParams.get('after') : null,
      counts: {
        unread: Number(response.headers.get('X-Unread-Count')),
        unseen: Number(response.headers.get('X-Unseen-Count')),
      },
    };
  }

  async counts(): Promise<Counts> {
    return (await this.list({ limit: 1 })).counts;
  }

  /** The categories of the messages that are neither archived nor snoozed, by name. */
  async categories(): Promise<Category[]> {
    const response = await this.#send('categories/', { signal: AbortSignal.timeout(DEADLINE_MS) });
    return (await response.json()) as Category[];
  }

  /** Marks some messages, or all up to and including one: `mark('read', { upTo: 8 })`. Only `snoozed` needs `until`. */
  async mark(as: MarkAs, which: Which, until?: Date): Promise<Counts & { changed: number }> {
    const messages = 'upTo' in which ? { up_to: which.upTo } : which;
    return (await this.#post('mark/', { as, ...messages, until })) as Counts & { changed: number };
  }

  /** Says that the user takes care of what a message is about. To say it again changes nothing. */
  async acknowledge(message: number, note?: string): Promise<Acknowledgement> {
    return (await this.#post(`${message}/acknowledge/`, { note })) as Acknowledgement;
  }

  /** Calls `listener` for everything that happens, until the returned function is called. All listeners share one stream. */
  follow(listener: Listener): () => void {
    this.#listeners.add(listener);
    if (this.#listeners.size === 1) this.#start();
    else for (const event of this.#known.values()) listener(event);
    return () => {
      if (this.#listeners.delete(listener) && this.#listeners.size === 0) this.#stop();
    };
  }

  /** Connects now instead of waiting for the next attempt. */
  retry(): void {
    this.#stream?.retry();
  }

  #start(): void {
    globalThis.addEventListener?.('pagehide', this.#close);
    globalThis.addEventListener?.('pageshow', this.#open);
    this.#open();
  }

  #stop(): void {
    globalThis.removeEventListener?.('pagehide', this.#close);
    globalThis.removeEventListener?.('pageshow', this.#open);
    this.#close();
    this.#known.clear();
  }

  readonly #open = (): void => {
    const open = (lastId: string | undefined, signal: AbortSignal) =>
      this.#send('stream/', { headers: lastId === undefined ? {} : { 'Last-Event-ID': lastId }, signal });
    this.#stream ??= new SharedStream(`carillon ${this.#inbox}`, open, (event) => this.#heard(event));
  };

  // A page that the browser keeps for the back button must not keep the stream of the other tabs.
  readonly #close = (): void => {
    this.#stream?.close();
    this.#stream = null;
  };

  #heard(heard: InboxEvent): void {
    const event = heard.type === 'brand' ? { ...heard, brand: this.#withAddress(heard.brand) } : heard;
    if (event.type === 'status' || event.type === 'brand') this.#known.set(event.type, event);
    else this.#known.set('counts', { type: 'counts', counts: event.counts });
    for (const listener of [...this.#listeners]) listener(event);
  }

  /** A service that does not know its own address says only the path of the logo. */
  #withAddress({ logo, ...brand }: Brand): Brand {
    return { ...brand, logo: logo?.url.startsWith('/') ? { ...logo, url: this.#url + logo.url } : logo };
  }

  async #post(path: string, body: object): Promise<unknown> {
    const response = await this.#send(path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(DEADLINE_MS),
    });
    return response.json();
  }

  async #send(path: string, init: RequestInit): Promise<Response> {
    for (let isFirst = true; ; isFirst = false) {
      const token = this.#token.get();
      const headers = { ...init.headers, Authorization: `Bearer ${await token}` };
      const response = await fetch(this.#inbox + path, { ...init, headers, credentials: 'omit', cache: 'no-store' });
      if (response.ok) return response;
      this.#token.drop(response.status === 401 ? token : null);
      if (response.status !== 401 || !isFirst) throw await InboxError.from(response);
    }
  }
}

function segment(value: string): string {
  // A URL drops these segments, even if encoded, and the path would name something else.
  if (['', '.', '..'].includes(value)) throw new TypeError(`"${value}" cannot be an organization or a username`);
  return encodeURIComponent(value);
}
