import { text } from '../../../text/text';

export const KINDS = ['text', 'number', 'yes_no', 'json'] as const;
type Kind = (typeof KINDS)[number];

/** A custom field while somebody types it. `json`: a list, an object or null, typed as JSON. */
export interface FieldRow {
  name: string;
  kind: Kind;
  value: string;
}

export const EMPTY_ROW: FieldRow = { name: '', kind: 'text', value: '' };

export const kindOf = (value: unknown): Kind =>
  typeof value === 'string'
    ? 'text'
    : typeof value === 'number'
      ? 'number'
      : typeof value === 'boolean'
        ? 'yes_no'
        : 'json';

export const rowsOf = (fields: Record<string, unknown>): FieldRow[] =>
  Object.entries(fields).map(([name, value]) => ({
    name,
    kind: kindOf(value),
    value: typeof value === 'string' ? value : JSON.stringify(value, null, 2),
  }));

/** Another kind keeps what is typed, unless the new kind cannot show it. */
export const withKind = (row: FieldRow, kind: Kind): FieldRow => {
  if (kind === 'yes_no') return { ...row, kind, value: row.value === 'true' ? 'true' : 'false' };
  if (kind === 'json' && row.kind === 'text') return { ...row, kind, value: JSON.stringify(row.value) };
  return { ...row, kind };
};

/** The fields that the rows describe, or what is wrong with each row; null: nothing. */
export function fieldsOf(rows: FieldRow[]): { fields: Record<string, unknown> } | { faults: (string | null)[] } {
  const names = rows.map(({ name }) => name.trim());
  const read = rows.map((row, i) => (names.indexOf(names[i]!) < i ? { fault: text.field.twice } : readRow(row)));
  if (read.some((each) => 'fault' in each))
    return { faults: read.map((each) => ('fault' in each ? each.fault : null)) };
  // A field may have any name, such as __proto__.
  const entries = read.map((each, i) => [names[i]!, 'value' in each ? each.value : null] as const);
  return { fields: Object.fromEntries(entries) };
}

function readRow({ name, kind, value }: FieldRow): { value: unknown } | { fault: string } {
  if (name.trim() === '') return { fault: text.field.nameless };
  if (kind === 'text') return { value };
  if (kind === 'yes_no') return { value: value === 'true' };
  if (kind === 'number') {
    const number = value.trim() === '' ? NaN : Number(value);
    return Number.isFinite(number) ? { value: number } : { fault: text.field.notNumber };
  }
  try {
    return { value: JSON.parse(value) as unknown };
  } catch {
    return { fault: text.field.notJson };
  }
}
