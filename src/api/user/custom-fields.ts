import { isObject } from '../../platform/field/is-object.js';
import { MAX_DEPTH } from '../../platform/http/body/json-body.js';

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
