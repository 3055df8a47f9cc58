import { InboxError } from './inbox-error.js';
import type { Brand, Counts, InboxEvent, InboxMessage, Status } from './message.js';
import { Pause, listen } from './pause.js';
import { readEvents } from './read-events.js';
import { waitMs } from './wait-ms.js';

/** The service sends something every 15 s. A stream that is silent for longer than this is dead, although nobody closed it. */
const SILENCE_MS = 45_000;
/** A stream that lived this long was a success: the next failure is the first one. */
const STABLE_MS = 10_000;
/** Without a network the browser says when it is back. It may be wrong where only this machine or a local network is reached. */
const OFFLINE_MS = 120_000;

/** Requests the stream, from the start or after an event. */
export type Open = (lastId: string | undefined, signal: AbortSignal) => Promise<Response>;

/** Keeps one stream open. It connects again after a drop, and continues after the last event: no gap, no duplicate. */
export class Connection {
  readonly #pause = new Pause();

  constructor(
    private readonly open: Open,
    private readonly emit: (event: InboxEvent, lastId: string | undefined) => void,
    private lastId: string | undefined,
  ) {}

  /** Ends the wait for the next attempt. */
  retry(): void {
    this.#pause.end();
  }

  /** Runs until `signal` aborts. Throws when the service refuses the user. */
  async run(signal: AbortSignal): Promise<void> {
    for (let failures = 0; !signal.aborted;) {
      const since = performance.now();
      const error = await this.#follow(signal).then(() => null, InboxError.of);
      if (signal.aborted) return;
      if (error?.isRefused) throw error;
      failures = performance.now() - since > STABLE_MS ? 1 : failures + 1;
      const { navigator } = globalThis as { navigator?: { onLine?: boolean } }; // there may be none outside a browser
      const isOnline = navigator?.onLine !== false;
      // The service ends every stream after some minutes. That is no problem for the user.
      if (error || failures > 1) this.#say(isOnline ? 'waiting' : 'offline', error);
      const asked = isOnline ? (error?.retryAfterMs ?? 0) : OFFLINE_MS;
      await this.#pause.wait(waitMs(failures, asked, Math.random()), signal);
    }
  }

  #say(status: Status, error: Error | null = null): void {
    this.emit({ type: 'status', status, problem: error?.message ?? null }, this.lastId);
  }

  async #follow(signal: AbortSignal): Promise<void> {
    const cut = new AbortController();
    const end = () => cut.abort();
    let silence = setTimeout(end, SILENCE_MS);
    const unlisten = listen(end, signal, 'offline');
    try {
      const { body } = await this.open(this.lastId, cut.signal);
      this.#say('live');
      const onBytes = () => {
        clearTimeout(silence);
        silence = setTimeout(end, SILENCE_MS);
      };
      for await (const { id, event, data } of readEvents(body!, onBytes)) this.#take(id, event, data);
    } finally {
      clearTimeout(silence);
      unlisten();
      cut.abort();
    }
  }

  #take(id: string | undefined, event: string, data: string): void {
    const isOld = event === 'message' && data !== '' && Number(id) <= Number(this.lastId ?? 0);
    if (isOld) return;
    if (id !== undefined) this.lastId = id;
    if (data === '') return;
    if (event === 'message') {
      const { counts, ...message } = JSON.parse(data) as InboxMessage & { counts: Counts };
      this.emit({ type: 'message', message, counts }, this.lastId);
    } else if (event === 'counts') {
      this.emit({ type: 'counts', counts: JSON.parse(data) as Counts }, this.lastId);
    } else if (event === 'brand') {
      this.emit({ type: 'brand', brand: JSON.parse(data) as Brand }, this.lastId);
    }
  }
}
