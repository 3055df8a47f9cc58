import { Injectable } from '@nestjs/common';
import type { BeforeApplicationShutdown } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { Quotas } from '../../platform/config/quota.js';
import { quotaExceeded } from '../../platform/http/problem.js';
import { Database } from '../../platform/database/database.js';
import { ADD_STORED_BYTES } from './quota.sql.js';

const MB = 1024 * 1024;
const WRITE_MS = 5000;
const MAX_ORGANIZATIONS = 10_000;

/**
 * How many bytes each organization has stored. The purge measures it every hour. In between, each process adds the occurrences that it
 * stores, and writes the sum every few seconds: a trigger costs no statement, and no row is updated by every trigger.
 */
@Injectable()
export class StoredBytes implements BeforeApplicationShutdown {
  /** What this process last read, plus what it has stored since. */
  private readonly known = new LRUCache<number, number>({ max: MAX_ORGANIZATIONS });
  private unwritten = new Map<number, number>();
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly database: Database) {}

  /** Takes over what was read from the database. Other processes have added to it, too. */
  read(organizationId: number, bytes: number): void {
    this.known.set(organizationId, bytes + (this.unwritten.get(organizationId) ?? 0));
  }

  add(organizationId: number, bytes: number): void {
    this.known.set(organizationId, (this.known.get(organizationId) ?? 0) + bytes);
    this.unwritten.set(organizationId, (this.unwritten.get(organizationId) ?? 0) + bytes);
    this.timer ??= setTimeout(() => void this.write(), WRITE_MS).unref();
  }

  /** Refuses a request that would store more. */
  requireSpace(organizationId: number, { stored_mb: quota }: Quotas): void {
    const bytes = this.known.get(organizationId) ?? 0;
    if (bytes < quota * MB) return;
    const used = Math.floor(bytes / MB);
    throw quotaExceeded(
      'stored_mb',
      `The organization stores ${used} MB, and its quota stored_mb is ${quota}. Wait until old occurrences are purged, shorten retention_days of events, or ask the operator for a higher quota.`,
    );
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.write();
  }

  /** Writes what was added, so that other processes read it. */
  async write(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (this.unwritten.size === 0) return;
    const added = this.unwritten;
    this.unwritten = new Map();
    const values = [[...added.keys()], [...added.values()]];
    // Lost when the database does not answer: the next measurement counts it.
    await this.database.query('add-stored-bytes', ADD_STORED_BYTES, values).catch(() => undefined);
  }
}
