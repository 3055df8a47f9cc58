import { tooBusy, unavailable } from '../problem.js';

export interface ShareLimits {
  /** Pieces of work that one organization may have under way. */
  perOrganization: number;
  /** Pieces of work of all organizations. Above it, each may still have one. */
  inAll: number;
  /** How many more of one organization may wait. */
  maxWaiting: number;
  /** How long one waits before it is refused. */
  waitMs: number;
  /** What is limited, as in "too many simulations". */
  nouns: string;
}

interface Waiting {
  tenant: number;
  start: () => void;
}

/** Limits the work that each organization has under way in this process, so that none takes what the others need. */
export class Shares {
  private readonly running = new Map<number, number>();
  private readonly waiting: Waiting[] = [];
  private inAll = 0;

  constructor(private readonly limits: ShareLimits) {}

  async run<Result>(tenant: number, work: () => Promise<Result>, waitMs: number = this.limits.waitMs): Promise<Result> {
    if (this.hasRoom(tenant)) this.count(tenant, 1);
    else await this.wait(tenant, waitMs);
    try {
      return await work();
    } finally {
      this.count(tenant, -1);
      this.next();
    }
  }

  /** An organization without any work under way need not wait: it cannot help what the others do. */
  private hasRoom(tenant: number): boolean {
    const running = this.runningOf(tenant);
    return running === 0 || (running < this.limits.perOrganization && this.inAll < this.limits.inAll);
  }

  private runningOf(tenant: number): number {
    return this.running.get(tenant) ?? 0;
  }

  private count(tenant: number, by: 1 | -1): void {
    const running = this.runningOf(tenant) + by;
    if (running === 0) this.running.delete(tenant);
    else this.running.set(tenant, running);
    this.inAll += by;
  }

  private wait(tenant: number, waitMs: number): Promise<void> {
    const { maxWaiting } = this.limits;
    if (this.waiting.filter((each) => each.tenant === tenant).length >= maxWaiting) throw this.refusal(tenant);
    return new Promise((resolve, reject) => {
      const timeout = setTimeout(() => {
        this.waiting.splice(this.waiting.indexOf(waiting), 1);
        reject(this.refusal(tenant));
      }, waitMs).unref();
      const start = () => {
        clearTimeout(timeout);
        resolve();
      };
      const waiting = { tenant, start };
      this.waiting.push(waiting);
    });
  }

  /** Starts the first work of the organization that has the least under way. */
  private next(): void {
    const ready = this.waiting.filter(({ tenant }) => this.hasRoom(tenant));
    if (ready.length === 0) return;
    const least = Math.min(...ready.map(({ tenant }) => this.runningOf(tenant)));
    const first = ready.find(({ tenant }) => this.runningOf(tenant) === least)!;
    this.waiting.splice(this.waiting.indexOf(first), 1);
    this.count(first.tenant, 1);
    first.start();
  }

  private refusal(tenant: number): Error {
    const { perOrganization, nouns } = this.limits;
    return this.runningOf(tenant) >= perOrganization
      ? tooBusy(
          `The organization has too many ${nouns} under way: ${perOrganization} is the limit. Wait until one has ended.`,
        )
      : unavailable(`The service has too many ${nouns} under way. Try again.`);
  }
}
