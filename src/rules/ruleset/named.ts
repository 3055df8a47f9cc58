import { emailKey } from '../../platform/field/email.js';
import { valueIn } from '../../platform/field/expression/when.js';
import { RuleError } from '../../platform/field/expression/when-value.js';
import type { Rule, RuleTo } from './rule.js';

/** The most users that one trigger, or the context of one, may name. */
export const MAX_RECIPIENTS = 1000;

/** The options of a trigger that name users. */
interface NamingOptions {
  recipients?: string[];
  told?: string[];
  limit_to?: string[];
}

/**
 * The only users that a rule may reach, as keys of their usernames; null: everyone in its lists and its audience. An expression that fails
 * names nobody: `decide` reports it.
 */
export function namesOf({ to }: Pick<Rule, 'to'>, context: unknown, options: NamingOptions): string[] | null {
  const limit = options.limit_to && new Set(options.limit_to.map(emailKey));
  if (to === undefined) return limit ? [...limit] : null;
  const named = [...new Set(meantBy(to, context, options).map(emailKey))];
  return limit ? named.filter((key) => limit.has(key)) : named;
}

function meantBy(to: RuleTo, context: unknown, { recipients = [], told = [] }: NamingOptions): string[] {
  if (to === 'recipients') return recipients;
  if (to === 'told') return told;
  try {
    return usernamesIn(to.context, context);
  } catch (error) {
    if (error instanceof RuleError) return [];
    throw error;
  }
}

/** The usernames that an expression finds in a context: a text, or a list of texts. Throws `RuleError` for anything else. */
export function usernamesIn(expression: string, context: unknown): string[] {
  const value = valueIn(expression, context);
  if (value === null || value === undefined || value === '') return [];
  const names: unknown[] = Array.isArray(value) ? value : [value];
  if (!names.every((name) => typeof name === 'string'))
    throw new RuleError(`${expression} must be a username or a list of usernames.`);
  if (names.length > MAX_RECIPIENTS) throw new RuleError(`${expression} has more than ${MAX_RECIPIENTS} usernames.`);
  return names;
}
