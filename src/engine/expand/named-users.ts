import { emailKey } from '../../platform/field/email.js';
import type { Database } from '../../platform/database/database.js';
import type { TriggerOptions } from '../../platform/queue/trigger-options.js';
import { namesOf } from '../../rules/ruleset/named.js';
import type { Rule } from '../../rules/ruleset/rule.js';
import { FIND_USERS } from './expand-large.sql.js';

interface Naming {
  organizationId: number;
  rules: Rule[];
  context: unknown;
  options: TriggerOptions;
}

/** The only users that a rule may reach; null: everyone. */
export type OnlyTo = (rule: Rule) => number[] | null;

export interface NamedUsers {
  only: OnlyTo;
  /** Names that are not users, as keys. */
  unknown: string[];
}

/** Finds the users that the options and the rules name, with one statement, or none if nobody is named. */
export async function findNamed(
  database: Database,
  { organizationId, rules, context, options }: Naming,
): Promise<NamedUsers> {
  const names = new Map(rules.map((rule) => [rule.id, namesOf(rule, context, options)]));
  const given = [...(options.recipients ?? []), ...(options.limit_to ?? [])].map(emailKey);
  const keys = [...new Set([...given, ...[...names.values()].flatMap((each) => each ?? [])])];
  const ids = new Map<string, number>();
  if (keys.length > 0) {
    const values = [organizationId, keys];
    const { rows } = await database.query<{ id: number; key: string }>('find-users', FIND_USERS, values);
    for (const { id, key } of rows) ids.set(key, id);
  }
  return {
    only: ({ id }) => names.get(id)?.flatMap((key) => ids.get(key) ?? []) ?? null,
    unknown: keys.filter((key) => !ids.has(key)),
  };
}
