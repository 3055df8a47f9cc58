import { Inject, Injectable } from '@nestjs/common';
import type { Client } from 'pg';
import { lastSendTime } from '../../platform/send-at.js';
import type { SendAt } from '../../platform/send-at.js';
import { BackgroundLoop } from '../../platform/background-loop.js';
import { CONFIG } from '../../platform/config/config.js';
import type { Config } from '../../platform/config/config.js';
import { createSession } from '../../platform/database/connection/open-session.js';
import { DATABASE_URL } from '../../platform/database/database.js';
import { measureUsage } from '../../auth/quota/measure-usage.js';
import { refreshDeliveryIndex } from './delivery-index.js';
import { purgeFiles } from './purge-files.js';
import { purgeRulesets } from './purge-rulesets.js';
import {
  DELETE_DELIVERIES,
  DELETE_DRAFTS,
  DELETE_FIGURES,
  DELETE_IDEMPOTENCY_KEYS,
  DELETE_INBOX_MESSAGES,
  DELETE_MESSAGE_PLACES,
  DELETE_MUTED_THREADS,
  DELETE_OCCURRENCES,
  DELETE_RESOLUTIONS,
  DELETE_SESSIONS,
  DELETE_SILENT_DEVICES,
  DELETE_SOFT_FAILURES,
  DELETE_UPLOADS,
  EVENTS_TO_PURGE,
  OLD_OCCURRENCES,
  PURGE_LOCK,
} from './purge.sql.js';

const FIRST_MS = 10_000;
const HOUR_MS = 3_600_000;

/** Rows per statement. Each statement is its own transaction, so no row is locked for long. */
export const BATCH = 5000;
const OCCURRENCES = 500;
/** Each is deleted with its address and the memberships of it. */
const DEVICES = 500;
/** Of more than 20 rows at once, the audit log would note the number. Sessions that have ended by themselves need no entry. */
const SESSIONS = 20;

const FIRST_ID = '00000000-0000-0000-0000-000000000000';

interface EventToPurge {
  id: number;
  before: Date;
  /** Occurrences with a lower id were created before the time `before`. */
  bound: string;
}

interface Purged {
  occurrences: number;
  deliveries: number;
  inboxMessages: number;
  idempotencyKeys: number;
  messagePlaces: number;
  rulesets: number;
  files: number;
}

/** Deletes everything older than its retention, and measures what is left of each organization: every hour, in one process at a time. */
@Injectable()
export class Purge extends BackgroundLoop {
  constructor(
    @Inject(DATABASE_URL) private readonly connectionString: string,
    @Inject(CONFIG) private readonly config: Pick<
      Config,
      'retentionDays' | 'inboxRetentionDays' | 'figuresRetentionDays' | 'softFailures' | 'quotas'
    >,
  ) {
    super({
      name: 'Purge',
      failure: 'purge interrupted, will retry in an hour',
      everyMs: HOUR_MS,
      firstMs: FIRST_MS,
      isAwaited: true,
    });
  }

  protected override async round(): Promise<void> {
    await this.run();
  }

  /** Returns what was deleted, or null when another process purges. */
  async run(): Promise<Purged | null> {
    // A session of its own: the lock ends with the session, and the process can stop without waiting for a running statement.
    // It holds locks on a batch of rows, so it must not wait long for other sessions: it tries again in an hour.
    const client = createSession(this.connectionString, { kind: 'background', name: 'carillon purge' });
    const end = () => void client.end();
    this.stopping.addEventListener('abort', end);
    try {
      await client.open();
      const sql = 'select pg_try_advisory_lock($1) locked';
      const { rows } = await client.query<{ locked: boolean }>(sql, [PURGE_LOCK]);
      return rows[0]!.locked ? await this.purge(client) : null;
    } finally {
      this.stopping.removeEventListener('abort', end);
      await client.end();
    }
  }

