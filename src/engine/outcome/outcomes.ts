import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../platform/database/database.js';
import { isDataError, outageOf } from '../../platform/database/database-error.js';
import { addToInbox, writeOutcomes } from './outcomes.sql.js';
import type { Addition } from './outcomes.sql.js';
import { dropDevices } from '../device/devices.sql.js';
import { suppress } from './suppress.sql.js';
import { undeliverable } from './result.js';
import type { Result } from './result.js';

// After a kill, messages whose results were not yet written are sent again, so this limit and the waiting times are small.
const MAX_RESULTS = 50;

/** This many waiting results start a second statement while the first one commits. */
const ENOUGH_FOR_ANOTHER = 25;
const MAX_WRITES = 2;

/** Sending stops at this many unwritten results. Messages in flight are not counted. */
const MAX_UNWRITTEN = 2 * MAX_RESULTS;

/** How long a write waits for more results. The first write does not wait. */
const GATHER_MS = 10;

const RETRY_MS = 250;
const MAX_RETRIES = 240;

interface Waiting {
  result: Result;
  resolve: () => void;
  reject: (error: unknown) => void;
}

/**
 * Writes results as soon as possible. Results that arrive during a write share the next statement, whichever chunk they belong to:
 * 77,000 rows a second instead of 2,000 one by one.
 */
export class Outcomes {
  private readonly waiting: Waiting[] = [];
  private writes = 0;
  private unwritten = 0;
  private waitingForRoom: (() => void)[] = [];

  constructor(
    private readonly database: Database,
    private readonly additions: Addition[],
    private readonly retryMs = RETRY_MS,
  ) {}

  /** Resolves when another message may be sent: a slow database slows down the sending. */
  async waitForRoom(): Promise<void> {
    while (this.unwritten >= MAX_UNWRITTEN) await new Promise<void>((resolve) => this.waitingForRoom.push(resolve));
  }

  /** Resolves when the result is written. */
  add(result: Result): Promise<void> {
    this.unwritten++;
    return new Promise((resolve, reject) => {
      this.waiting.push({ result, resolve, reject });
      const enough = this.writes === 0 ? 1 : ENOUGH_FOR_ANOTHER;
      if (this.writes === MAX_WRITES || this.waiting.length < enough) return;
      this.writes++;
      // Results of answers that have already arrived share the first statement.
      setImmediate(() => void this.drain());
    });
  }

  private async drain(): Promise<void> {
    while (this.waiting.length > 0) {
      const batch = this.waiting.splice(0, MAX_RESULTS);
      try {
        await this.write(batch.map(({ result }) => result));
        for (const { resolve } of batch) resolve();
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
      this.unwritten -= batch.length;
      for (const go of this.waitingForRoom.splice(0)) go();
      if (this.waiting.length < ENOUGH_FOR_ANOTHER) await sleep(GATHER_MS);
    }
    this.writes--;
  }

  /** One bad row must not lose the outcomes of the others: their messages would be sent again. */
  private async writeOneByOne(batch: Result[], error: Error): Promise<void> {
    if (batch.length > 1) {
      for (const result of batch) await this.write([result]);
      return;
    }
    const { id, attempts } = batch[0]!;
    await this.write([undeliverable(id, attempts, `the outcome could not be stored: ${error.message}`)]);
  }

  /**
   * Retries until an outage of the database is over, such as a full disk: results that are given up are messages that are sent again. No
   * more is sent meanwhile, so what waits stays small. Another error is retried for a minute.
   */
  private async write(batch: Result[]): Promise<void> {
    for (let retries = 0; ; retries++) {
      try {
        return await this.writeAll(batch);
      } catch (error) {
        // For example, the user was deleted. Waiting does not help.
        if (isDataError(error)) return this.writeOneByOne(batch, error as Error);
        if (retries >= MAX_RETRIES && outageOf(error) === null) throw error;
        await sleep(this.retryMs);
      }
    }
  }

  private async writeAll(batch: Result[]): Promise<void> {
    const additions = [addToInbox, suppress, dropDevices, ...this.additions].filter(({ concerns }) =>
      batch.some(concerns),
    );
    const hasIds = batch.some(({ providerId }) => providerId !== undefined);
    const hasRich = batch.some(({ message }) => message?.rich !== undefined);
    const hasDevices = batch.some(({ devices }) => devices !== undefined);
    const { name, text } = writeOutcomes(additions, { hasIds, hasRich, hasDevices });
    const ids = hasIds ? [batch.map(({ providerId }) => providerId ?? null)] : [];
    const rich = hasRich ? [batch.map(({ message }) => (message?.rich ? JSON.stringify(message.rich) : null))] : [];
    const devices = hasDevices ? [batch.map((result) => (result.devices ? JSON.stringify(result.devices) : null))] : [];
    const added = additions.flatMap(({ values, fromResults }) => [
      ...values,
      ...(fromResults ? [fromResults(batch)] : []),
    ]);
    await this.database.query(name, text, [...columns(batch), ...ids, ...rich, ...devices, ...added]);
  }
}

function columns(batch: Result[]): unknown[] {
  return [
    batch.map(({ id }) => id),
    batch.map(({ attempts }) => attempts),
    batch.map(({ status }) => status),
    batch.map(({ nextAttemptAt }) => nextAttemptAt),
    batch.map(({ gate }) => gate),
    batch.map(({ reason }) => reason),
    batch.map(({ attempt }) => attempt?.at ?? null),
    batch.map(({ attempt }) => attempt?.durationMs ?? null),
    batch.map(({ attempt }) => attempt?.outcome ?? null),
    batch.map(({ attempt }) => attempt?.answer ?? null),
    batch.map(({ message }) => message?.recipient ?? null),
    batch.map(({ message }) => message?.subject ?? null),
    batch.map(({ message }) => message?.text ?? null),
    batch.map(({ message }) => message?.html ?? null),
    batch.map(({ inbox }) => inbox),
    batch.map(({ fallsBack }) => fallsBack),
    batch.map(({ isUncounted }) => isUncounted),
    batch.map(({ message }) => (message?.sender ? JSON.stringify(message.sender) : null)),
    batch.map(({ message }) => (message?.language ? JSON.stringify(message.language) : null)),
  ];
}
