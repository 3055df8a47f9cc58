import { Injectable } from '@nestjs/common';
import { answerOf } from '../../dispatcher/answer/answer.js';
import { readReference } from '../../dispatcher/report/reference.js';
import type { ReportedEvent } from '../../dispatcher/report/report.js';
import { isDataError } from '../../platform/database/database-error.js';
import { Database } from '../../platform/database/database.js';
import type { ApplyReportsPayload, ProviderReport, Remainder } from '../../platform/queue/task.js';
import { Telemetry } from '../../platform/telemetry/telemetry.js';
import { APPLY_REPORTS, KEEP_REPORTS } from './provider-report.sql.js';

/** Reports that share a statement, at most. */
const AT_ONCE = 500;

/** Reports that wait together for their deliveries, at most. */
const IN_JOB = 100;

const FIRST_WAIT_MS = 2000;
const LONGEST_WAIT_MS = 60_000;
/** How long a report waits for its delivery. */
const PATIENCE_MS = 10 * 60_000;

const MAX_EVENT_ID = 255;

/** Thrown when too many reports of an organization wait for their deliveries. */
export class TooManyReports extends Error {}

interface Waiting {
  reports: ProviderReport[];
  done: (unknown: ProviderReport[]) => void;
  failed: (error: unknown) => void;
}

/** Writes what providers report. Reports that arrive during a statement share the next one. */
@Injectable()
export class ProviderReports {
  private readonly waiting: Waiting[] = [];
  private isWriting = false;

  constructor(
    private readonly database: Database,
    private readonly telemetry: Telemetry,
  ) {}

  /** Resolves when the reports are stored: those whose delivery is not known yet are tried again for some minutes. */
  async add(channel: { id: number; organizationId: number }, reports: ReportedEvent[]): Promise<void> {
    const rows = reports.flatMap((report) => rowOf(channel, report) ?? []);
    const unknown: ProviderReport[] = [];
    // One statement after the other: the requests of others get their turn between them.
    for (const some of inParts(rows, AT_ONCE)) unknown.push(...(await this.apply(some)));
    for (const some of inParts(unknown, IN_JOB)) await this.keep(channel.organizationId, some);
    this.telemetry.metrics?.providerReported('waiting', unknown.length);
  }

  private async keep(organizationId: number, reports: ProviderReport[]): Promise<void> {
    const payload: ApplyReportsPayload = { reports, since: new Date().toISOString() };
    const values = [organizationId, JSON.stringify(payload), FIRST_WAIT_MS];
    const { rowCount } = await this.database.query('keep-reports', KEEP_REPORTS, values);
    if (rowCount === 0) throw new TooManyReports('too many reports wait for their deliveries');
  }

  /** The task for reports that came before their delivery was stored. */
  async retry({ reports, since }: ApplyReportsPayload): Promise<Remainder<ApplyReportsPayload> | undefined> {
    const unknown = await this.apply(reports);
    if (unknown.length === 0) return undefined;
    const ageMs = Date.now() - Date.parse(since);
    if (ageMs >= PATIENCE_MS) {
      this.telemetry.metrics?.providerReported('dropped', unknown.length);
      return undefined;
    }
    const waitMs = Math.min(Math.max(ageMs, FIRST_WAIT_MS), LONGEST_WAIT_MS);
    return { waitMs, payload: { reports: unknown, since } };
  }

  /** Returns the reports without a delivery. */
  private apply(reports: ProviderReport[]): Promise<ProviderReport[]> {
    if (reports.length === 0) return Promise.resolve([]);
    return new Promise((done, failed) => {
      this.waiting.push({ reports, done, failed });
      if (!this.isWriting) void this.drain();
    });
  }

  private async drain(): Promise<void> {
    this.isWriting = true;
    while (this.waiting.length > 0) {
      const batch = this.nextBatch();
      try {
        await this.write(batch);
      } catch (error) {
        // A request that cannot be stored must not fail those of other organizations.
        if (batch.length > 1 && isDataError(error)) await this.writeOneByOne(batch);
        else for (const { failed } of batch) failed(error);
      }
    }
    this.isWriting = false;
  }

  private async writeOneByOne(batch: Waiting[]): Promise<void> {
    for (const each of batch) await this.write([each]).catch(each.failed);
  }

  /** The requests that waited longest. One request is never split: it is answered as a whole. */
  private nextBatch(): Waiting[] {
    let count = 0;
    let end = 0;
    while (end < this.waiting.length && (end === 0 || count + this.waiting[end]!.reports.length <= AT_ONCE)) {
      count += this.waiting[end++]!.reports.length;
    }
    return this.waiting.splice(0, end);
  }

  private async write(batch: Waiting[]): Promise<void> {
    const all = batch.flatMap(({ reports }) => reports);
    const values = [JSON.stringify(all.map((report, n) => ({ n, ...report })))];
    type Written = { unknown: number[]; fresh: number };
    const { rows } = await this.database.query<Written>('apply-reports', APPLY_REPORTS, values);
    const { unknown, fresh } = rows[0]!;
    this.telemetry.metrics?.providerReported('applied', fresh);
    this.telemetry.metrics?.providerReported('repeated', all.length - unknown.length - fresh);
    const missing = new Set(unknown);
    let first = 0;
    for (const { reports, done } of batch) {
      const start = first;
      first += reports.length;
      done(reports.filter((_, i) => missing.has(start + i)));
    }
  }
}

/** PostgreSQL takes no NUL and no half of a character. */
const storable = (id: string) => id.replaceAll('\u0000', '').slice(0, MAX_EVENT_ID).toWellFormed();

function* inParts<Item>(items: Item[], size: number): Generator<Item[]> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size);
}

/** The row of a report about a delivery; null for one that is only about a number, or names no message. */
function rowOf(
  { id, organizationId }: { id: number; organizationId: number },
  report: ReportedEvent,
): ProviderReport | null {
  const { kind, reference = '', providerId = '', eventId, at, by, detail = '' } = report;
  if (kind === 'stopped' || kind === 'resumed' || kind === 'answered') return null;
  const named = readReference(reference);
  if (!named && providerId === '') return null;
  return {
    channel: id,
    organization: organizationId,
    occurrence: named?.occurrence ?? null,
    delivery: named?.delivery ?? null,
    provider_id: named ? null : storable(providerId),
    event: storable(eventId),
    state: kind,
    at: at.toISOString(),
    by: by ?? null,
    detail: answerOf(detail),
  };
}
