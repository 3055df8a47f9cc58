import type { ServerResponse } from 'node:http';
import { Injectable } from '@nestjs/common';
import { tooBusy, unavailable } from '../problem.js';
import { tenantOf } from './tenant.js';

const MB = 1024 * 1024;

interface UnsentLimits {
  perOrganization: number;
  inAll: number;
  /** A client that reads nothing for this long is disconnected. */
  stallMs: number;
  /** A client must take an answer, or a part of it, within this time. */
  takeMs: number;
}

/** An answer that is sent in parts. */
export interface Held {
  /** Gives the client as much time for the next part. */
  partTaken(): void;
}

const LIMITS: UnsentLimits = { perOrganization: 32 * MB, inAll: 128 * MB, stallMs: 30_000, takeMs: 60_000 };

/**
 * Counts the bytes of large answers that clients have not read yet: they stay in memory. An organization with too many of them gets no
 * more lists and streams until its clients have read some, or were disconnected.
 */
@Injectable()
export class ResponseBuffers {
  private readonly bytes = new Map<number, number>();
  private inAll = 0;

  constructor(private readonly limits: UnsentLimits = LIMITS) {}

  /** Refuses another large answer. An organization without any is never refused: it cannot help what the others do. */
  admit(tenant: number): void {
    if (this.hasCapacity(tenant)) return;
    if (this.of(tenant) >= this.limits.perOrganization)
      throw tooBusy('Clients of the organization read their answers too slowly. Read the open ones, or close them.');
    throw unavailable('Too many clients read their answers slowly. Try again later.');
  }

  hasCapacity(tenant: number): boolean {
    const held = this.of(tenant);
    return held === 0 || (held < this.limits.perOrganization && this.inAll < this.limits.inAll);
  }

  /** Counts the bytes of an answer until it is closed, and disconnects a client that does not read it. */
  hold(response: ServerResponse, bytes: number): Held {
    const { stallMs, takeMs } = this.limits;
    const disconnect = () => response.destroy();
    response.setTimeout(stallMs, disconnect);
    const late = setTimeout(disconnect, takeMs).unref();
    const release = this.reserve(tenantOf(response.req), bytes);
    const end = () => {
      clearTimeout(late);
      release();
    };
    if (response.destroyed) end();
    else response.once('close', end);
    return { partTaken: () => void late.refresh() };
  }

  /** Counts bytes until the returned function is called. */
  reserve(tenant: number, bytes: number): () => void {
    this.count(tenant, bytes);
    return () => this.count(tenant, -bytes);
  }

  private of(tenant: number): number {
    return this.bytes.get(tenant) ?? 0;
  }

  private count(tenant: number, by: number): void {
    const bytes = this.of(tenant) + by;
    if (bytes === 0) this.bytes.delete(tenant);
    else this.bytes.set(tenant, bytes);
    this.inAll += by;
  }
}
