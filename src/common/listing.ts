import type { Page } from './page.js';

/** What a list operation answers: rows in a stable order, and how each is shown and found again. */
export class Listing<Row, Item> {
  constructor(
    private readonly rows: AsyncIterable<Row> | Iterable<Row>,
    readonly page: Page,
    private readonly show: (row: Row) => Item,
    private readonly cursor: (row: Row) => string | number,
  ) {}

  async *items(): AsyncGenerator<Item> {
    for await (const row of this.rows) yield this.show(row);
  }

  /** One page, and the cursor of the next when there is more. The rows hold one more than the limit to tell. */
  async take(limit: number): Promise<{ items: Item[]; next: string | null }> {
    const items: Item[] = [];
    let last: Row | undefined;
    for await (const row of this.rows) {
      if (items.length === limit) return { items, next: String(this.cursor(last as Row)) };
      items.push(this.show(row));
      last = row;
    }
    return { items, next: null };
  }
}

/** How many rows to fetch for a page: one more than shown, or all. */
export function rowsFor({ limit }: Page): number | null {
  return limit === null ? null : limit + 1;
}
