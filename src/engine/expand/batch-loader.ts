import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database.js';
import type { Rule } from '../../rules/ruleset/rule.js';
import type { BatchChannel, BatchEvent, BatchOccurrence, BatchRow } from './expand-small-rows.js';
import { LOAD_BATCH, LOAD_CHANNELS, LOAD_DIGESTS } from './expand-small.sql.js';
import { RulesetCache } from './ruleset-cache.js';

/** An occurrence with its event and the notifications that were in force when it was triggered. */
export interface LoadedOccurrence {
  occurrence: BatchOccurrence;
  event: BatchEvent;
  rules: Rule[];
}

interface Batch {
  occurrences: LoadedOccurrence[];
  channels: Map<number, BatchChannel>;
}

/** Loads many occurrences of any organization at once. Channels and switches are read once for a batch, and never kept for the next. */
@Injectable()
export class BatchLoader {
  private readonly rulesets: RulesetCache;

  constructor(private readonly database: Database) {
    this.rulesets = new RulesetCache(database);
  }

  triggers(ids: string[]): Promise<Batch> {
    return this.load('load-batch', LOAD_BATCH, ids);
  }

  digests(ids: string[]): Promise<Batch> {
    return this.load('load-digests', LOAD_DIGESTS, ids);
  }

  private async load(name: string, statement: string, ids: string[]): Promise<Batch> {
    const { rows } = await this.database.query<BatchRow>(name, statement, [ids]);
    const { occurrences, events, channels: ofEvents } = rows[0]!;
    const rulesets = await this.rulesets.get(occurrences.map(({ rulesetId }) => rulesetId).filter((id) => id !== null));
    const channels = byId(ofEvents);
    // Rules that were changed since the trigger may have used other channels.
    const missing = [...rulesets.values()].flatMap(channelsOf).filter((id) => !channels.has(id));
    for (const channel of await this.channels(missing)) channels.set(channel.id, channel);
    const eventOf = byId(events);
    const loaded = occurrences.flatMap((occurrence) => {
      const event = eventOf.get(occurrence.eventId);
      return event ? [{ occurrence, event, rules: rulesets.get(occurrence.rulesetId ?? 0) ?? [] }] : [];
    });
    return { occurrences: loaded, channels };
  }

  private async channels(ids: number[]): Promise<BatchChannel[]> {
    if (ids.length === 0) return [];
    return (await this.database.query<BatchChannel>('load-channels', LOAD_CHANNELS, [ids])).rows;
  }
}

const byId = <Row extends { id: number }>(rows: Row[]) => new Map(rows.map((row) => [row.id, row]));

const channelsOf = (rules: Rule[]) => rules.flatMap(({ templates }) => templates.map(({ channel }) => channel));
