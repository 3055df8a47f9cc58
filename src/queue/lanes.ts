/**
 * How many jobs of each lane run at once in this worker. No lane may hold more places than are free: what is slow leaves some for
 * the others.
 */
export class Lanes {
  private readonly running = new Map<string, number>();
  private free: number;

  constructor(
    places: number,
    private readonly most: number,
  ) {
    this.free = places;
  }

  /** The lanes that have all that is theirs. */
  full(): string[] {
    return [...this.running].filter(([, jobs]) => jobs >= this.share).map(([lane]) => lane);
  }

  /** False when the lane has no place left. */
  enter(lane: string): boolean {
    const jobs = this.running.get(lane) ?? 0;
    if (jobs > 0 && jobs >= this.share) return false;
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

  private get share(): number {
    return Math.min(this.most, this.free);
  }
}
