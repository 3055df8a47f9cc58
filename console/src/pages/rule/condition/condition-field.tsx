import { checkWhen, compiledWhen } from '@carillon/expression/when';
import { useEffect, useId, useState } from 'react';
import type { ReactNode } from 'react';
import { Field } from '../../../form/field';
import { FieldErrors } from '../../../form/field-errors';
import { text } from '../../../text/text';
import type { KnownField } from '../rows/known-field';
import { RowsEditor } from '../rows/rows-editor';
import type { Line } from '../rows/line';
import { outcomeOf } from './outcome';
import { readCondition } from './read';
import { COMPARISONS, lineOf, rowOf } from './row';
import type { Join } from './row';
import { writeCondition } from './write';

interface Props {
  when: string | null;
  onChange: (when: string | null) => void;
  fields: readonly KnownField[];
  /** The data that the preview shows. */
  context: Record<string, unknown> | undefined;
  error: Error | null;
  /** Tells whether it may be published. */
  onUnfinished: (isUnfinished: boolean) => void;
}

interface Edited {
  /** The condition that the rows are of. */
  when: string | null;
  join: Join;
  lines: Line[];
}

const words = text.rule.condition;

/** When a notification is sent: rows where they can say it, and JMESPath for the rest. */
export function ConditionField({ when, onChange, fields, context, error, onUnfinished }: Props) {
  const [isText, setText] = useState(false);
  const [edited, setEdited] = useState<Edited | null>(null);
  const problem = when === null ? null : checkWhen(when);
  const read = edited?.when === when ? edited : readLines(when, problem);
  const rows = 'lines' in read ? read : null;
  const isUnfinished = problem !== null || (!isText && rows !== null && rows.lines.some((line) => !rowOf(line)));
  useEffect(() => {
    onUnfinished(isUnfinished);
    return () => onUnfinished(false);
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- it is a new function each time
  }, [isUnfinished]);
  function edit(join: Join, lines: Line[]) {
    const next = writeCondition({ join, rows: lines.flatMap((line) => rowOf(line) ?? []) });
    setEdited({ when: next, join, lines });
    onChange(next);
  }
  const outcome = problem === null && when !== null && context ? outcomeOf(when, context) : null;
  return (
    <fieldset className="rows-of">
      <legend className="label">{words.title}</legend>
      {rows && !isText ? (
        <Rows {...{ ...rows, fields, edit, error }}>
          <button type="button" className="button small plain" onClick={() => setText(true)}>
            {words.asText}
          </button>
        </Rows>
      ) : (
        <>
          <Field label={text.rule.when} hint={text.rule.whenHint} error={error} name="when" fault={problem}>
            <input
              className="input mono"
              value={when ?? ''}
              onChange={(change) => {
                setText(true);
                onChange(change.target.value || null);
              }}
              spellCheck={false}
            />
          </Field>
          {rows ? (
            <div className="row">
              <button type="button" className="button small" onClick={() => setText(false)}>
                {words.asRows}
              </button>
            </div>
          ) : (
            !problem && 'reason' in read && <p className="soft">{words.unread[read.reason](read.name ?? '')}</p>
          )}
        </>
      )}
      {outcome && (
        <p className="soft" role="status">
          {outcome.failed === undefined ? words.outcomes[outcome.holds ? 'yes' : 'no'] : words.fails(outcome.failed)}
        </p>
      )}
    </fieldset>
  );
}

function readLines(when: string | null, problem: string | null) {
  if (when === null) return { when, join: 'all' as const, lines: [] };
  if (problem !== null) return { reason: 'other' as const, name: undefined };
  const read = readCondition(compiledWhen(when).node);
  return 'rows' in read ? { when, join: read.join, lines: read.rows.map(lineOf) } : read;
}

interface RowsProps extends Pick<Edited, 'join' | 'lines'> {
  fields: readonly KnownField[];
  edit: (join: Join, lines: Line[]) => void;
  error: Error | null;
  children: ReactNode;
}

function Rows({ join, lines, fields, edit, error, children }: RowsProps) {
  const id = useId();
  return (
    <>
      {lines.length === 0 && <p className="soft">{words.always}</p>}
      {lines.length > 1 && (
        <div className="row">
          <label htmlFor={id}>{words.join}</label>
          <select
            id={id}
            className="input rows-join"
            value={join}
            onChange={(change) => edit(change.target.value as Join, lines)}
          >
            <option value="all">{words.joins.all}</option>
            <option value="any">{words.joins.any}</option>
          </select>
        </div>
      )}
      <RowsEditor lines={lines} onChange={(next) => edit(join, next)} fields={fields} comparisons={COMPARISONS}>
        {children}
      </RowsEditor>
      <FieldErrors error={error} name="when" />
    </>
  );
}
