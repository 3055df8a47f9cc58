import { Injectable } from '@nestjs/common';
import { CommitGate } from '../../platform/http/limit/commit-gate.js';
import { ConnectionShares } from '../../platform/http/limit/connection-shares.js';
import { fieldError } from '../../platform/field/error/field-error.js';
import type { FieldError } from '../../platform/field/error/field-error.js';
import { notFound } from '../../platform/http/problem.js';
import { Database } from '../../platform/database/database.js';
import { isForeignKeyViolation, isPostgresAnswer, isUniqueViolation } from '../../platform/database/database-error.js';
import type { Actor } from '../../platform/database/actor.js';
import { PrismaService } from '../../platform/database/prisma.service.js';
import { sqlArray } from '../../platform/database/transaction.js';
import type { Transaction } from '../../platform/database/transaction.js';
import type { Priority } from '../../platform/queue/priority.js';
import { StoredBytes } from '../../auth/quota/stored-bytes.js';
import { Turns } from './turns.js';
import {
  ANNOUNCE,
  FIND_UNKNOWN,
  STORE,
  STORE_ALONE,
  STORE_KEYED,
  STORE_KEYED_NAMED,
  STORE_NAMED,
  TAKES_RECIPIENTS,
} from './occurrence.sql.js';

/** An occurrence to store, together with the job that expands it. */
export interface NewOccurrence {
  id: string;
  organizationId: number;
  eventId: number;
  /** JSON. */
  context: string;
  /** JSON. */
  options: string;
  /** Whether the options have recipients. */
  hasRecipients: boolean;
  /** The keys of the users that the options name; left out: none. */
  names?: string[];
  /** When the job may run; null: at once. */
  runAt: Date | null;
  priority: Priority;
  idempotency: { key: string; bodyHash: Buffer } | null;
}

/** An occurrence that was stored. */
export interface StoredOccurrence {
  /** The keys of the first names that are not users. */
  unknown: string[];
}

interface MadeRow {
  id: string;
  /** Left out: the statement was not asked for it. */
  unknown?: string[];
}

interface Waiting {
  occurrence: NewOccurrence;
  resolve: (stored: StoredOccurrence | null) => void;
  reject: (error: unknown) => void;
}

const MAX_FLUSHES = 2;
const MAX_ROWS = 200;
const MAX_BYTES = 4 * 1024 * 1024;
/** How many names the statement looks up that all organizations share. More of them, up to 10,000, are looked up alone. */
const MAX_NAMES = 20;

/** The problem with recipients that the event does not take, or with those that it lacks. */
export const unfitRecipients = (hasRecipients: boolean): FieldError =>
  hasRecipients
    ? fieldError(
        'not_allowed',
        'must be left out: no notification of the event has to: recipients, so it would not reach them',
      )
    : fieldError('required', 'must be given: a notification of the event has to: recipients');

/** Stores occurrences. Requests that arrive during a commit share the next one. Workers are told after it. */
@Injectable()
export class OccurrenceStore {
  private readonly waiting = new Turns<Waiting>();
  /** The batches that are being committed. */
  private readonly underWay = new Set<Waiting[]>();
  private flushes = 0;
  private announcing: Promise<void> | undefined;
  private isUnannounced = false;

  constructor(
    private readonly database: Database,
    private readonly stored: StoredBytes,
    private readonly commits: CommitGate,
    /** For occurrences that are stored together with users. */
    private readonly prisma: PrismaService,
    private readonly shares: ConnectionShares,
  ) {
    commits.whenClosed(() => this.refuseAll());
  }

  /**
   * Returns once the occurrence is committed. Null: its idempotency key was used before, or it has recipients and its event takes none, or the
   * other way round. `refusalOf` tells which.
   */
  async add(occurrence: NewOccurrence): Promise<StoredOccurrence | null> {
    const { organizationId, names = [] } = occurrence;
    if (names.length <= MAX_NAMES) return this.addTogether(occurrence);
    const stored = await this.addTogether({ ...occurrence, names: undefined });
    // It is stored: the answer says so, also if the names cannot be looked up now.
    return stored && { unknown: await this.unknownOf(organizationId, names).catch(() => []) };
  }

  private async addTogether(occurrence: NewOccurrence): Promise<StoredOccurrence | null> {
    if (this.commits.isClosed) throw this.commits.refusal();
    try {
      return await new Promise<StoredOccurrence | null>((resolve, reject) => {
        this.waiting.push(occurrence.organizationId, { occurrence, resolve, reject });
        if (this.flushes < MAX_FLUSHES) void this.drain();
      });
    } catch (error) {
      // The event was deleted after the path was resolved.
      if (isForeignKeyViolation(error)) throw notFound('event');
      throw error;
    }
  }

  /**
   * The same, after `work` in one transaction in the name of `by`, and before `then`. If it returns null, nothing of `work` is stored either.
   */
  async addWith(
    by: Actor,
    occurrence: NewOccurrence,
    work: (tx: Transaction) => Promise<void>,
    then: (tx: Transaction) => Promise<void> = async () => undefined,
  ): Promise<StoredOccurrence | null> {
    const rollback = new Error('not stored');
    let made: MadeRow;
    try {
      const change = () =>
        this.prisma.change(by, async (tx) => {
          await work(tx);
          const columns = [...columnsOf([occurrence]), namesOf([occurrence])];
          const [made] = await tx.$queryRawUnsafe<MadeRow[]>(STORE_KEYED_NAMED.text, ...columns.map(sqlArray));
          if (!made) throw rollback;
          await then(tx);
          return made;
        });
      // It holds a connection for several statements, as any other change does.
      made = await this.commits.run(() => this.shares.run(occurrence.organizationId, change));
    } catch (error) {
      if (error === rollback) return null;
      if (isForeignKeyViolation(error)) throw notFound('event');
      throw error;
    }
    this.stored.add(occurrence.organizationId, occurrence.context.length + occurrence.options.length);
    this.isUnannounced = true;
    this.announcing ??= this.announce();
    return { unknown: made.unknown ?? [] };
  }

