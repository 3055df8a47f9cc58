import { MAX_NAMED, fieldError } from './field-error.js';
import type { AddError, FieldError } from './field-error.js';

/** To compare two words of 50 letters takes 20 us. */
const MAX_COMPARED = 500;

/** The known word that was probably meant, among the first ones of a similar length; null if none is near. */
export function closest(word: string, known: readonly string[]): string | null {
  const near = known
    .filter((each) => Math.abs(word.length - each.length) <= mostEdits(each))
    .slice(0, MAX_COMPARED)
    .map((each) => ({ each, edits: editsBetween(word.toLowerCase(), each.toLowerCase()) }))
    .filter(({ each, edits }) => edits <= mostEdits(each))
    .sort((a, b) => a.edits - b.edits);
  return near[0]?.each ?? null;
}

const mostEdits = (known: string) => Math.max(1, Math.floor(known.length / 3));

/** How many letters to add, remove, exchange or swap with the next one, to make one word of the other. */
function editsBetween(a: string, b: string): number {
  const rows = [Array.from({ length: b.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const exchanged = rows[i - 1]![j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      row[j] = Math.min(exchanged, rows[i - 1]![j]! + 1, row[j - 1]! + 1);
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (isSwapped) row[j] = Math.min(row[j]!, rows[i - 2]![j - 2]! + 1);
    }
    rows.push(row);
  }
  return rows[a.length]![b.length]!;
}

/** The problem with a field that is known elsewhere, or where no field is known. */
export const notKnown = (meant: string | null = null): FieldError =>
  fieldError('unknown_field', `is not a known field${meant === null ? '' : `: did you mean ${meant}?`}`);

/** The problem with a field that is not one of these. */
export const unknownField = (name: string, known: readonly string[]): FieldError =>
  fieldError('unknown_field', `is not a known field${suggest(name, known)}`);

const MAX_LISTED = 30;

/**
 * The end of a sentence about an unknown name: the one that was probably meant, and those that exist. Long names are no typing mistakes, and would
 * take long to compare.
 */
export function suggest(name: string, known: readonly string[]): string {
  const meant = name.length > 50 ? null : closest(name, known);
  const more = known.length > MAX_LISTED ? ` and ${known.length - MAX_LISTED} more` : '';
  const list = known.length === 0 ? '' : `Known: ${known.slice(0, MAX_LISTED).join(', ')}${more}`;
  if (meant === null) return list && `. ${list}`;
  return `: did you mean ${meant}? ${list}`;
}

/** Adds a problem for each field of an object that is not known. */
export function refuseUnknown(
  value: Record<string, unknown>,
  known: readonly string[],
  field: string,
  addError: AddError,
): void {
  const unknown = Object.keys(value).filter((name) => !known.includes(name));
  for (const name of unknown.slice(0, MAX_NAMED))
    addError(`${field}.${name}`, 'unknown_field', unknownField(name, known).sentence);
}
