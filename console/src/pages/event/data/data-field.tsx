import { useState } from 'react';
import { CodeEditor } from '../../../editor/code-editor';
import { readJson } from '../../../editor/json';
import { FieldErrors } from '../../../form/field-errors';
import { text } from '../../../text/text';
import { MOST_ROWS, rowsOf, withNames } from './data';
import type { Data } from './data';
import { DataRows } from './data-rows';
import './data.css';

interface Props {
  label: string;
  hint?: string;
  /** JSON. */
  source: string;
  onChange: (source: string) => void;
  /** The fields that notifications use, such as `order.lines[].sku`. */
  names: readonly string[];
  error?: Error | null;
}

/** The data of a trigger: a field for each value, or JSON. */
export function DataField({ label, hint, source, onChange, names, error = null }: Props) {
  const [isCode, setCode] = useState(false);
  const { value, fault } = readJson(source);
  const data = (value ?? {}) as Data;
  const rows = fault === null ? rowsOf(data, names) : [];
  const fits = fault === null && rows.length <= MOST_ROWS;
  const write = (next: Data) => onChange(JSON.stringify(next, null, 2));
  function openCode() {
    // All names, so that one sees what to write.
    if (fits) write(withNames(data, names));
    setCode(true);
  }
  return (
    <fieldset className="data">
      <legend className="label">{label}</legend>
      {hint && <p className="hint">{hint}</p>}
      {isCode || !fits ? (
        <>
          <CodeEditor
            label={label}
            value={source}
            onChange={onChange}
            language="json"
            faults={fault ? [fault] : undefined}
          />
          {fits ? (
            <button type="button" className="button small plain" onClick={() => setCode(false)}>
              {text.event.data.asFields}
            </button>
          ) : (
            fault === null && <p className="hint">{text.event.data.tooMany(MOST_ROWS)}</p>
          )}
        </>
      ) : (
        <DataRows rows={rows} data={data} onChange={write}>
          <button type="button" className="button small plain" onClick={openCode}>
            {text.event.data.asCode}
          </button>
        </DataRows>
      )}
      <FieldErrors error={error} name="context" />
    </fieldset>
  );
}
