import type { ClientBase } from 'pg';
import { DELETE_RULESETS, DELETE_RULE_VERSIONS, EVENTS_WITH_OLD_RULESETS, LOCK_EVENT } from './purge.sql.js';

/** Rulesets, and versions of rules, that one statement deletes at most. */
const BATCH = 1000;

/** Deletes the rulesets that were replaced, are not kept as revisions, and that no occurrence refers to. Returns their number. */
export async function purgeRulesets(client: ClientBase): Promise<number> {
  const { rows } = await client.query<OldRulesets>(EVENTS_WITH_OLD_RULESETS);
  let purged = 0;
  for (const event of rows) {
    for (let after: number | null = 0; after !== null;) {
      const batch: Batch = await purgeBatch(client, event, after);
      purged += batch.gone;
      after = batch.last;
    }
  }
  return purged;
}

interface OldRulesets {
  /** The event. */
  id: number;
  /** Those that were replaced before are not kept as revisions. */
  since: Date;
}

interface Batch {
  gone: number;
  /** The last ruleset that was looked at; null: no more. */
  last: number | null;
}

/** One transaction: the versions that a ruleset leaves unused are found only together with it. */
async function purgeBatch(client: ClientBase, { id: eventId, since }: OldRulesets, after: number): Promise<Batch> {
  await client.query('begin');
  try {
    if ((await client.query(LOCK_EVENT, [eventId])).rowCount === 0) return { gone: 0, last: null };
    const { rows } = await client.query<Batch>(DELETE_RULESETS, [eventId, after, BATCH, since]);
    const batch = rows[0]!;
    if (batch.gone > 0) while ((await client.query(DELETE_RULE_VERSIONS, [eventId, BATCH])).rowCount === BATCH);
    return batch;
  } finally {
    await client.query('commit');
  }
}
