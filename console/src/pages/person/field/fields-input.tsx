import { ProblemError } from '@carillon/client';
import { useId } from 'react';
import { text } from '../../../text/text';
import { EMPTY_ROW, KINDS, withKind } from './field-rows';
import type { FieldRow } from './field-rows';

interface Props {
  rows: FieldRow[];
  onChange: (rows: FieldRow[]) => void;
  /** What is wrong with each row; null: nothing. */
  faults: (string | null)[];
  error: Error | null;
  /** Something above them is their title already. */
  isTitled?: boolean;
}

/** The custom fields of a user: a name, a kind and a value each. */
export function FieldsInput({ rows, onChange, faults, error, isTitled = false }: Props) {
  const refusals = error instanceof ProblemError ? (error.errors.custom_fields ?? []) : [];
  return (
    <fieldset className="field person-fields">
      <legend className={isTitled ? 'hidden' : 'label'}>{text.person.customFields}</legend>
      <span className="hint">{text.field.hint}</span>
      {rows.map((row, i) => (
        <Row
          // oxlint-disable-next-line react/no-array-index-key -- a row has no name until somebody types one
          key={i}
          row={row}
          number={i + 1}
          fault={faults[i] ?? null}
          onChange={(next) => onChange(rows.with(i, next))}
          onRemove={() => onChange(rows.filter((_, at) => at !== i))}
        />
      ))}
      {refusals.length > 0 && (
        <span className="error" role="alert">
          {refusals.join(' ')}
        </span>
      )}
      <div className="row">
        <button type="button" className="button small" onClick={() => onChange([...rows, EMPTY_ROW])}>
          {text.field.add}
        </button>
      </div>
    </fieldset>
  );
}

interface RowProps {
  row: FieldRow;
  number: number;
  fault: string | null;
  onChange: (row: FieldRow) => void;
  onRemove: () => void;
}

function Row({ row, number, fault, onChange, onRemove }: RowProps) {
  const id = useId();
  const name = row.name.trim() || text.field.numbered(number);
  const described = fault ? { 'aria-invalid': true, 'aria-describedby': id } : {};
  return (
    <div className="person-field">
      <input
        className="input"
        aria-label={text.field.nameOf(number)}
        placeholder={text.field.name}
        autoFocus={row.name === ''}
        value={row.name}
        spellCheck={false}
        onChange={({ target }) => onChange({ ...row, name: target.value })}
      />
      <select
        className="input"
        aria-label={text.field.kindOf(name)}
        value={row.kind}
        onChange={({ target }) => onChange(withKind(row, target.value as FieldRow['kind']))}
      >
        {KINDS.map((kind) => (
          <option key={kind} value={kind}>
            {text.field.kinds[kind]}
          </option>
        ))}
      </select>
      <Value
        row={row}
        label={text.field.valueOf(name)}
        described={described}
        onType={(value) => onChange({ ...row, value })}
      />
      <button type="button" className="button small plain" aria-label={text.field.remove(name)} onClick={onRemove}>
        ✕
      </button>
      {fault && (
        <span className="error" id={id} role="alert">
          {fault}
        </span>
      )}
    </div>
  );
}

interface ValueProps {
  row: FieldRow;
  label: string;
  described: object;
  onType: (value: string) => void;
}

function Value({ row: { kind, value }, label, described, onType }: ValueProps) {
  const shared = { 'aria-label': label, className: 'input', ...described };
  if (kind === 'yes_no')
    return (
      <select {...shared} value={value} onChange={({ target }) => onType(target.value)}>
        <option value="true">{text.field.yes}</option>
        <option value="false">{text.field.no}</option>
      </select>
    );
  if (kind === 'json')
    return (
      <textarea
        {...shared}
        rows={Math.min(value.split('\n').length + 1, 8)}
        value={value}
        spellCheck={false}
        onChange={({ target }) => onType(target.value)}
      />
    );
  return (
    <input
      {...shared}
      inputMode={kind === 'number' ? 'decimal' : undefined}
      placeholder={text.field.value}
      value={value}
      onChange={({ target }) => onType(target.value)}
    />
  );
}
