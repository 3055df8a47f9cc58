/** The ids from `low` to `high`. */
export interface IdSpan {
  low: number;
  high: number;
}

/** Tables whose rows are read in the order of their ids. */
export const ORDERED_TABLES = ['inbox_messages', 'audit_entries'] as const;
export type OrderedTable = (typeof ORDERED_TABLES)[number];

/** The highest id of each, in all cells. Sums of two of them are exact. */
export const LAST_IDS: Record<OrderedTable, number> = {
  inbox_messages: 2 ** 31 - 1,
  audit_entries: 2 ** 52 - 1,
};

/**
 * The order in which an organization got its ids. It is that of the numbers until it moves to a cell with lower ones. From then on the ids are
 * spans, oldest first, which hold every id once. A rank is the place of an id in that order; in one span it is the id itself.
 */
export class IdOrder {
  constructor(private readonly all: readonly IdSpan[]) {}

  /** Whether ids and ranks are the same. */
  get isNatural(): boolean {
    return this.all.length === 1;
  }

  rank(id: number): number {
    let rank = 0;
    for (const { low, high } of this.all) {
      if (id >= low && id <= high) return rank + id - low;
      rank += high - low + 1;
    }
    return rank;
  }

  idAt(rank: number): number {
    let left = rank;
    for (const { low, high } of this.all) {
      if (left <= high - low) return low + left;
      left -= high - low + 1;
    }
    return this.all.at(-1)!.high;
  }

  /** The ids with these ranks, both included, oldest first. */
  between(first: number, last: number): IdSpan[] {
    const spans: IdSpan[] = [];
    let start = 0;
    for (const { low, high } of this.all) {
      const [from, to] = [Math.max(low, low + (first - start)), Math.min(high, low + (last - start))];
      if (from <= to) spans.push({ low: from, high: to });
      start += high - low + 1;
    }
    return spans;
  }

  /** The rank up to which nothing new can appear, given the newest id of the cell that the organization is in: older spans are complete. */
  settled(newest: number): number {
    const { low, high } = this.all.at(-1)!;
    return newest >= low && newest <= high ? this.rank(newest) : this.rank(low) - 1;
  }

  /** The order after a move to a cell whose next ids are those of the span. Nobody has them yet. */
  movedTo(span: IdSpan): IdSpan[] {
    const before = this.all.flatMap(({ low, high }) => [
      { low, high: Math.min(high, span.low - 1) },
      { low: Math.max(low, span.high + 1), high },
    ]);
    return [...before.filter(({ low, high }) => low <= high), span];
  }
}

export const naturalOrder = (table: OrderedTable) => new IdOrder([{ low: 0, high: LAST_IDS[table] }]);
