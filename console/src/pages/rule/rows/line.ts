import { arityOf } from './comparison';
import type { Comparison, Comparisons, Kind } from './comparison';
import type { KnownField } from './known-field';

/** A row as it is typed, which may be unfinished. */
export interface Line {
  field: string;
  kind: Kind | 'any';
  is: Comparison;
  /** The values of a list are numbers. Those of other kinds are what the kind says. */
  isNumeric: boolean;
  /** None: nothing is typed. */
  values: string[];
}

export type Scalar = string | number;

/** The typed values; null: one is missing, or no number. */
export function valuesOf({ is, kind, isNumeric, values }: Line): Scalar[] | null {
  if (arityOf(is) === 'none') return [];
  if (values.length === 0) return null;
  if (kind !== 'number' && !isNumeric) return values;
  const numbers = values.map((value) => (value.trim() === '' ? Number.NaN : Number(value)));
  return numbers.every(Number.isFinite) ? numbers : null;
}

export const isComplete = (line: Line) => line.field.trim() !== '' && valuesOf(line) !== null;

/** A new row about a field. */
export function lineFor(field: KnownField | undefined, comparisons: Comparisons): Line {
  const kind = field?.kinds.find((one) => comparisons[one].length > 0) ?? 'text';
  const isNumeric = kind === 'list' && field?.isNumeric === true;
  return { field: field?.name ?? '', kind, is: comparisons[kind][0]!, isNumeric, values: [] };
}

/** The row about another field: what was typed stays where it fits. */
export function withField(line: Line, name: string, known: KnownField | undefined, comparisons: Comparisons): Line {
  const fits = !known || known.kinds.length === 0 || line.kind === 'any' || known.kinds.includes(line.kind);
  return fits ? { ...line, field: name } : { ...lineFor(known, comparisons), field: name };
}
