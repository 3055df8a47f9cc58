import { MAX_PAGE } from './page.js';
import type { Page } from './page.js';

/** A part of a list, and the cursor of the next part, or null. */
export interface ListPart<Item> {
  items: Item[];
  next: string | null;
}

/** A row of a statement that also limits the bytes it returns: whether rows after it were left out. */
interface MaybeCut {
  isCut?: boolean;
}

/** Rows of a search that may stop before the end of the list, and the cursor where it goes on; null: it has reached the end. */
export interface FoundRows<Row> {
  rows: Row[];
  goesOnAt: string | null;
}

/** The answer of a list operation: how to read its rows in key order, show each row, and continue after it. */
export class Listing<Row, Item> {
  constructor(
    readonly page: Page,
    /** Reads up to `limit` rows after the cursor; null means from the first row. Large rows are read `withinBytes`. */
    private readonly read: (after: string | null, limit: number) => Promise<Row[] | FoundRows<Row>>,
    private readonly show: (row: Row) => Item,
    private readonly cursor: (row: Row) => string | number,
    /** Rows per read when the complete list is requested. */
    readonly partSize = MAX_PAGE,
  ) {}

  async take(after: string | null, limit: number): Promise<ListPart<Item>> {
    const found = await this.read(after, limit + 1); // one extra row tells whether more follow
    const { rows, goesOnAt } = Array.isArray(found) ? { rows: found, goesOnAt: null } : found;
    const isLast = rows.length <= limit && !(rows.at(-1) as MaybeCut | undefined)?.isCut;
    if (rows.length > limit) rows.pop();
    return { items: rows.map((row) => this.show(row)), next: isLast ? goesOnAt : String(this.cursor(rows.at(-1)!)) };
  }
}
