import { suggest } from '../platform/field/error/closest.js';
import { fieldError } from '../platform/field/error/field-error.js';
import type { FieldError } from '../platform/field/error/field-error.js';
import type { Dispatcher } from './dispatcher.js';

/** The problem with a channel type that does not exist. */
export function noSuchType(type: string, dispatchers: ReadonlyMap<string, Dispatcher>): FieldError {
  return fieldError('unknown_value', `is not a channel type${suggest(type, [...dispatchers.keys()])}`);
}
