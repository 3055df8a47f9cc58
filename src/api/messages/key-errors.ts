import { suggest } from '../../platform/field/error/closest.js';
import { fieldError } from '../../platform/field/error/field-error.js';
import type { FieldErrors } from '../../platform/field/error/field-error.js';

/** To look for the key that was meant takes up to 20 ms. */
const MAX_NAMED = 10;

/** The errors of a template that uses messages which no language of the project has. */
export function keyErrors(keys: readonly { part: string; key: string }[], known: ReadonlySet<string>): FieldErrors {
  const unknown = keys.filter(({ key }) => !known.has(key)).slice(0, MAX_NAMED);
  const errors = unknown.map(({ part, key }): [string, FieldErrors[string]] => [
    part,
    [fieldError('not_found', `uses the message ${key}, which the project does not have${suggest(key, [...known])}`)],
  ]);
  return Object.fromEntries(errors);
}
