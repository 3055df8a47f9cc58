import { Inject, Injectable, Logger } from '@nestjs/common';
import type { OnApplicationShutdown } from '@nestjs/common';
import type { Client } from 'pg';
import { movesAway } from '../../platform/http/problem.js';
import { DATABASE_URL } from '../../platform/database/database.js';
import { createSession } from '../../platform/database/connection/open-session.js';
import { HOLD_AGAINST_FREEZE, IS_FROZEN, LET_GO } from '../directory/freeze.sql.js';

/** Writes of the same organization within this time share a hold. */
const LINGER_MS = 500;

interface Hold {
  /** Writes that run now. */
  writes: number;
  held: Promise<boolean>;
  client: Client | undefined;
  ending?: NodeJS.Timeout;
}

/**
 * Keeps a freeze from becoming quiet while requests write to the organization: a shared advisory lock for each organization that is written
 * to, on one connection of the process. Whoever freezes an organization waits for the exclusive lock. Only there when there are cells.
 */
@Injectable()
export class WriteHolds implements OnApplicationShutdown {
  private readonly logger = new Logger('Cells');
  private readonly holds = new Map<number, Hold>();
  private connecting: Promise<Client> | undefined;

  constructor(@Inject(DATABASE_URL) private readonly url: string) {}

  /** Throws a 503 if the organization is frozen. Call the function that it resolves to when the write has ended. */
  async enter(organizationId: number): Promise<() => void> {
    const hold = this.holds.get(organizationId) ?? this.add(organizationId);
    clearTimeout(hold.ending);
    hold.writes++;
    try {
      if (await hold.held) return () => this.end(organizationId, hold, LINGER_MS);
    } catch (error) {
      this.forget(organizationId, hold);
      throw error;
    }
    this.end(organizationId, hold, 0);
    throw movesAway();
  }

  private add(organizationId: number): Hold {
    const hold: Hold = { writes: 0, held: Promise.resolve(false), client: undefined };
    hold.held = this.take(organizationId, hold);
    this.holds.set(organizationId, hold);
    return hold;
  }

  private end(organizationId: number, hold: Hold, lingerMs: number): void {
    if (--hold.writes > 0) return;
    clearTimeout(hold.ending);
    hold.ending = setTimeout(() => {
      this.forget(organizationId, hold);
      hold.client?.query(LET_GO, [organizationId]).catch(() => undefined);
    }, lingerMs).unref();
  }

  private forget(organizationId: number, hold: Hold): void {
    if (this.holds.get(organizationId) === hold) this.holds.delete(organizationId);
  }

  /** Two statements: the second one sees a freeze that was committed before the first. False: it is frozen, or is about to be. */
  private async take(organizationId: number, hold: Hold): Promise<boolean> {
    const client = await (this.connecting ??= this.connect());
    const { rows } = await client.query<{ held: boolean }>(HOLD_AGAINST_FREEZE, [organizationId]);
    if (!rows[0]!.held) return false;
    hold.client = client;
    const frozen = await client.query<{ frozen: boolean }>(IS_FROZEN, [organizationId]);
    return !frozen.rows[0]!.frozen;
  }

  private async connect(): Promise<Client> {
    const client = createSession(this.url, { kind: 'signal', name: 'carillon writes' });
    // With the connection go its locks: the next writes take new ones.
    const lost = () => {
      this.connecting = undefined;
      this.holds.clear();
    };
    client.on('error', (error) => {
      this.logger.warn({ message: 'database connection lost', error: error.message });
      lost();
    });
    client.on('end', lost);
    try {
      return await client.open();
    } catch (error) {
      lost();
      throw error;
    }
  }

  async onApplicationShutdown(): Promise<void> {
    const client = await this.connecting?.catch(() => undefined);
    await client?.end().catch(() => undefined);
  }
}
