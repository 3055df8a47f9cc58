import { MAX_PAGE } from './page.js';
import type { Page } from './page.js';

/** A part of a list, and the cursor of the next when there is more. */
export interface Part<Item> {
  items: Item[];
  next: string | null;
}

/** What a list operation answers: how its rows are read in the order of a key, and how each is shown and found again. */
export class Listing<Row, Item> {
  constructor(
    readonly page: Page,
    /** So many rows after the cursor, from the first one without it. */
    private readonly read: (after: string | null, limit: number) => Promise<Row[]>,
    private readonly show: (row: Row) => Item,
    private readonly cursor: (row: Row) => string | number,
    /** Rows that are read together when the whole list is asked for: few of those that may be large. */
    readonly atOnce = MAX_PAGE,
  ) {}

  async take(after: string | null, limit: number): Promise<Part<Item>> {
    const rows = await this.read(after, limit + 1); // one more than shown, to tell whether there is more
    const isLast = rows.length <= limit;
    if (!isLast) rows.pop();
    return { items: rows.map((row) => this.show(row)), next: isLast ? null : String(this.cursor(rows.at(-1)!)) };
  }
}
