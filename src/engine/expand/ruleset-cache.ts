import { LRUCache } from 'lru-cache';
import type { Database } from '../../platform/database/database.js';
import type { Rule } from '../../rules/ruleset/rule.js';
import { LOAD_RULESETS } from './expand-small.sql.js';

/** Characters of JSON. */
const MAX_SIZE = 32 * 1024 * 1024;

/** Rulesets by id. A ruleset never changes, so it may be kept for as long as there is space. */
export class RulesetCache {
  private readonly cache = new LRUCache<number, Rule[]>({ maxSize: MAX_SIZE });

  constructor(private readonly database: Database) {}

  /** A ruleset that was deleted with its event is missing in the answer. */
  async get(ids: number[]): Promise<Map<number, Rule[]>> {
    const found = new Map<number, Rule[]>();
    const missing: number[] = [];
    for (const id of new Set(ids)) {
      const rules = this.cache.get(id);
      if (rules) found.set(id, rules);
      else missing.push(id);
    }
    if (missing.length === 0) return found;
    const { rows } = await this.database.query<{ id: number; rules: string }>('load-rulesets', LOAD_RULESETS, [
      missing,
    ]);
    for (const { id, rules: json } of rows) {
      const rules = JSON.parse(json) as Rule[];
      found.set(id, rules);
      this.cache.set(id, rules, { size: json.length + 1 });
    }
    return found;
  }
}
