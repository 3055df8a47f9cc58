/**
 * Counts the running jobs of each lane in this worker. A lane holds at most as many slots as are free: slow lanes leave slots for
 * the others.
 */
export class Lanes {
  private readonly running = new Map<string, number>();
  private free: number;

  constructor(
    slots: number,
    private readonly slotsPerLane: number,
  ) {
    this.free = slots;
  }

  /** Lanes at their limit. */
  atLimit(): string[] {
    return [...this.running].filter(([, jobs]) => jobs >= this.limit).map(([lane]) => lane);
  }

  /** False when the lane is at its limit. */
  enter(lane: string): boolean {
    const jobs = this.running.get(lane) ?? 0;
    if (jobs > 0 && jobs >= this.limit) return false;
    this.running.set(lane, jobs + 1);
    this.free--;
    return true;
  }

  leave(lane: string): void {
    const jobs = this.running.get(lane) ?? 0;
    this.free++;
    if (jobs > 1) this.running.set(lane, jobs - 1);
    else this.running.delete(lane);
  }

  private get limit(): number {
    return Math.min(this.slotsPerLane, this.free);
  }
}
