import { Injectable } from '@nestjs/common';
import type { PoolClient } from 'pg';
import { BackgroundLoop } from '../../platform/background-loop.js';
import { uuidV7 } from '../../platform/field/uuid-v7.js';
import { isPostgresAnswer, outageOf } from '../../platform/database/database-error.js';
import { Database } from '../../platform/database/database.js';
import { CLOSE, LOAD_ITEMS, LOCK_DUE, POSTPONE, placesOfDigests } from './close.sql.js';
import { NO_PLACES, closedDigest } from './closed-digest.js';
import type { DigestItem, DigestScope, DueDigest } from './closed-digest.js';
import { LOCK_USERS } from './limit-reservations.sql.js';

/** How often to look for digests whose time has come. */
const CHECK_MS = 1000;

/** Digests closed together, and how many of them may belong to one organization. */
const BATCH = 400;
const OF_ONE_ORGANIZATION = 200;

/** Sends digests whose time has come, or that are full. */
@Injectable()
export class CloseDigests extends BackgroundLoop {
  constructor(private readonly database: Database) {
    super({
      name: 'CloseDigests',
      failure: 'could not send digests, will retry',
      everyMs: CHECK_MS,
      firstMs: 0,
      isAwaited: false,
    });
  }

  protected override async round(): Promise<void> {
    while (!this.stopping.aborted && (await this.closeSome(BATCH)));
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
    // The database is away, or its answer was lost: no digest is to blame.
    if (!first || (outageOf(error) && !isPostgresAnswer(error))) throw error;
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
    const itemsOf = new Map<string, DigestItem[]>(ids.map((id) => [id, []]));
    for (const item of items) itemsOf.get(item.digest)!.push(item);
    const filled = digests.filter(({ id }) => itemsOf.get(id)!.length > 0);
    const places = await this.places(client, filled);
    const now = new Date();
    const closed = digests.map((digest) =>
      closedDigest(digest, itemsOf.get(digest.id)!, places.get(digest.id) ?? NO_PLACES, uuidV7(now.getTime()), now),
    );
    await client.query(CLOSE, [JSON.stringify(closed)]);
  }

  /** The places of digests within their limits. A digest that is above one takes none. */
  private async places(client: PoolClient, digests: DueDigest[]): Promise<Map<string, DigestScope>> {
    const places = new Map<string, DigestScope>();
    const limited = digests.filter(({ settings }) => settings.rule_limit ?? settings.organization_limit);
    if (limited.length === 0) return places;
    await client.query(LOCK_USERS, [limited.map(({ userId }) => userId)]);
    for (const { id, since, until, isAbove } of await this.ask(client, limited, false)) {
      const { rule_limit: limit } = limited.find((digest) => digest.id === id)!.settings;
      const { count, per, then } = limit!;
      const by = { of: 'notification' as const, count, per, since };
      const above = isAbove ? { until: then === 'digest' ? until : null, by } : null;
      places.set(id, { ...NO_PLACES, above, rule_since: isAbove ? null : since });
    }
    const within = limited.filter(({ id }) => !places.get(id)?.above);
    for (const { id, since, isAbove } of await this.ask(client, within, true)) {
      const { organization_limit: limit } = within.find((digest) => digest.id === id)!.settings;
      const by = { of: 'organization' as const, ...limit!, since };
      const before = places.get(id) ?? NO_PLACES;
      places.set(id, isAbove ? { ...NO_PLACES, above: { until: null, by } } : { ...before, organization_since: since });
    }
    return places;
  }

  private async ask(client: PoolClient, digests: DueDigest[], ofOrganization: boolean): Promise<PlaceRow[]> {
    const ids = digests.map(({ id }) => id);
    return (await client.query<PlaceRow>(placesOfDigests({ ofOrganization }), [ids])).rows;
  }
}

interface PlaceRow {
  id: string;
  since: Date;
  until: Date;
  isAbove: boolean;
}
