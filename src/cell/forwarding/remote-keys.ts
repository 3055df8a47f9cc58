import { Injectable, Logger } from '@nestjs/common';
import type { OnModuleDestroy, OnModuleInit } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Cells } from '../directory/cells.js';
import { IS_SLUG_FROZEN } from '../directory/freeze.sql.js';
import { cellOfId, idRange } from '../directory/id-range.js';
import { DirectoryReplica } from '../directory/directory-replica.js';
import { unavailable } from '../../platform/http/problem.js';
import { Database } from '../../platform/database/database.js';
import { PrismaService } from '../../platform/database/prisma.service.js';
import type { ForeignKey, OtherCells } from '../../auth/other-cells.js';
import { WrongKeys } from '../../auth/quota/rate-limit.js';
import { CellClient } from './cell-client.js';
import type { Question } from './cell-client.js';
import {
  COPY_KEYS,
  DELETE_COPIES,
  FIND_BY_HASH,
  FIND_ORIGINALS,
  LIST_COPIES,
  LOCATE,
  TOUCH_ORIGINALS,
} from './key-copy.sql.js';

/** What a cell knows about a hash. */
interface KeyAnswer {
  key: ForeignKey | null;
  /** It has the row, but as far as it has heard, another cell answers for it. If no cell does, the key is valid all the same. */
  isMoving?: true;
}

const CACHE_MS = 5000;
const MAX_ASKING = 64;
const REFRESH_MS = 2000;
/** Their question fits into a header. */
const MAX_COPIES_PER_QUESTION = 100;
/** A cell that was not seen for this long is not waited for. */
const FORGOTTEN_MS = 3_600_000;

/**
 * Finds keys, sessions and links that another cell has. Those of operators reach every organization, so they are copied; the cell that created
 * one says every two seconds whether it is still valid.
 */
@Injectable()
export class RemoteKeys implements OtherCells, OnModuleInit, OnModuleDestroy {
  private readonly logger = new Logger('Cells');
  private readonly found = new LRUCache<string, ForeignKey | 'nowhere'>({ max: 10_000, ttl: CACHE_MS });
  private asking = 0;
  private timer: NodeJS.Timeout | undefined;
  private refreshing: Promise<void> | undefined;

  constructor(
    private readonly cells: Cells,
    private readonly copy: DirectoryReplica,
    private readonly database: Database,
    private readonly prisma: PrismaService,
    private readonly wrongKeys: WrongKeys,
    private readonly cell: CellClient,
  ) {}

  onModuleInit(): void {
    this.timer = setInterval(() => void this.refresh(), REFRESH_MS).unref();
  }

  async onModuleDestroy(): Promise<void> {
    clearInterval(this.timer);
    await this.refreshing;
  }

  /** The cell that has to answer requests of a key about itself; null: this one, or there is no such key. */
  async locate(hash: string, address: string): Promise<{ cell: number; organizationId: number | null } | null> {
    const { rows } = await this.database.query<{ id: number; organizationId: number | null }>('locate', LOCATE, [hash]);
    const [own] = rows;
    if (!own) return this.newestCell(await this.find(hash, address));
    const { id, organizationId } = own;
    if (organizationId === null) return { cell: cellOfId(id), organizationId };
    const place = this.copy.places.ofOrganization(organizationId);
    return place ? { cell: place.cell, organizationId } : null;
  }

  /** The answer may be some seconds old. A place that this cell has heard of since is newer. */
  private newestCell(key: ForeignKey | null): ForeignKey | null {
    const place = key?.organizationId == null ? undefined : this.copy.places.ofOrganization(key.organizationId);
    return key && place && place.cell !== this.cells.settings.number ? { ...key, cell: place.cell } : key;
  }

  /** Asks the other cells. Null: none of them has it. An operator's is copied before this returns. */
  async find(hash: string, address: string): Promise<ForeignKey | null> {
    const known = this.found.get(hash);
    if (known) return known === 'nowhere' ? null : known;
    // Each unknown key costs a question to every cell. It is not asked for somebody who guesses.
    if (this.wrongKeys.isTooMany(address)) return null;
    if (this.asking >= MAX_ASKING) throw unavailable('Too many unknown keys are looked up. Try again.');
    this.asking++;
    try {
      const key = await this.askAll(hash);
      if (key?.organizationId === null) await this.store(key);
      this.found.set(hash, key ?? 'nowhere');
      return key;
    } finally {
      this.asking--;
    }
  }

  /** The secrets of an organization that has moved away are gone before every process of this cell has heard of the move. */
  async refuseWhileMoving(slug: string): Promise<void> {
    const { rows } = await this.database.query<{ frozen: boolean }>('is-slug-frozen', IS_SLUG_FROZEN, [slug]);
    if (rows[0]!.frozen) throw unavailable('The organization has just moved to another cell. Try again.', 1);
  }

