interface Line {
  busy: number;
  waiting: (() => void)[];
}

/** Limits how much one organization does at the same time. Other organizations do not wait for it. */
export class Slots {
  private readonly lines = new Map<string, Line>();

  constructor(
    private readonly limit: number,
    private readonly waitMs: number,
  ) {}

  /** Waits for a slot and returns the function that releases it, or null when none became free in time. */
  async acquire(organization: string): Promise<(() => void) | null> {
    let line = this.lines.get(organization);
    if (line === undefined) this.lines.set(organization, (line = { busy: 0, waiting: [] }));
    if (line.busy < this.limit) line.busy += 1;
    else if (!(await this.wait(line))) return null;
    return () => this.release(organization, line);
  }

  private wait({ waiting }: Line): Promise<boolean> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        waiting.splice(waiting.indexOf(start), 1);
        resolve(false);
      }, this.waitMs);
      const start = (): void => {
        clearTimeout(timer);
        resolve(true);
      };
      waiting.push(start);
    });
  }

  private release(organization: string, line: Line): void {
    const next = line.waiting.shift();
    if (next !== undefined) return next(); // it takes over the slot
    line.busy -= 1;
    if (line.busy === 0) this.lines.delete(organization);
  }
}
