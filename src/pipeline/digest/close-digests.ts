import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, Logger } from '@nestjs/common';
import type { BeforeApplicationShutdown, OnApplicationBootstrap } from '@nestjs/common';
import type { PoolClient } from 'pg';
import { uuidV7 } from '../../field/uuid-v7.js';
import { Database } from '../../prisma/database.js';
import { CLOSE, LOAD_ITEMS, LOCK_DUE, POSTPONE, countDigests } from './close.sql.js';
import { closedDigest } from './closed-digest.js';
import type { Above, DigestItem, DueDigest } from './closed-digest.js';

/** How often to look for digests whose time has come. */
const CHECK_MS = 1000;

/** Digests closed together, and how many of them may belong to one organization. */
const BATCH = 200;
const OF_ONE_ORGANIZATION = 50;

/** Sends digests whose time has come, or that are full. */
@Injectable()
export class CloseDigests implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger('CloseDigests');
  private readonly stopping = new AbortController();

  constructor(private readonly database: Database) {}

  onApplicationBootstrap(): void {
    void this.keepClosing();
  }

  beforeApplicationShutdown(): void {
    this.stopping.abort();
  }

  private async keepClosing(): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      await this.closeDue().catch((error: Error) => {
        if (!signal.aborted) this.logger.warn({ message: 'could not send digests, will retry', error: error.message });
      });
      await sleep(CHECK_MS, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  private async closeDue(): Promise<void> {
    while (!this.stopping.signal.aborted && (await this.closeSome(BATCH)));
  }

  /** Returns whether there was something to close. */
  private async closeSome(most: number): Promise<boolean> {
    let digests: DueDigest[] = [];
    const client = await this.database.pool.connect();
    try {
      await client.query('begin');
      ({ rows: digests } = await client.query<DueDigest>(LOCK_DUE, [Math.min(most, OF_ONE_ORGANIZATION), most]));
      if (digests.length > 0) await this.close(client, digests);
      await client.query('commit');
      return digests.length > 0;
    } catch (error) {
      await client.query('rollback').catch(() => undefined);
      await this.withoutTheOneThatFailed(digests, error as Error);
      return true;
    } finally {
      client.release();
    }
  }

  /** A digest that cannot be closed must not keep back the others: each gets its own transaction, and the one that fails waits. */
  private async withoutTheOneThatFailed(digests: DueDigest[], error: Error): Promise<void> {
    const [first, ...others] = digests;
    if (!first) throw error; // the database is away
    if (others.length > 0) {
      for (let n = 0; n < digests.length; n++) await this.closeSome(1);
      return;
    }
    this.logger.error({ message: 'could not send a digest, will retry', digest: first.id, error: error.message });
    await this.database.query('postpone-digest', POSTPONE, [first.id]);
  }

  private async close(client: PoolClient, digests: DueDigest[]): Promise<void> {
    const ids = digests.map(({ id }) => id);
    const { rows: items } = await client.query<DigestItem>(LOAD_ITEMS, [ids]);
    const filled = digests.filter(({ id }) => items.some(({ digest }) => digest === id));
    const above = await this.above(client, filled);
    const now = new Date();
    const closed = digests.map((digest) =>
      closedDigest(
        digest,
        items.filter((item) => item.digest === digest.id),
        above.get(digest.id) ?? null,
        uuidV7(now.getTime()),
        now,
      ),
    );
    await client.query(CLOSE, [JSON.stringify(closed)]);
  }

  /** The digests that are above a limit. */
  private async above(client: PoolClient, digests: DueDigest[]): Promise<Map<string, Above>> {
    const above = new Map<string, Above>();
    const of = (limit: 'rule_limit' | 'organization_limit') =>
      digests.filter(({ id, settings }) => settings[limit] && !above.has(id)).map(({ id }) => id);
    const ofRule = of('rule_limit');
    if (ofRule.length > 0) {
      const { rows } = await client.query<{ id: string; until: Date }>(countDigests({ ofOrganization: false }), [
        ofRule,
      ]);
      const waits = new Set(
        digests.filter(({ settings }) => settings.rule_limit?.then === 'digest').map(({ id }) => id),
      );
      for (const { id, until } of rows) above.set(id, { until: waits.has(id) ? until : null });
    }
    const ofOrganization = of('organization_limit');
    if (ofOrganization.length > 0) {
      const { rows } = await client.query<{ id: string }>(countDigests({ ofOrganization: true }), [ofOrganization]);
      for (const { id } of rows) above.set(id, { until: null });
    }
    return above;
  }
}
