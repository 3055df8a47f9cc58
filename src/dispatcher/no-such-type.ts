import { closest } from '../platform/field/closest.js';
import type { Dispatcher } from './dispatcher.js';

/** The problem with a channel type that does not exist. Long names are no typing mistakes, and would take long to compare. */
export function noSuchType(type: string, dispatchers: ReadonlyMap<string, Dispatcher>): string {
  const meant = type.length > 50 ? null : closest(type, [...dispatchers.keys()]);
  return `is not a channel type${meant === null ? '' : `: did you mean ${meant}?`}`;
}
