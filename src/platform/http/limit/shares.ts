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

export interface Waiting {
  start: () => void;
  refuse: (error: Error) => void;
  timeout: NodeJS.Timeout;
}

/** Limits the work that each organization has under way in this process, so that none takes what the others need. */
export class Shares {
  private readonly running = new Map<number, number>();
  /** By organization, the oldest first. */
  private readonly waiting = new Map<number, Waiting[]>();
  private inAll = 0;

  constructor(protected readonly limits: ShareLimits) {}

  async run<Result>(tenant: number, work: () => Promise<Result>, waitMs: number = this.limits.waitMs): Promise<Result> {
    if (!this.take(tenant)) await new Promise<void>((start, refuse) => this.wait(tenant, waitMs, start, refuse));
    try {
      return await work();
    } finally {
      this.release(tenant);
    }
  }

  /** Takes a share, if the organization may have another one now. */
  protected take(tenant: number): boolean {
    if (!this.hasRoom(tenant)) return false;
    this.count(tenant, 1);
    return true;
  }

  protected release(tenant: number): void {
    this.count(tenant, -1);
    this.next();
  }

  /** Calls `start` once it has a share, or `refuse` when it has waited for too long. Throws if too many wait already. */
  protected wait(tenant: number, waitMs: number, start: () => void, refuse: (error: Error) => void): Waiting {
    const queue = this.waiting.get(tenant) ?? [];
    if (queue.length >= this.limits.maxWaiting) throw this.refusal(tenant);
    const late = () => {
      this.leave(tenant, waiting);
      refuse(this.refusal(tenant));
    };
    const waiting = { start, refuse, timeout: setTimeout(late, waitMs).unref() };
    queue.push(waiting);
    this.waiting.set(tenant, queue);
    return waiting;
  }

  /** Takes it out of the queue. Returns false if it waits no more. */
  protected leave(tenant: number, waiting: Waiting): boolean {
    const queue = this.waiting.get(tenant) ?? [];
    const index = queue.indexOf(waiting);
    if (index === -1) return false;
    clearTimeout(waiting.timeout);
    queue.splice(index, 1);
    if (queue.length === 0) this.waiting.delete(tenant);
    return true;
  }

  /** An organization that has less than its due need not wait: it cannot help what the others do. */
  private hasRoom(tenant: number): boolean {
    const running = this.runningOf(tenant);
    const { perOrganization, inAll } = this.limits;
    if (running < perOrganization && this.inAll < inAll) return true;
    return running < this.dueOf(this.running.size + (running === 0 ? 1 : 0));
  }

  /** What each of so many organizations may have although all together have too much. */
  protected dueOf(_organizations: number): number {
    return 1;
  }

  protected waitingOf(tenant: number): number {
    return this.waiting.get(tenant)?.length ?? 0;
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

  /** Starts the first work of the organization that has the least under way. */
  private next(): void {
    let least: number | null = null;
    for (const tenant of this.waiting.keys()) {
      const isLess = least === null || this.runningOf(tenant) < this.runningOf(least);
      if (isLess && this.hasRoom(tenant)) least = tenant;
    }
    if (least === null) return;
    const [first] = this.waiting.get(least)!;
    this.leave(least, first!);
    this.count(least, 1);
    first!.start();
  }

  protected refusal(tenant: number): Error {
    const { perOrganization, nouns } = this.limits;
    return this.runningOf(tenant) >= perOrganization
      ? tooBusy(
          `The organization has too many ${nouns} under way: ${perOrganization} is the limit. Wait until one has ended.`,
        )
      : unavailable(`The service has too many ${nouns} under way. Try again.`);
  }
}
