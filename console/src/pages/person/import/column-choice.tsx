import { useId } from 'react';
import { text } from '../../../text/text';
import { FIELDS, JSON_FIELDS, NAMED } from './file/file-columns';
import type { ColumnFault, Target } from './file/file-columns';
import type { UserTable } from './file/read-table';

interface Props {
  table: UserTable;
  targets: Target[];
  faults: (ColumnFault | null)[];
  hasLists: boolean;
  disabled: boolean;
  onChange: (targets: Target[]) => void;
}

const SAMPLES = 3;

/** What each column of the file becomes. */
export function ColumnChoice({ table, targets, faults, hasLists, disabled, onChange }: Props) {
  return (
    <table className="table import-columns" aria-label={text.import.columns}>
      <thead>
        <tr>
          <th scope="col">{text.import.column}</th>
          <th scope="col">{text.import.samples}</th>
          <th scope="col">{text.import.becomes}</th>
        </tr>
      </thead>
      <tbody>
        {table.header.map((name, i) => (
          // oxlint-disable-next-line react/no-array-index-key -- two columns may have one name
          <tr key={i}>
            <td data-label={text.import.column}>{name || text.import.unnamed(i + 1)}</td>
            <td data-label={text.import.samples} className="soft import-samples">
              {samplesOf(table, i)}
            </td>
            <td data-label={text.import.becomes}>
              <TargetChoice
                name={name || text.import.unnamed(i + 1)}
                target={targets[i] ?? ''}
                fault={faults[i] ?? null}
                hasLists={hasLists}
                disabled={disabled}
                onChange={(target) => onChange(targets.with(i, target))}
              />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const samplesOf = ({ rows }: UserTable, column: number) => {
  const values = new Set<string>();
  for (const { cells } of rows.slice(0, 100)) {
    const cell = cells[column];
    if (cell) values.add(cell.length > 40 ? `${cell.slice(0, 40)}…` : cell);
    if (values.size === SAMPLES) break;
  }
  return [...values].join(' · ');
};

interface ChoiceProps {
  name: string;
  target: Target;
  fault: ColumnFault | null;
  hasLists: boolean;
  disabled: boolean;
  onChange: (target: Target) => void;
}

function TargetChoice({ name, target, fault, hasLists, disabled, onChange }: ChoiceProps) {
  const id = useId();
  const prefix = NAMED.find((each) => target.startsWith(each));
  const described = fault ? { 'aria-invalid': true, 'aria-describedby': id } : {};
  const fields = FIELDS.filter((field) => field !== 'list' || hasLists || target === 'list');
  return (
    <div className="import-target">
      <select
        className="input"
        aria-label={text.import.becomesOf(name)}
        value={prefix ?? target}
        disabled={disabled}
        {...(prefix === undefined && described)}
        onChange={(event) => onChange(chosen(event.target.value, name))}
      >
        <option value="">{text.import.skip}</option>
        {fields.map((field) => (
          <option key={field} value={field}>
            {text.import.fields[field]}
          </option>
        ))}
        {NAMED.map((each) => (
          <option key={each} value={each}>
            {text.import.named[each]}
          </option>
        ))}
        {JSON_FIELDS.map((field) => (
          <option key={field} value={field}>
            {text.import.json[field]}
          </option>
        ))}
      </select>
      {prefix && (
        <input
          className="input"
          aria-label={text.import.nameOf[prefix](name)}
          value={target.slice(prefix.length)}
          disabled={disabled}
          spellCheck={false}
          {...described}
          onChange={(event) => onChange(prefix + event.target.value)}
        />
      )}
      {fault && (
        <span className="error" id={id} role="alert">
          {text.import.faults[fault]}
        </span>
      )}
    </div>
  );
}

const chosen = (value: string, name: string): Target =>
  value === 'custom_fields.' ? `custom_fields.${name}` : value === 'address.' ? 'address.phone' : value;
