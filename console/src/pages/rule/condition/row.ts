import type { Comparison, Comparisons, Kind } from '../rows/comparison';
import { valuesOf } from '../rows/line';
import type { Line, Scalar } from '../rows/line';

/** One line of a condition: a field of the context, a comparison, and what it is compared with. */
export type Row =
  | { field: string; is: 'filled' | 'empty' | 'yes' | 'no' }
  | { field: string; is: 'equal' | 'unequal' | 'has' | 'lacks'; value: Scalar }
  | { field: string; is: 'above' | 'at_least' | 'below' | 'at_most'; value: number }
  | { field: string; is: 'contains' | 'starts' | 'ends' | 'from' | 'before'; value: string }
  | { field: string; is: 'one_of' | 'none_of'; value: Scalar[] };

export type Join = 'all' | 'any';

/** The rows are joined by and (`all`), or by or (`any`). No rows: the condition always holds. */
export interface Condition {
  join: Join;
  rows: Row[];
}

export const COMPARISONS: Comparisons = {
  number: ['above', 'at_least', 'below', 'at_most', 'equal', 'unequal', 'one_of', 'none_of'],
  text: ['equal', 'unequal', 'one_of', 'none_of', 'contains', 'starts', 'ends'],
  date: ['from', 'before'],
  boolean: ['yes', 'no'],
  list: ['has', 'lacks'],
  any: ['filled', 'empty'],
};

const OF_ONE_KIND = (['date', 'boolean', 'list', 'any'] as const).flatMap((kind) =>
  COMPARISONS[kind].map((is) => [is, kind] as const),
);
const KINDS = new Map<Comparison, Kind | 'any'>(OF_ONE_KIND);

/** A row as it is edited. */
export function lineOf(row: Row): Line {
  const values = 'value' in row ? [row.value].flat() : [];
  const isNumeric = typeof values[0] === 'number';
  const kind = KINDS.get(row.is) ?? (isNumeric ? 'number' : 'text');
  return { field: row.field, kind, is: row.is, isNumeric: isNumeric && kind === 'list', values: values.map(String) };
}

/** The row of a line; null: it is unfinished. */
export function rowOf(line: Line): Row | null {
  const values = valuesOf(line);
  const field = line.field.trim();
  if (!values || field === '') return null;
  if (values.length === 0) return { field, is: line.is } as Row;
  const isList = line.is === 'one_of' || line.is === 'none_of';
  return { field, is: line.is, value: isList ? values : values[0]! } as Row;
}
