export interface TenantLimits {
  /** Pieces of work that one organization may have under way. */
  perOrganization: number;
  /** Pieces of work of all organizations. Above it, each may still have one. */
  inAll: number;
  /** How many more of one organization may wait. */
  maxWaiting: number;
  /** How long one waits before it is refused. */
  waitMs: number;
  /** The error of a refusal: because of `perOrganization`, or because of `inAll`. */
  refusal: (limits: TenantLimits, isOwnFault: boolean) => Error;
}

const UNLIMITED: Omit<TenantLimits, 'perOrganization'> = {
  inAll: Infinity,
  maxWaiting: Infinity,
  waitMs: Infinity,
  refusal: () => new Error('too much is under way'),
};

export interface Waiting {
  start: () => void;
  refuse: (error: Error) => void;
  timeout: NodeJS.Timeout | undefined;
}

/** Limits the work that each organization has under way in this process, so that none takes what the others need. */
export class TenantLimiter<Tenant extends number | string> {
  private readonly running = new Map<Tenant, number>();
  /** By organization, the oldest first. */
  private readonly waiting = new Map<Tenant, Waiting[]>();
  private inAll = 0;

  protected readonly limits: TenantLimits;

  /** Without a limit, any number may run, and wait for any time. */
  constructor(limits: Partial<TenantLimits> & Pick<TenantLimits, 'perOrganization'>) {
    this.limits = { ...UNLIMITED, ...limits };
  }

  async run<Result>(tenant: Tenant, work: () => Promise<Result>, waitMs: number = this.limits.waitMs): Promise<Result> {
    if (!this.take(tenant)) await new Promise<void>((start, refuse) => this.wait(tenant, waitMs, start, refuse));
    try {
      return await work();
    } finally {
      this.release(tenant);
    }
  }

  /** Takes a share, if the organization may have another one now. */
  protected take(tenant: Tenant): boolean {
    if (!this.hasCapacity(tenant)) return false;
    this.count(tenant, 1);
    return true;
  }

  protected release(tenant: Tenant): void {
    this.count(tenant, -1);
    this.next();
  }

  /** Calls `start` once it has a share, or `refuse` when it has waited for too long. Throws if too many wait already. */
  protected wait(tenant: Tenant, waitMs: number, start: () => void, refuse: (error: Error) => void): Waiting {
    const queue = this.waiting.get(tenant) ?? [];
    if (queue.length >= this.limits.maxWaiting) throw this.refusal(tenant);
    const late = () => {
      this.leave(tenant, waiting);
      refuse(this.refusal(tenant));
    };
    // A timer without end would end at once.
    const timeout = waitMs === Infinity ? undefined : setTimeout(late, waitMs).unref();
    const waiting = { start, refuse, timeout };
    queue.push(waiting);
    this.waiting.set(tenant, queue);
    return waiting;
  }

  /** Takes it out of the queue. Returns false if it waits no more. */
  protected leave(tenant: Tenant, waiting: Waiting): boolean {
    const queue = this.waiting.get(tenant) ?? [];
    const index = queue.indexOf(waiting);
    if (index === -1) return false;
    clearTimeout(waiting.timeout);
    queue.splice(index, 1);
    if (queue.length === 0) this.waiting.delete(tenant);
    return true;
  }

  /** An organization that has less than its due need not wait: it cannot help what the others do. */
  private hasCapacity(tenant: Tenant): boolean {
    const running = this.runningOf(tenant);
    const { perOrganization, inAll } = this.limits;
    if (running < perOrganization && this.inAll < inAll) return true;
    return running < this.dueOf(this.running.size + (running === 0 ? 1 : 0));
  }

  /** What each of so many organizations may have although all together have too much. */
  protected dueOf(_organizations: number): number {
    return 1;
  }

  protected waitingOf(tenant: Tenant): number {
    return this.waiting.get(tenant)?.length ?? 0;
  }

  private runningOf(tenant: Tenant): number {
    return this.running.get(tenant) ?? 0;
  }

  private count(tenant: Tenant, by: 1 | -1): void {
    const running = this.runningOf(tenant) + by;
    if (running === 0) this.running.delete(tenant);
    else this.running.set(tenant, running);
    this.inAll += by;
  }

  /** Starts the first work of the organization that has the least under way. */
  private next(): void {
    let least: Tenant | null = null;
    for (const tenant of this.waiting.keys()) {
      const isLess = least === null || this.runningOf(tenant) < this.runningOf(least);
      if (isLess && this.hasCapacity(tenant)) least = tenant;
    }
    if (least === null) return;
    const [first] = this.waiting.get(least)!;
    this.leave(least, first!);
    this.count(least, 1);
    first!.start();
  }

  protected refusal(tenant: Tenant): Error {
    return this.limits.refusal(this.limits, this.runningOf(tenant) >= this.limits.perOrganization);
  }
}
