import { sqlArray } from '../../platform/database/transaction.js';
import type { SqlTransaction } from '../../platform/database/transaction.js';
import { nextSlots } from './cron.js';
import { ADD_RUNS, FORGET_PLANNED } from './schedule.sql.js';

/** An event with a schedule. */
export interface PlannedEvent {
  organizationId: number;
  eventId: number;
  cron: string;
  timeZone: string;
}

/** A slot, and what became of it; neither an occurrence nor a reason: it is still to come. */
export interface Run {
  slot: Date;
  occurrence?: string;
  skipped?: string;
}

/** Returns how many slots were new. */
export function addRuns(tx: SqlTransaction, event: PlannedEvent, runs: Run[]): Promise<number> {
  const { organizationId, eventId, cron, timeZone } = event;
  const columns = [
    runs.map(({ slot }) => slot.toISOString()),
    runs.map(({ occurrence }) => occurrence ?? null),
    runs.map(({ skipped }) => skipped ?? null),
  ];
  return tx.$executeRawUnsafe(ADD_RUNS, organizationId, eventId, cron, timeZone, ...columns.map(sqlArray));
}

/** Plans the first slot after a time that was not run yet: the clock of another process may be ahead. */
export async function planNext(tx: SqlTransaction, event: PlannedEvent, after: Date): Promise<void> {
  for (const slot of nextSlots(event.cron, event.timeZone, after, 5))
    if ((await addRuns(tx, event, [{ slot }])) > 0) return;
}

export const forgetPlanned = (tx: SqlTransaction, eventId: number): Promise<number> =>
  tx.$executeRawUnsafe(FORGET_PLANNED, eventId);
