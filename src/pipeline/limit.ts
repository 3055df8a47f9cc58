/** Lets so many through at a time; the others wait in line. */
export class Limit {
  private free: number;
  private readonly line: (() => void)[] = [];

  constructor(readonly most: number) {
    this.free = most;
  }

  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.free > 0) this.free--;
    else await new Promise<void>((resolve) => this.line.push(resolve));
    try {
      return await work();
    } finally {
      const next = this.line.shift();
      if (next) next();
      else this.free++;
    }
  }
}
