import { isObject } from '../../platform/field/is-object.js';
import { MAX_DEPTH } from '../../platform/http/body/json-body.js';

/** The most that a user has after a merge, as JSON. */
export const MAX_CUSTOM_FIELDS_BYTES = 256 * 1024;

type Json = Record<string, unknown>;

/** Merges objects key by key at every depth, and replaces all other values. Changes neither argument. */
export function mergeDeep(target: Json, source: Json, depth = 0): Json {
  if (depth > MAX_DEPTH) return source;
  const merged: Json = { ...target };
  for (const [key, value] of Object.entries(source)) {
    const before = Object.hasOwn(target, key) ? target[key] : undefined;
    merged[key] = isObject(before) && isObject(value) ? mergeDeep(before, value, depth + 1) : value;
  }
  return merged;
}
