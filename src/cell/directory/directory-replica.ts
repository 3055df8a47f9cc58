import { Injectable, Logger } from '@nestjs/common';
import type { OnModuleDestroy, OnModuleInit } from '@nestjs/common';
import { Database } from '../../platform/database/database.js';
import { Cells } from './cells.js';
import { COPY_CELLS, COPY_PLACES, DELETE_COPIES, FROZEN, ID_ORDERS, OWN_ORGANIZATIONS } from './copy.sql.js';
import { Directory } from './directory.js';
import type { Cell, DirectoryEntry } from './directory.js';
import { idRange } from './id-range.js';
import { IdOrders } from '../../platform/database/order/id-orders.js';
import type { IdOrderRow } from '../../platform/database/order/id-orders.js';
import { DirectoryCache } from './directory-cache.js';

const PULL_MS = 1000;
/** How often all places are read, and compared with the organizations of this cell. */
const COMPARE_MS = 300_000;
/** How often the directory hears that this cell is alive. */
const SEEN_MS = 10_000;
/** A question about a slug that nobody knows asks the directory at most this often. */
const FRESH_MS = 50;

/**
 * Keeps the places in memory, and a durable copy of them in the database of the cell: if the directory does not answer, not even at the
 * start, the process works with the copy.
 */
@Injectable()
export class DirectoryReplica implements OnModuleInit, OnModuleDestroy {
  readonly places = new DirectoryCache();
  private readonly logger = new Logger('Cells');
  private readonly copy: Directory;
  private timer: NodeJS.Timeout | undefined;
  private pulling: Promise<void> | undefined;
  private isReachable = true;
  private pulledAt = -Infinity;
  private comparedAt = -Infinity;
  private seenAt = -Infinity;
  private isStopped = false;

  constructor(
    private readonly cells: Cells,
    private readonly database: Database,
    private readonly orders: IdOrders,
  ) {
    orders.lastOwnMessage = Number(idRange(cells.settings.number, 'integer').max);
    this.copy = new Directory(database.pool);
  }

  async onModuleInit(): Promise<void> {
    this.places.put(await this.copy.pull(null), true);
    this.places.putCells(await this.copy.cells());
    await this.pull();
    this.timer = setInterval(() => void this.pull(), PULL_MS).unref();
  }

  async onModuleDestroy(): Promise<void> {
    this.isStopped = true;
    clearInterval(this.timer);
    await this.pulling;
  }

  /** Reads what has changed in the directory. Callers at the same time share one question. Does not throw. */
  pull(): Promise<void> {
    return (this.pulling ??= this.pullOnce().finally(() => (this.pulling = undefined)));
  }

  /** Tells the directory the URL of this cell, and reads all of it. */
  reread(): Promise<void> {
    this.seenAt = this.comparedAt = -Infinity;
    return this.pull();
  }

  /** The place of a slug. Asks the directory if it is not known here: another cell may have created the organization just now. */
  async find(slug: string): Promise<DirectoryEntry | undefined> {
    const known = this.places.ofSlug(slug);
    if (known || !this.isReachable || performance.now() - this.pulledAt < FRESH_MS) return known;
    await this.pull();
    return this.places.ofSlug(slug);
  }

  private async pullOnce(): Promise<void> {
    if (this.isStopped || !(await this.readOwn())) return;
    try {
      await this.readDirectory();
      if (!this.isReachable) this.logger.log({ message: 'the directory answers again' });
      this.isReachable = true;
    } catch (error) {
      if (this.isReachable)
        this.logger.warn({
          message: 'the directory does not answer: working with the copy',
          error: (error as Error).message,
        });
      this.isReachable = false;
    }
  }

  /**
   * Not from the directory: these are of this cell's own database. Before the places: once a process knows that an organization has moved here,
   * it knows the order of its ids.
   */
  private async readOwn(): Promise<boolean> {
    try {
      const { rows } = await this.database.query<{ id: number }>('frozen', FROZEN, []);
      this.places.putFrozen(rows.map(({ id }) => id));
      this.orders.put((await this.database.query<IdOrderRow>('id-orders', ID_ORDERS, [])).rows);
      return true;
    } catch (error) {
      this.logger.warn({ message: 'could not read the freezes', error: (error as Error).message });
      return false;
    }
  }

  private async readDirectory(): Promise<void> {
    const { directory, settings } = this.cells;
    const now = performance.now();
    if (now - this.seenAt > SEEN_MS) {
      await directory.see(settings.number, settings.url);
      await this.putCells(await directory.cells());
      this.seenAt = now;
    }
    const isAll = this.cells.isBehind || now - this.comparedAt > COMPARE_MS;
    const places = await directory.pull(isAll ? null : this.places.newest);
    this.places.put(places, isAll);
    this.pulledAt = performance.now();
    if (places.length > 0) await this.database.pool.query(COPY_PLACES, [JSON.stringify(places)]);
    if (!isAll) return;
    await this.deleteCopies(places);
    await this.compare();
    this.comparedAt = now;
  }

  private async putCells(cells: Cell[]): Promise<void> {
    this.places.putCells(cells);
    await this.database.pool.query(COPY_CELLS, [JSON.stringify(cells)]);
  }

  private async deleteCopies(places: readonly DirectoryEntry[]): Promise<void> {
    const newest = places.at(-1)?.changedAt;
    if (newest !== undefined) await this.database.pool.query(DELETE_COPIES, [places.map(({ slug }) => slug), newest]);
    await this.cells.directory.deleteOld();
  }

  /** Tells the directory about organizations that it does not know, such as those from before there were cells, and about deleted ones. */
  private async compare(): Promise<void> {
    const { directory, settings } = this.cells;
    const cell = settings.number;
    this.cells.isBehind = false;
    try {
      const { rows } = await this.database.pool.query<{ id: number; slug: string }>(OWN_ORGANIZATIONS);
      const own = new Set(rows.map(({ id }) => id));
      for (const { id, slug } of rows) {
        const place = this.places.ofSlug(slug);
        if (place?.organizationId === id) continue;
        if (!(await directory.setCreated(slug, id, cell)))
          this.logger.error({ message: 'another cell has an organization with the same slug', slug, organization: id });
      }
      for (const { slug, organizationId, state, ...place } of [...this.places.all()])
        if (place.cell === cell && state === 'here' && !own.has(organizationId!))
          await directory.setGone(slug, organizationId!, cell);
    } catch (error) {
      this.cells.isBehind = true;
      throw error;
    }
    this.places.put(await directory.pull(this.places.newest));
  }
}
