import { ProblemError } from '@carillon/client';
import type { ReactNode } from 'react';
import { text } from '../../text/text';

interface Props<Row> {
  /** As the API calls it. */
  name: string;
  label: string;
  hint: string;
  add: string;
  rows: Row[];
  empty: Row;
  most: number;
  disabled: boolean;
  error: Error | null;
  /** Whether an error of the service is about these rows. */
  isOurs: (field: string) => boolean;
  onChange: (rows: Row[]) => void;
  children: (row: Row, set: (row: Row) => void, number: number) => ReactNode;
}

/** A list of things in a form, each with a few inputs. */
export function RowsField<Row>({ name, label, hint, add, rows, empty, most, disabled, ...props }: Props<Row>) {
  const { error, isOurs, onChange, children } = props;
  const errors = error instanceof ProblemError ? Object.entries(error.errors).filter(([field]) => isOurs(field)) : [];
  return (
    <fieldset className="field brand-rows" data-field={name}>
      <legend className="label">{label}</legend>
      <span className="hint">{hint}</span>
      {rows.map((row, i) => (
        // Rows have no name of their own, and keep their order.
        <div className="brand-row" key={i}>
          {children(row, (next) => onChange(rows.with(i, next)), i + 1)}
          {!disabled && (
            <button
              type="button"
              className="button small plain"
              aria-label={text.brand.remove(label, i + 1)}
              onClick={() => onChange(rows.filter((_, at) => at !== i))}
            >
              ✕
            </button>
          )}
        </div>
      ))}
      {errors.map(([field, messages]) => (
        <span className="error" key={field} role="alert">
          {field}: {messages.join(' ')}
        </span>
      ))}
      {!disabled && rows.length < most && (
        <div className="row">
          <button type="button" className="button small" onClick={() => onChange([...rows, empty])}>
            {add}
          </button>
        </div>
      )}
    </fieldset>
  );
}
