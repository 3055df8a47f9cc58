import type { Pool } from 'pg';
import {
  CELLS,
  CLAIM_PLACE,
  DELETE_OLD_PLACES,
  LOCK_PLACES,
  PLACE,
  PLACES_AFTER,
  SEE_CELL,
  SET_CREATED,
  SET_GONE,
  SET_HERE,
  SET_MOVING,
} from './directory.sql.js';

export interface Cell {
  number: number;
  url: string;
  seenAt: Date;
}

/** Where an organization lives. `claimed`: it is about to be created there; `moving`: from `cell` to `target`. */
export interface DirectoryEntry {
  slug: string;
  organizationId: number | null;
  cell: number;
  state: 'claimed' | 'here' | 'moving' | 'gone';
  target: number | null;
  /** As PostgreSQL writes it: a Date would lose its microseconds. */
  changedAt: string;
}

/** Says which cell an organization lives in. Every answer comes from the directory's database; `Places` has a copy of it. */
export class Directory {
  constructor(private readonly pool: Pick<Pool, 'connect' | 'query'>) {}

  /**
   * Reserves a slug for an organization that this cell is about to create. False: the slug belongs to another cell. If the cell itself has
   * such an organization already, its own database says so.
   */
  async claim(slug: string, cell: number): Promise<boolean> {
    if ((await this.write(CLAIM_PLACE, [slug, cell])) === 1) return true;
    const place = await this.place(slug);
    return place?.cell === cell && place.state === 'here';
  }

  /** Null: no organization has the slug. */
  async place(slug: string): Promise<DirectoryEntry | null> {
    const { rows } = await this.pool.query<DirectoryEntry>(PLACE, [slug]);
    return rows[0] ?? null;
  }

  /** The organization was created in this cell. False: the slug belongs to another organization. */
  async setCreated(slug: string, organizationId: number, cell: number): Promise<boolean> {
    if ((await this.write(SET_CREATED, [slug, organizationId, cell])) === 1) return true;
    return (await this.place(slug))?.organizationId === organizationId;
  }

  /**
   * The organization lives in this cell: its move here has ended, or its move away is called off. False: the place
   * belongs to another organization or another cell.
   */
  async setHere(slug: string, organizationId: number, cell: number): Promise<boolean> {
    return (await this.write(SET_HERE, [slug, organizationId, cell])) === 1;
  }

  /** The organization moves from `cell` to `target`: writes are refused until `setHere`. False: it does not live in `cell`, or moves elsewhere. */
  async setMoving(slug: string, organizationId: number, cell: number, target: number): Promise<boolean> {
    return (await this.write(SET_MOVING, [slug, organizationId, cell, target])) === 1;
  }

  /** The organization was deleted. False: it does not live in `cell`. */
  async setGone(slug: string, organizationId: number, cell: number): Promise<boolean> {
    return (await this.write(SET_GONE, [slug, organizationId, cell])) === 1;
  }

  /** The places that changed after a time, in order; null: all of them. */
  async pull(after: string | null): Promise<DirectoryEntry[]> {
    return (await this.pool.query<DirectoryEntry>(PLACES_AFTER, [after])).rows;
  }

  async cells(): Promise<Cell[]> {
    return (await this.pool.query<Cell>(CELLS)).rows;
  }

  /** Tells the directory that a cell is alive, and where. */
  async see(number: number, url: string): Promise<void> {
    await this.pool.query(SEE_CELL, [number, url]);
  }

  async deleteOld(): Promise<void> {
    await this.pool.query(DELETE_OLD_PLACES);
  }

  /** Runs one statement while no other session changes places. Returns the number of changed rows. */
  private async write(sql: string, values: unknown[]): Promise<number> {
    const client = await this.pool.connect();
    let failure: Error | undefined;
    try {
      await client.query('begin');
      await client.query(LOCK_PLACES);
      const { rowCount } = await client.query(sql, values);
      await client.query('commit');
      return rowCount ?? 0;
    } catch (error) {
      failure = error as Error;
      throw error;
    } finally {
      // A connection in an open transaction is closed: PostgreSQL rolls back.
      client.release(failure);
    }
  }
}