  private async purge(client: Client): Promise<Purged> {
    const purged: Purged = {
      occurrences: 0,
      deliveries: 0,
      inboxMessages: 0,
      idempotencyKeys: 0,
      messagePlaces: 0,
      rulesets: 0,
      files: 0,
    };
    const start = Date.now();
    try {
      await inBatches(client, DELETE_IDEMPOTENCY_KEYS, [], (count) => (purged.idempotencyKeys += count));
      await inBatches(client, DELETE_MESSAGE_PLACES, [], (count) => (purged.messagePlaces += count));
      await inBatches(client, DELETE_SOFT_FAILURES, [this.config.softFailures?.days ?? 0], () => undefined);
      for (const sql of DELETE_FIGURES)
        await inBatches(client, sql, [this.config.figuresRetentionDays], () => undefined);
      await inBatches(client, DELETE_SESSIONS, [], () => undefined, SESSIONS);
      await inBatches(client, DELETE_SILENT_DEVICES, [], () => undefined, DEVICES);
      const { rows } = await client.query<EventToPurge>(EVENTS_TO_PURGE, [this.config.retentionDays]);
      for (const event of rows) await this.purgeEvent(client, event, purged);
      await this.purgeInboxes(client, purged);
      await inBatches(client, DELETE_RESOLUTIONS, [], () => undefined);
      await inBatches(client, DELETE_MUTED_THREADS, [], () => undefined);
      purged.rulesets = await purgeRulesets(client);
      await inBatches(client, DELETE_DRAFTS, [], () => undefined);
      await inBatches(client, DELETE_UPLOADS, [], () => undefined);
      purged.files = await purgeFiles(client);
      await this.measure(client);
      await refreshDeliveryIndex(client);
    } finally {
      if (Object.values(purged).some((count) => count > 0))
        this.logger.log({ message: 'purged', ...purged, ms: Date.now() - start });
    }
    return purged;
  }

  private async purgeEvent(client: Client, { id, before, bound }: EventToPurge, purged: Purged): Promise<void> {
    for (let after = FIRST_ID; ;) {
      const { rows } = await client.query<{ id: string; sendAt: SendAt | null }>(OLD_OCCURRENCES, [
        id,
        after,
        bound,
        before,
        OCCURRENCES,
      ]);
      // Not in SQL: PostgreSQL refuses some times that JavaScript accepts, such as an offset of +23:59.
      const old = rows.filter(({ sendAt }) => sendAt === null || lastSendTime(sendAt) < before.getTime());
      const ids = old.map((row) => row.id);
      await inBatches(client, DELETE_DELIVERIES, [ids], (count) => (purged.deliveries += count));
      const deleted = await client.query(DELETE_OCCURRENCES, [ids]);
      purged.occurrences += deleted.rowCount ?? 0;
      if (rows.length < OCCURRENCES) return;
      after = rows.at(-1)!.id;
    }
  }

  private async measure(client: Client): Promise<void> {
    const organizations = await measureUsage(client, this.config.quotas.stored_mb);
    if (organizations.length > 0)
      this.logger.warn({ message: 'organizations store 80 % or more of their quota stored_mb', organizations });
  }

  private async purgeInboxes(client: Client, purged: Purged): Promise<void> {
    for (let after = 0; ;) {
      const values = [this.config.inboxRetentionDays, after, BATCH];
      const { rows } = await client.query<{ gone: number; old: number; last: number | null }>(
        DELETE_INBOX_MESSAGES,
        values,
      );
      const { gone, old, last } = rows[0]!;
      purged.inboxMessages += gone;
      if (old === 0 || last === null) return;
      after = last;
    }
  }
}

/** Repeats a statement that deletes up to `batch` rows, until no row is left. */
async function inBatches(
  client: Client,
  sql: string,
  values: unknown[],
  count: (rows: number) => void,
  batch = BATCH,
): Promise<void> {
  let rows: number;
  do {
    rows = (await client.query(sql, [...values, batch])).rowCount ?? 0;
    count(rows);
  } while (rows === batch);
}
