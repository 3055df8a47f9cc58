import type { ServerResponse } from 'node:http';
import { Injectable } from '@nestjs/common';
import { tooBusy } from '../problem.js';
import { TenantLimiter } from '../../tenant-limiter.js';
import type { TenantLimits, Waiting } from '../../tenant-limiter.js';

/**
 * 64 connections that trigger as fast as they are answered reach the full throughput of a process. More triggers under way only
 * lengthen the turns of the event loop, in which everybody waits. A trigger counts until Node has closed its response, and by then its client
 * may have sent the next one: with a limit of 64, some of those waited for nothing (10 % of the throughput).
 */
const UNDER_WAY = 96;

const LIMITS = {
  perOrganization: UNDER_WAY,
  inAll: UNDER_WAY,
  maxWaiting: 1000,
  waitMs: 5000,
};

/** A refusal costs about 0.15 ms. */
const REFUSED_AT_ONCE = 5;
const REFUSE_MS = 10;

const ENTRY = Symbol('entry');

interface Entry {
  shares: TriggerShares;
  tenant: number;
  /** Undefined: it has a share. */
  waiting?: Waiting;
  /** Set while it waits to be refused. */
  refuse?: () => void;
}

type Entered = ServerResponse & { [ENTRY]?: Entry };

/**
 * Limits the triggers that each organization has under way, from the check of the key until the answer. An organization alone may use all
 * of it; of several, each gets its part at once. Further triggers wait with their bodies unread, and too many of them are refused.
 *
 * Refusals have a pace too: a client that is refused comes again, and thousands of connections that do would keep the process busy with
 * nothing else.
 */
@Injectable()
export class TriggerShares extends TenantLimiter<number> {
  private readonly refused = new Set<Entry>();
  private refusing: NodeJS.Timeout | undefined;
  private readonly problem: Error;

  constructor(limits: Partial<TenantLimits> = {}) {
    const { perOrganization, maxWaiting } = { ...LIMITS, ...limits };
    // Made once: its stack trace would be half of the cost of a refusal.
    const problem = tooBusy(
      `The organization has ${perOrganization} triggers under way, and ${maxWaiting} more wait. Try again later, or send fewer at once.`,
    );
    super({ ...LIMITS, ...limits, refusal: () => problem });
    this.problem = problem;
  }

  /** Returns no promise if the trigger need not wait. */
  enter(tenant: number, response: ServerResponse): true | Promise<true> {
    // The client left while its key was looked up: nothing would release the share.
    if (response.destroyed) return true;
    const entry: Entry = { shares: this, tenant };
    (response as Entered)[ENTRY] = entry;
    response.on('close', endEntry);
    return this.take(tenant) || new Promise((resolve, reject) => this.waitOrRefuse(entry, resolve, reject));
  }

  private waitOrRefuse(entry: Entry, resolve: (entered: true) => void, reject: (error: Error) => void): void {
    if (this.waitingOf(entry.tenant) >= this.limits.maxWaiting) {
      entry.refuse = () => reject(this.problem);
      this.refused.add(entry);
      this.refusing ??= setInterval(() => this.refuseSome(), REFUSE_MS).unref();
      return;
    }
    const start = () => {
      entry.waiting = undefined;
      resolve(true);
    };
    entry.waiting = this.wait(entry.tenant, this.limits.waitMs, start, reject);
  }

  private refuseSome(): void {
    let left = REFUSED_AT_ONCE;
    for (const entry of this.refused) {
      if (left-- === 0) return;
      this.refused.delete(entry);
      entry.refuse!();
    }
    if (this.refused.size > 0) return;
    clearInterval(this.refusing);
    this.refusing = undefined;
  }

  /** The answer was sent, or the client left. */
  end(entry: Entry): void {
    const { tenant, waiting, refuse } = entry;
    if (refuse) this.refused.delete(entry);
    else if (waiting) this.leave(tenant, waiting);
    else this.release(tenant);
  }

  protected override dueOf(organizations: number): number {
    return Math.max(1, Math.floor(this.limits.inAll / organizations));
  }
}

/** One function for all responses, as in request-log.ts. */
function endEntry(this: Entered): void {
  const entry = this[ENTRY]!;
  entry.shares.end(entry);
}
