import { MAX_PAGE } from './page.js';
import type { Page } from './page.js';

/** A part of a list, and the cursor of the next part, or null. */
export interface Part<Item> {
  items: Item[];
  next: string | null;
}

/** A row of a statement that also limits the bytes it returns: whether rows after it were left out. */
interface MaybeCut {
  isCut?: boolean;
}

/** The answer of a list operation: how to read its rows in key order, show each row, and continue after it. */
export class Listing<Row, Item> {
  constructor(
    readonly page: Page,
    /** Reads up to `limit` rows after the cursor; null means from the first row. Large rows are read `withinBytes`. */
    private readonly read: (after: string | null, limit: number) => Promise<Row[]>,
    private readonly show: (row: Row) => Item,
    private readonly cursor: (row: Row) => string | number,
    /** Rows per read when the complete list is requested. */
    readonly partSize = MAX_PAGE,
  ) {}

  async take(after: string | null, limit: number): Promise<Part<Item>> {
    const rows = await this.read(after, limit + 1); // one extra row tells whether more follow
    const isLast = rows.length <= limit && !(rows.at(-1) as MaybeCut | undefined)?.isCut;
    if (rows.length > limit) rows.pop();
    return { items: rows.map((row) => this.show(row)), next: isLast ? null : String(this.cursor(rows.at(-1)!)) };
  }
}
