import { useEffect, useState } from 'react';
import { CodeEditor } from '../../../editor/code-editor';
import { readJson } from '../../../editor/json';
import { FieldErrors } from '../../../form/field-errors';
import { text } from '../../../text/text';
import { isComplete } from '../rows/line';
import { AudienceCount } from './audience-count';
import { AudienceGroup } from './audience-group';
import { NO_ROWS, readAudience, writeAudience } from './group';
import type { AudienceRows, Group } from './group';
import type { Filter } from './row';
import { audienceFields, useAudience } from './use-audience';

interface Props {
  org: string;
  /** JSON; empty: no audience. */
  value: string;
  onChange: (value: string) => void;
  /** What is wrong with the JSON. */
  fault: string | null;
  error: Error | null;
  /** The field's name in errors. */
  name: string;
  onUnfinished: (isUnfinished: boolean) => void;
}

const words = text.rule.audiences;

/** Users by their data: rows where they can say it, and JSON for the rest. */
export function AudienceField({ org, value, onChange, fault, error, name, onUnfinished }: Props) {
  const [isText, setText] = useState(false);
  const [edited, setEdited] = useState<{ value: string; rows: AudienceRows } | null>(null);
  const audience = fault ? null : (readJson(value).value as Filter | null);
  const found = useAudience(org, audience);
  const fields = audienceFields(found.data);
  const rows = edited?.value === value ? edited.rows : fault ? null : readAudience(audience);
  const isUnfinished = !isText && rows !== null && !isFinished(rows);
  useEffect(() => {
    onUnfinished(isUnfinished);
    return () => onUnfinished(false);
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- it is a new function each time
  }, [isUnfinished]);
  function edit(next: AudienceRows) {
    const filter = writeAudience(next);
    const written = filter === null ? '' : JSON.stringify(filter, null, 2);
    setEdited({ value: written, rows: next });
    onChange(written);
  }
  return (
    <fieldset className="rows-of">
      <legend className="label">{text.rule.audience}</legend>
      <p className="soft">{words.hint}</p>
      {rows && !isText ? (
        <>
          <AudienceGroup group={rows} fields={fields} onChange={(group) => edit({ ...rows, ...group })}>
            <button
              type="button"
              className="button small"
              onClick={() => edit({ ...rows, groups: [...rows.groups, { join: 'any', lines: [] }] })}
            >
              {words.addGroup}
            </button>
            <button type="button" className="button small plain" onClick={() => setText(true)}>
              {words.asText}
            </button>
          </AudienceGroup>
          {rows.groups.map((group, i) => {
            const put = (...groups: Group[]) => edit({ ...rows, groups: rows.groups.toSpliced(i, 1, ...groups) });
            return (
              // oxlint-disable-next-line react/no-array-index-key -- groups have no other name
              <fieldset key={i} className="rows-of rows-group">
                <legend className="soft">{words.group(i + 1)}</legend>
                <AudienceGroup group={group} fields={fields} onChange={(next) => put(next)}>
                  <button type="button" className="button small plain" onClick={() => put()}>
                    {words.removeGroup(i + 1)}
                  </button>
                </AudienceGroup>
              </fieldset>
            );
          })}
        </>
      ) : (
        <>
          <CodeEditor
            label={text.rule.audience}
            value={value}
            onChange={(typed) => {
              setText(true);
              onChange(typed);
            }}
            language="json"
            faults={fault ? [fault] : undefined}
          />
          {rows ? (
            <div className="row">
              <button type="button" className="button small" onClick={() => setText(false)}>
                {words.asRows}
              </button>
            </div>
          ) : (
            !fault && <p className="soft">{words.unread}</p>
          )}
        </>
      )}
      <FieldErrors error={error} name={name} />
      {audience !== null && <AudienceCount found={found} />}
    </fieldset>
  );
}

const isFinished = ({ lines, groups }: AudienceRows = NO_ROWS) =>
  lines.every(isComplete) && groups.every((group) => group.lines.length > 0 && group.lines.every(isComplete));
