import { useId, useState } from 'react';
import type { ReactNode } from 'react';
import { Icon } from '../../../components/icon';
import { FIELD_NAME } from '../../../editor/variable';
import { text } from '../../../text/text';
import { KINDS, UNFILLED, nameOf, valueOf, withValue } from './data';
import type { Data, Kind, Row, ValueRow } from './data';

interface Props {
  rows: readonly Row[];
  data: Data;
  onChange: (data: Data) => void;
  /** Stands beside the button that adds a field. */
  children: ReactNode;
}

const words = text.event.data;

export function DataRows({ rows, data, onChange, children }: Props) {
  const put = (path: Row['path'], value: unknown) => onChange(withValue(data, path, value));
  return (
    <>
      {rows.length === 0 && <p className="soft">{words.none}</p>}
      {rows.map((row) =>
        'blank' in row ? (
          <button
            key={`${nameOf(row.path)} +`}
            type="button"
            className="button small"
            onClick={() => put(row.path, [...listAt(data, row.path), row.blank])}
          >
            {words.addEntry(nameOf(row.path))}
          </button>
        ) : (
          <DataRow key={nameOf(row.path)} row={row} onChange={(value) => put(row.path, value)} />
        ),
      )}
      <NewField isTaken={(name) => name in data} onAdd={(path) => put(path, '')}>
        {children}
      </NewField>
    </>
  );
}

function listAt(data: Data, path: Row['path']): unknown[] {
  const found = path.reduce<unknown>(
    (value, step) => (value as Record<string | number, unknown> | undefined)?.[step],
    data,
  );
  return Array.isArray(found) ? found : [];
}

function DataRow({ row, onChange }: { row: ValueRow; onChange: (value: unknown) => void }) {
  const id = useId();
  const name = nameOf(row.path);
  // What nobody filled in has no kind of its own.
  const [chosen, setKind] = useState<Kind>();
  const kind = row.value === undefined ? (chosen ?? row.kind) : row.kind;
  const shown = String(row.value ?? '');
  // A field that no notification uses would vanish without a value.
  const put = (value: unknown) => onChange(value ?? (row.isKnown ? undefined : UNFILLED));
  function choose(next: Kind) {
    setKind(next);
    if (next === 'text') return put(row.value === undefined ? undefined : shown);
    const isNumber = next === 'number' && shown.trim() !== '' && !Number.isNaN(Number(shown));
    put(isNumber ? Number(shown) : undefined);
  }
  return (
    <div className="data-row">
      <label htmlFor={id}>{name}</label>
      {kind === 'yesNo' ? (
        <select id={id} className="input" value={shown} onChange={(change) => put(valueOf(change.target.value, kind))}>
          <option value="">{UNFILLED}</option>
          <option value="true">{words.yes}</option>
          <option value="false">{words.no}</option>
        </select>
      ) : (
        <input
          id={id}
          className="input"
          type={kind === 'number' ? 'number' : 'text'}
          step="any"
          value={shown}
          onChange={(change) => put(valueOf(change.target.value, kind))}
          spellCheck={false}
          autoComplete="off"
        />
      )}
      <select
        className="input data-kind"
        aria-label={words.kindOf(name)}
        value={kind}
        onChange={(change) => choose(change.target.value as Kind)}
      >
        {KINDS.map((one) => (
          <option key={one} value={one}>
            {words.kinds[one]}
          </option>
        ))}
      </select>
      {row.isKnown ? (
        <span />
      ) : (
        <button
          type="button"
          className="button small plain sign"
          aria-label={words.remove(name)}
          title={words.remove(name)}
          onClick={() => onChange(undefined)}
        >
          <Icon name="cross" />
        </button>
      )}
    </div>
  );
}

interface NewFieldProps {
  isTaken: (name: string) => boolean;
  onAdd: (path: string[]) => void;
  children: ReactNode;
}

function NewField({ isTaken, onAdd, children }: NewFieldProps) {
  const [typed, setTyped] = useState('');
  const name = typed.trim();
  const canAdd = FIELD_NAME.test(name) && !isTaken(name);
  function add() {
    if (!canAdd) return;
    onAdd(name.split('.'));
    setTyped('');
  }
  return (
    <div className="row">
      <input
        className="input data-new"
        value={typed}
        placeholder={words.newField}
        aria-label={words.newField}
        aria-invalid={(name !== '' && !FIELD_NAME.test(name)) || undefined}
        onChange={(change) => setTyped(change.target.value)}
        onKeyDown={(press) => {
          if (press.key !== 'Enter') return;
          // The dialog must not be sent.
          press.preventDefault();
          add();
        }}
        spellCheck={false}
        autoComplete="off"
      />
      <button type="button" className="button small" disabled={!canAdd} onClick={add}>
        {words.add}
      </button>
      <span className="space" />
      {children}
    </div>
  );
}