  /** The first of these names that are not users. */
  async unknownOf(organizationId: number, keys: string[]): Promise<string[]> {
    const values = [organizationId, keys];
    const { rows } = await this.database.query<{ key: string }>('find-unknown-users', FIND_UNKNOWN, values);
    return rows.map(({ key }) => key);
  }

  /** The problem with the recipients of an occurrence that was not stored; null: there is none. */
  async refusalOf({
    eventId,
    hasRecipients,
  }: Pick<NewOccurrence, 'eventId' | 'hasRecipients'>): Promise<FieldError | null> {
    const { rows } = await this.database.query<{ takesRecipients: boolean }>('takes', TAKES_RECIPIENTS, [eventId]);
    if (!rows[0] || rows[0].takesRecipients === hasRecipients) return null;
    return unfitRecipients(hasRecipients);
  }

  private async drain(): Promise<void> {
    this.flushes++;
    try {
      while (this.waiting.size > 0) await this.commit(this.nextBatch());
    } finally {
      this.flushes--;
    }
  }

  private async commit(batch: Waiting[]): Promise<void> {
    this.underWay.add(batch);
    try {
      await this.flush(batch);
    } finally {
      this.underWay.delete(batch);
    }
  }

  /** Answers everybody now. Occurrences that are being committed may be stored later, the others are not. */
  private refuseAll(): void {
    for (const { reject } of [...this.waiting.take(() => true), ...[...this.underWay].flat()])
      reject(this.commits.refusal());
  }

  /**
   * Takes as many occurrences as fit, of all organizations in turn. No idempotency key comes twice: one statement cannot claim a key for
   * two rows.
   */
  private nextBatch(): Waiting[] {
    const keys = new Set<string>();
    let bytes = 0;
    let size = 0;
    return this.waiting.take(({ occurrence: { idempotency, eventId, context, options } }) => {
      const key = idempotency && `${eventId} ${idempotency.key}`;
      const more = context.length + options.length;
      if (size > 0 && (size === MAX_ROWS || bytes + more > MAX_BYTES || (key && keys.has(key)))) return false;
      if (key) keys.add(key);
      bytes += more;
      size++;
      return true;
    });
  }

  private async flush(batch: Waiting[]): Promise<void> {
    try {
      const statement = this.statementFor(batch);
      const made = await this.store(
        statement,
        batch.map(({ occurrence }) => occurrence),
      );
      if (statement !== STORE_ALONE) {
        this.isUnannounced = true;
        this.announcing ??= this.announce();
      }
      for (const { occurrence, resolve } of batch) {
        const row = made.get(occurrence.id);
        if (row) this.stored.add(occurrence.organizationId, occurrence.context.length + occurrence.options.length);
        resolve(row ? { unknown: row.unknown ?? [] } : null);
      }
    } catch (error) {
      const { constraint } = error as { constraint?: string };
      // This was a second try: the first one committed the row, and then the connection was lost.
      if (batch.length === 1 && isUniqueViolation(error) && constraint === 'occurrences_pkey')
        return batch[0]!.resolve({ unknown: [] });
      // The database was not reached: to retry each row alone would only take as long again.
      if (batch.length === 1 || !isPostgresAnswer(error)) return batch.forEach(({ reject }) => reject(error));
      // One bad row must not fail the others: each row is retried alone.
      for (const waiting of batch) await this.flush([waiting]);
    }
  }

  /** Occurrences stored during one notice share the next. Nobody waits for it: a worker looks for jobs every second, too. */
  private async announce(): Promise<void> {
    while (this.isUnannounced) {
      this.isUnannounced = false;
      await this.database.query('announce', ANNOUNCE, []).catch(() => undefined);
    }
    this.announcing = undefined;
  }

  private statementFor(batch: Waiting[]): typeof STORE {
    const hasNames = batch.some(({ occurrence }) => occurrence.names !== undefined);
    if (batch.some(({ occurrence }) => occurrence.idempotency !== null))
      return hasNames ? STORE_KEYED_NAMED : STORE_KEYED;
    if (hasNames) return STORE_NAMED;
    const isAlone = batch.length === 1 && this.flushes === 1 && this.waiting.size === 0;
    return isAlone ? STORE_ALONE : STORE;
  }

  private async store(statement: typeof STORE, rows: NewOccurrence[]): Promise<Map<string, MadeRow>> {
    const hasNames = statement === STORE_NAMED || statement === STORE_KEYED_NAMED;
    const values = hasNames ? [...columnsOf(rows), namesOf(rows)] : columnsOf(rows);
    const { rows: made } = await this.database.query<MadeRow>(statement.name, statement.text, values);
    return new Map(made.map((row) => [row.id, row]));
  }
}

/** JSON for each row. */
const namesOf = (rows: NewOccurrence[]) => rows.map(({ names = [] }) => JSON.stringify(names));

/** The parameters of STORE. */
const columnsOf = (rows: NewOccurrence[]) => [
  rows.map((row) => row.id),
  rows.map((row) => row.organizationId),
  rows.map((row) => row.eventId),
  rows.map((row) => row.context),
  rows.map((row) => row.options),
  rows.map((row) => row.runAt?.toISOString() ?? null),
  rows.map((row) => row.priority),
  rows.map((row) => row.idempotency?.key ?? null),
  rows.map((row) => (row.idempotency ? `\\x${row.idempotency.bodyHash.toString('hex')}` : null)),
  rows.map((row) => row.hasRecipients),
];
