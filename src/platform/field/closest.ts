/** The known word that was probably meant; null if none is near. */
export function closest(word: string, known: readonly string[]): string | null {
  const near = known
    .map((each) => ({ each, edits: editsBetween(word.toLowerCase(), each.toLowerCase()) }))
    .filter(({ each, edits }) => edits <= Math.max(1, Math.floor(each.length / 3)))
    .sort((a, b) => a.edits - b.edits);
  return near[0]?.each ?? null;
}

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

/** The problem with an unknown field. */
export const notKnown = (meant: string | null = null) =>
  `is not a known field${meant === null ? '' : `: did you mean ${meant}?`}`;

/** The same for one of these fields that is written wrongly. Long names are no typing mistakes, and would take long to compare. */
export const unknownField = (name: string, known: readonly string[]) =>
  notKnown(name.length > 50 ? null : closest(name, known));

/** Adds a problem with a field, such as `quiet_hours[0].from`. */
export type AddError = (field: string, sentence: string) => void;

/** Adds a problem for each field of an object that is not known. */
export function refuseUnknown(
  value: Record<string, unknown>,
  known: readonly string[],
  field: string,
  addError: AddError,
): void {
  for (const name of Object.keys(value))
    if (!known.includes(name)) addError(`${field}.${name}`, unknownField(name, known));
}
