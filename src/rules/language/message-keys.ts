import { TypeGuards, Value, toValueSync } from 'liquidjs';
import type { Template } from 'liquidjs';

const NOT_CONSTANT = "the filter t needs a key in quotes before it: {{ 'order.paid' | t }}";

/**
 * The keys of messages that parsed templates use. Throws if one of them is not a text in quotes: only the messages that a notification uses are
 * kept with it, so they must be known when it is written.
 */
export function messageKeysIn(templates: readonly Template[], keys = new Set<string>()): Set<string> {
  for (const template of templates) {
    for (const value of template.arguments?.() ?? []) if (value instanceof Value) addKeys(value, keys);
    if (template.children) messageKeysIn(toValueSync(template.children(false, true)), keys);
  }
  return keys;
}

function addKeys({ initial, filters }: Value, keys: Set<string>): void {
  for (const [i, { name }] of filters.entries()) {
    if (name !== 't') continue;
    const [token, ...more] = initial.postfix;
    if (i > 0 || more.length > 0 || !TypeGuards.isQuotedToken(token)) throw new Error(NOT_CONSTANT);
    keys.add(token.content);
  }
}