  private async askAll(hash: string): Promise<ForeignKey | null> {
    const now = Date.now();
    const others = this.copy.places.allCells().filter(({ number }) => number !== this.cells.settings.number);
    const answers = await Promise.allSettled(others.map((cell) => this.cell.ask<KeyAnswer>(cell, { hash })));
    const given = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
    const found = given.find(({ key }) => key !== null)?.key;
    if (found) return found;
    if (given.some(({ isMoving }) => isMoving))
      throw unavailable('The organization of the key has just moved to another cell. Try again.', 1);
    const isSilent = answers.some(
      ({ status }, i) => status === 'rejected' && now - new Date(others[i]!.seenAt).getTime() < FORGOTTEN_MS,
    );
    if (isSilent) throw unavailable('A cell that may know the key does not answer. Try again later.', 2);
    return null;
  }

  private async store({ row, parent, cell }: ForeignKey): Promise<void> {
    await this.copyRows(parent ? [row, parent] : [row], cell);
  }

  private async copyRows(rows: Record<string, unknown>[], cell: number): Promise<void> {
    // A session may belong to a key of a third cell, or to one of this cell, which stays as it is.
    const own = this.cells.settings.number;
    const foreign = rows.filter((row) => row.organization_id === null && cellOfId(Number(row.id)) !== own);
    await this.prisma.change({ actor: `cell ${cell}` }, (tx) =>
      tx.$executeRawUnsafe(COPY_KEYS, JSON.stringify(foreign)),
    );
  }

  /** Answers another cell. */
  async answer(question: Question): Promise<unknown> {
    return 'hash' in question ? this.keyFor(question.hash) : this.originals(question.originals);
  }

  private async keyFor(hash: string): Promise<KeyAnswer> {
    const cell = this.cells.settings.number;
    const { rows } = await this.database.query<ForeignKey & { id: number }>('key-for', FIND_BY_HASH, [hash]);
    const [key] = rows;
    if (!key) return { key: null };
    // Not a copy, and not the rows that an organization has left here, or that came before this cell has heard of the move.
    const { id, organizationId } = key;
    const home =
      organizationId === null ? cellOfId(id) : (this.copy.places.ofOrganization(organizationId)?.cell ?? cell);
    if (home === cell) return { key: { ...key, cell } };
    return organizationId === null ? { key: null } : { key: null, isMoving: true };
  }

  private async originals(asked: [number, string | null][]) {
    const ids = asked.map(([id]) => id);
    const used = asked.filter(([, at]) => at !== null);
    if (used.length > 0)
      await this.database.query('touch-originals', TOUCH_ORIGINALS, [used.map(([id]) => id), used.map(([, at]) => at)]);
    const { rows } = await this.database.query<{ row: unknown }>('find-originals', FIND_ORIGINALS, [ids]);
    return { rows: rows.map(({ row }) => row) };
  }

  /** Brings all copies up to date. Copies of a cell that does not answer stay as they are. */
  refresh(): Promise<void> {
    return (this.refreshing ??= this.refreshOnce()
      .catch((error: unknown) =>
        this.logger.warn({ message: 'could not check keys of operators', error: (error as Error).message }),
      )
      .finally(() => (this.refreshing = undefined)));
  }

  private async refreshOnce(): Promise<void> {
    const { min, max } = idRange(this.cells.settings.number, 'integer');
    const values = [Number(min), Number(max)];
    const { rows } = await this.database.query<{ id: number; lastUsedAt: Date | null }>(
      'list-copies',
      LIST_COPIES,
      values,
    );
    for (let i = 0; i < rows.length; i += MAX_COPIES_PER_QUESTION) {
      const part = rows.slice(i, i + MAX_COPIES_PER_QUESTION);
      for (const number of new Set(part.map(({ id }) => cellOfId(id))))
        await this.refreshFrom(
          number,
          part.filter(({ id }) => cellOfId(id) === number),
        );
    }
  }

  private async refreshFrom(number: number, copies: { id: number; lastUsedAt: Date | null }[]): Promise<void> {
    const cell = this.copy.places.cell(number);
    if (!cell) return;
    const originals = copies.map(({ id, lastUsedAt }): [number, string | null] => [
      id,
      lastUsedAt?.toISOString() ?? null,
    ]);
    const answer = await this.cell
      .ask<{ rows: ({ id: number } & Record<string, unknown>)[] }>(cell, { originals })
      .catch(() => null);
    if (!answer) return;
    const left = new Set(answer.rows.map(({ id }) => id));
    const ended = copies.filter(({ id }) => !left.has(id)).map(({ id }) => id);
    await this.copyRows(answer.rows, number);
    if (ended.length > 0)
      await this.prisma.change({ actor: `cell ${number}` }, (tx) => tx.$executeRawUnsafe(DELETE_COPIES, ended));
  }
}
