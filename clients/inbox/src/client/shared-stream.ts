import { Connection } from './connection.js';
import type { Open } from './connection.js';
import { InboxError } from './inbox-error.js';
import type { Counts, InboxEvent } from './message.js';
import { Pause } from './pause.js';
import { waitMs } from './wait-ms.js';

/** A refusal seldom changes: the first wait is as long as after this number of failures. */
const REFUSED = 3;

/** What tabs tell each other. */
type News =
  /** An event of the stream, and where the stream stands after it. */
  | { event: InboxEvent; lastId: string | undefined; isAnswer?: boolean }
  /** A new tab asks for the brand, the counts and the status. */
  | { ask: true }
  /** A user pressed "try again". */
  | { retry: true };

/**
 * One stream for all tabs of a browser. The tab that holds the lock has the stream and tells the others. When it closes, the browser
 * gives the lock to the next tab, which continues after the last event that it heard of. Without locks each tab has its own stream.
 */
export class SharedStream {
  readonly #stop = new AbortController();
  readonly #pause = new Pause();
  readonly #channel: BroadcastChannel | null;
  #connection: Connection | null = null;
  #lastId: string | undefined;
  #counts: Counts | null = null;
  #brand: InboxEvent | null = null;
  #status: InboxEvent | null = null;

  constructor(
    private readonly name: string,
    private readonly open: Open,
    private readonly emit: (event: InboxEvent) => void,
  ) {
    const canShare = globalThis.navigator?.locks && globalThis.BroadcastChannel;
    this.#channel = canShare ? new BroadcastChannel(name) : null;
    this.#channel?.addEventListener('message', ({ data }: MessageEvent<News>) => this.#hear(data));
    this.#tell({ ask: true });
    void this.#run();
  }

  close(): void {
    this.#stop.abort();
    this.#channel?.close();
  }

  /** Connects now, in whichever tab has the stream. */
  retry(): void {
    this.#retryHere();
    this.#tell({ retry: true });
  }

  #retryHere(): void {
    this.#connection?.retry();
    this.#pause.end();
  }

  async #run(): Promise<void> {
    const { signal } = this.#stop;
    for (let failures = 1; !signal.aborted; failures++) {
      const error = await this.#takeTurn(signal).then(() => null, InboxError.of);
      if (signal.aborted) return;
      // This user or page was refused. Another tab may do better, and gets the lock meanwhile.
      this.#show({ type: 'status', status: 'waiting', problem: error?.message ?? null });
      await this.#pause.wait(waitMs(failures + REFUSED, error?.retryAfterMs ?? 0, Math.random()), signal);
    }
  }

  async #takeTurn(signal: AbortSignal): Promise<void> {
    if (!this.#channel) return this.#lead(signal);
    let isMine = false;
    const lead = () => ((isMine = true), this.#lead(signal));
    await navigator.locks.request(this.name, { signal }, lead).catch((error: unknown) => {
      if (isMine || signal.aborted) throw error;
      return this.#lead(signal); // a page without an origin of its own has no locks
    });
  }

  async #lead(signal: AbortSignal): Promise<void> {
    const emit = (event: InboxEvent, lastId: string | undefined) => {
      this.#lastId = lastId;
      this.#show(event);
      this.#tell({ event, lastId });
    };
    this.#connection = new Connection(this.open, emit, this.#lastId);
    try {
      await this.#connection.run(signal);
    } finally {
      this.#connection = null;
    }
  }

  #hear(news: News): void {
    if ('event' in news) {
      if (this.#connection) return; // this tab has a stream itself
      if (news.isAnswer && this.#isInformed) return; // another tab has asked
      this.#lastId = news.lastId;
      this.#show(news.event);
    } else if ('retry' in news) {
      this.#retryHere();
    } else if (this.#connection) {
      const counts: InboxEvent | null = this.#counts && { type: 'counts', counts: this.#counts };
      for (const event of [this.#brand, counts, this.#status])
        if (event) this.#tell({ event, lastId: this.#lastId, isAnswer: true });
    }
  }

  get #isInformed(): boolean {
    return this.#counts !== null && this.#status !== null;
  }

  #show(event: InboxEvent): void {
    if (event.type === 'status') this.#status = event;
    else if (event.type === 'brand') this.#brand = event;
    else this.#counts = event.counts;
    this.emit(event);
  }

  #tell(news: News): void {
    if (!this.#stop.signal.aborted) this.#channel?.postMessage(news);
  }
}
