interface Turn<Item> {
  organizationId: number;
  items: Item[];
  /** How many of the items are taken. */
  taken: number;
}

/** What waits, by organization. Everything that is taken is taken of all organizations in turn: nobody waits behind the queue of another. */
export class Turns<Item> {
  private readonly queues = new Map<number, Item[]>();
  private count = 0;

  get size(): number {
    return this.count;
  }

  push(organizationId: number, item: Item): void {
    const queue = this.queues.get(organizationId);
    if (queue) queue.push(item);
    else this.queues.set(organizationId, [item]);
    this.count++;
  }

  /** Takes items, the oldest of each organization first, and of each until one of its items does not fit. */
  take(fits: (item: Item) => boolean): Item[] {
    const all: Item[] = [];
    const turns = [...this.queues].map(([organizationId, items]) => ({ organizationId, items, taken: 0 }));
    let open: Turn<Item>[] = turns;
    while (open.length > 0) {
      open = open.filter((turn) => {
        const item = turn.items[turn.taken];
        if (item === undefined || !fits(item)) return false;
        turn.taken++;
        all.push(item);
        return true;
      });
    }
    this.count -= all.length;
    for (const turn of turns) this.remove(turn);
    return all;
  }

  /** Whoever was served goes behind those that were not. */
  private remove({ organizationId, items, taken }: Turn<Item>): void {
    if (taken === 0) return;
    this.queues.delete(organizationId);
    items.splice(0, taken);
    if (items.length > 0) this.queues.set(organizationId, items);
  }
}
