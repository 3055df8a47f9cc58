import { useId } from 'react';
import type { ReactNode } from 'react';
import { text } from '../../../text/text';
import type { KnownField } from '../rows/known-field';
import type { Line } from '../rows/line';
import { RowsEditor } from '../rows/rows-editor';
import type { Group, Join } from './group';
import { COMPARISONS } from './row';

interface Props {
  group: Group;
  fields: readonly KnownField[];
  onChange: (group: Group) => void;
  /** Beside the button that adds a row. */
  children: ReactNode;
}

const { joins, join: joinLabel } = text.rule.audiences;

/** Rows that are joined in one way. */
export function AudienceGroup({ group: { join, lines }, fields, onChange, children }: Props) {
  const id = useId();
  return (
    <>
      <div className="row">
        <label htmlFor={id}>{joinLabel}</label>
        <select
          id={id}
          className="input rows-join"
          value={join}
          onChange={(change) => onChange({ join: change.target.value as Join, lines })}
        >
          {(Object.keys(joins) as Join[]).map((one) => (
            <option key={one} value={one}>
              {joins[one]}
            </option>
          ))}
        </select>
      </div>
      <RowsEditor
        lines={lines.map((line) => ofKnownKind(line, fields))}
        onChange={(next) => onChange({ join, lines: next })}
        fields={fields}
        comparisons={COMPARISONS}
      >
        {children}
      </RowsEditor>
    </>
  );
}

/** Filters do not say whether a text is looked for in a text or in a list. */
function ofKnownKind(line: Line, fields: readonly KnownField[]): Line {
  const kinds = fields.find(({ name }) => name === line.field)?.kinds ?? [];
  const isList = COMPARISONS.list.includes(line.is) && kinds.includes('list') && !kinds.includes('text');
  return isList ? { ...line, kind: 'list' } : line;
}
