import { unknownField } from '../../platform/field/error/closest.js';
import { MAX_NAMED, addTo } from '../../platform/field/error/field-error.js';
import type { FieldErrors } from '../../platform/field/error/field-error.js';
import { isObject } from '../../platform/field/is-object.js';

/** The fields of a notification that somebody can edit. */
const FIELDS = [
  ...['name', 'enabled', 'when', 'distribution_lists', 'audience', 'to', 'window', 'digest', 'limit'],
  ...['steps', 'acknowledge', 'thread', 'templates'],
];

/**
 * Whether an unfinished notification has the shape of one: its fields and no others, a name that is text, and templates that are objects. What is in
 * these fields is checked when it is published.
 */
export function checkDraft(field: string, { ...fields }: object): FieldErrors {
  const given: Record<string, unknown> = fields;
  const errors: FieldErrors = {};
  const addError = addTo(errors);
  const unknown = Object.keys(given).filter((name) => !FIELDS.includes(name));
  for (const name of unknown.slice(0, MAX_NAMED))
    addError(`${field}.${name}`, 'unknown_field', unknownField(name, FIELDS).sentence);
  const { name = '', templates = [] } = given;
  if (typeof name !== 'string') addError(`${field}.name`, 'invalid_type', 'must be text');
  if (!Array.isArray(templates) || !templates.every(isObject))
    addError(`${field}.templates`, 'invalid_type', 'must be a list of objects');
  return errors;
}
