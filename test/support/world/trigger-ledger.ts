import { setTimeout as pause } from 'node:timers/promises';
import type { HttpSink } from '../sinks/http-sink.js';

interface LedgerParts {
  url: string;
  key: string;
  sink: HttpSink;
  clients: number;
  /** How long a client waits between two triggers. */
  pauseMs: number;
}

/** Clients that trigger all the time, and a book of what was accepted and of what arrived. A trigger that gets a 503 is sent again with its key. */
export class TriggerLedger {
  /** The occurrence of every 201. */
  readonly accepted = new Set<string>();
  /** What was answered otherwise than with 201 or a 503 that says when to come back. */
  readonly wrong: string[] = [];
  unavailable = 0;
  private sent = 0;
  private isStopped = true;
  private running: Promise<void>[] = [];

  constructor(private readonly parts: LedgerParts) {}

  start(): void {
    this.isStopped = false;
    this.running = Array.from({ length: this.parts.clients }, () => this.keepTriggering());
  }

  /** Each client stops when its last trigger is accepted. */
  async stop(): Promise<void> {
    this.isStopped = true;
    await Promise.all(this.running);
  }

  /** How often the message of each occurrence arrived. */
  get arrivals(): Map<string, number> {
    const counts = new Map<string, number>();
    for (const { body } of this.parts.sink.requests) {
      const { occurrence } = (JSON.parse(body) as { data: { occurrence: string } }).data;
      counts.set(occurrence, (counts.get(occurrence) ?? 0) + 1);
    }
    return counts;
  }

  get missing(): string[] {
    const { arrivals } = this;
    return [...this.accepted].filter((occurrence) => !arrivals.has(occurrence));
  }

  get repeats(): number {
    const { arrivals } = this;
    return this.parts.sink.requests.length - arrivals.size;
  }

  /** Sends one trigger. */
  async post(n: string | number): Promise<Response> {
    const { url, key } = this.parts;
    const headers = {
      authorization: `Key ${key}`,
      'content-type': 'application/json',
      'idempotency-key': `trigger-${n}`,
    };
    const body = JSON.stringify({ context: { n } });
    return fetch(url, { method: 'POST', headers, body, signal: AbortSignal.timeout(60_000) });
  }

  private async keepTriggering(): Promise<void> {
    while (!this.isStopped) {
      await this.triggerUntilAccepted(this.sent++);
      await pause(this.parts.pauseMs);
    }
  }

  private async triggerUntilAccepted(n: number): Promise<void> {
    for (;;) {
      const answer = await this.tryOnce(n);
      if (answer !== 'again') return;
      await pause(100);
    }
  }

  private async tryOnce(n: number): Promise<'accepted' | 'again' | 'wrong'> {
    try {
      const response = await this.post(n);
      const text = await response.text();
      if (response.status === 201) {
        this.accepted.add((JSON.parse(text) as { occurrence: string }).occurrence);
        return 'accepted';
      }
      if (response.status === 503 && response.headers.has('retry-after')) {
        this.unavailable++;
        return 'again';
      }
      this.wrong.push(`${response.status} ${text}`);
    } catch (error) {
      this.wrong.push(String(error));
    }
    return 'wrong';
  }
}
