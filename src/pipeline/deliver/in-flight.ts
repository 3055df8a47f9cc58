/** Messages in flight, over one channel and over all of a worker: what may repeat after a kill. */
export const IN_FLIGHT_PER_CHANNEL = 50;
export const IN_FLIGHT = 200;

interface Line {
  flying: number;
  /** Who waits; what is critical stands before the others. */
  critical: (() => void)[];
  others: (() => void)[];
}

/**
 * Lets messages out, so many at a time, and shares the places between channels: none may hold more of them than are free, so that
 * slow ones leave places for others. A critical message needs only a place among all.
 */
export class InFlight {
  private readonly lines = new Map<number, Line>();
  private flying = 0;

  constructor(
    private readonly most = IN_FLIGHT,
    private readonly mostPerChannel = IN_FLIGHT_PER_CHANNEL,
  ) {}

  /** Waits for a place; the answer gives it back. */
  async take(channel: number, isCritical: boolean): Promise<() => void> {
    let line = this.lines.get(channel);
    if (!line) this.lines.set(channel, (line = { flying: 0, critical: [], others: [] }));
    const turn = new Promise<void>((resolve) => (isCritical ? line.critical : line.others).push(resolve));
    this.letOut();
    await turn;
    return () => this.giveBack(channel, line);
  }

  private giveBack(channel: number, line: Line): void {
    line.flying--;
    this.flying--;
    if (line.flying === 0 && line.critical.length === 0 && line.others.length === 0) this.lines.delete(channel);
    this.letOut();
  }

  /** One of each channel in turn, for as long as there are places. */
  private letOut(): void {
    for (let moved = true; moved;) {
      moved = false;
      for (const line of this.lines.values()) {
        if (this.flying >= this.most) return;
        const share = Math.min(this.mostPerChannel, this.most - this.flying);
        const next = line.critical.shift() ?? (line.flying < share ? line.others.shift() : undefined);
        if (!next) continue;
        line.flying++;
        this.flying++;
        moved = true;
        next();
      }
    }
  }
}
