/** Runs so many at a time; the others wait their turn. */
export class AtOnce {
  private running = 0;
  private readonly waiting: (() => void)[] = [];

  constructor(private readonly most: number) {}

  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.running < this.most) this.running++;
    else await new Promise<void>((start) => this.waiting.push(start));
    try {
      return await work();
    } finally {
      const next = this.waiting.shift();
      if (next) next();
      else this.running--;
    }
  }
}
