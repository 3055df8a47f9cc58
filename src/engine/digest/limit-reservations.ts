import type { Database } from '../../platform/database/database.js';
import { inTransaction } from '../../platform/database/transaction.js';
import type { Choices } from '../../rules/ruleset/choices.js';
import { GATHER_LATE, LOCK_USERS, TAKE_PLACES } from './limit-reservations.sql.js';

/** Messages that ask together. */
const MAX_ASKED = 50;

/** A message that is about to be sent for the first time, and the limits that it must keep to. */
interface ReservationRequest extends Pick<
  Choices,
  'zone' | 'digest' | 'digest_key' | 'rule_limit' | 'limit_key' | 'organization_limit'
> {
  /** Of the delivery. */
  id: string;
  organization: number;
  notification: number;
  channel: number;
  user_id: number;
  /** Whether a digest can carry it: it is no digest itself, and its channel has a template of its own. */
  may_gather: boolean;
}

/** `free`: it may be sent. Otherwise it was written what became of it: `waits` for the next period, `gathered` in a digest, `capped`. */
type ReservationResult = 'free' | 'waits' | 'gathered' | 'capped';

interface Waiting {
  asked: ReservationRequest;
  resolve: (fate: ReservationResult) => void;
  reject: (error: unknown) => void;
}

/**
 * Gives messages their places within the limits of their rule and their organization, at their first attempt. Messages that ask while others
 * are asking share the next transaction, as their outcomes do.
 */
export class LimitReservations {
  private readonly waiting: Waiting[] = [];
  private isAsking = false;

  constructor(private readonly database: Database) {}

  ask(asked: ReservationRequest): Promise<ReservationResult> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ asked, resolve, reject });
      if (this.isAsking) return;
      this.isAsking = true;
      setImmediate(() => void this.drain());
    });
  }

  private async drain(): Promise<void> {
    while (this.waiting.length > 0) {
      const batch = this.waiting.splice(0, MAX_ASKED);
      try {
        const fates = await this.take(batch.map(({ asked }) => asked));
        for (const { asked, resolve } of batch) resolve(fates.get(asked.id) ?? 'free');
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    this.isAsking = false;
  }

  private async take(asked: ReservationRequest[]): Promise<Map<string, ReservationResult>> {
    const refused = await this.refusedOf(asked);
    const fates = new Map(refused.map(({ id, fate }) => [id, fate]));
    const gathered = asked.filter(({ id }) => fates.get(id) === 'gathered');
    // Not in the same transaction: whoever closes a digest locks the digest first, and then the user.
    if (gathered.length > 0) await this.database.query('gather-late', GATHER_LATE, [JSON.stringify(gathered)]);
    return fates;
  }

  private async refusedOf(asked: ReservationRequest[]): Promise<{ id: string; fate: ReservationResult }[]> {
    const client = await this.database.pool.connect();
    try {
      return await inTransaction(client, async () => {
        await client.query({ name: 'lock-users', text: LOCK_USERS, values: [asked.map((each) => each.user_id)] });
        const take = { name: 'take-places', text: TAKE_PLACES, values: [JSON.stringify(asked)] };
        return (await client.query<{ id: string; fate: ReservationResult }>(take)).rows;
      });
    } finally {
      client.release();
    }
  }
}
