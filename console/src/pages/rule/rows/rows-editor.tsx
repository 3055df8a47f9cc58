import { useRef } from 'react';
import type { ReactNode } from 'react';
import { SuggestInput } from '../../../form/suggest-input';
import { text } from '../../../text/text';
import { arityOf } from './comparison';
import type { Comparison, Comparisons, Kind } from './comparison';
import type { KnownField } from './known-field';
import { isComplete, lineFor, withField } from './line';
import type { Line } from './line';
import { ValueInput } from './value-input';
import './rows.css';

interface Props {
  lines: Line[];
  onChange: (lines: Line[]) => void;
  fields: readonly KnownField[];
  comparisons: Comparisons;
  /** Between the button that adds a row and the end of its line. */
  children?: ReactNode;
}

const words = text.rule.rows;

/** Rows of a field, a comparison and a value. */
export function RowsEditor({ lines, onChange, fields, comparisons, children }: Props) {
  const list = useRef<HTMLUListElement>(null);
  const add = useRef<HTMLButtonElement>(null);
  const put = (place: number, line: Line) => onChange(lines.map((one, i) => (i === place ? line : one)));
  function append() {
    const unused = fields.find(({ name }) => lines.every(({ field }) => field !== name));
    onChange([...lines, lineFor(unused, comparisons)]);
    requestAnimationFrame(() => list.current?.querySelector<HTMLElement>(':scope > li:last-child input')?.focus());
  }
  function remove(place: number) {
    onChange(lines.filter((_, i) => i !== place));
    add.current?.focus();
  }
  return (
    <>
      {lines.length > 0 && (
        <ul className="rows" ref={list}>
          {lines.map((line, i) => (
            <li key={i} aria-label={words.nameOf(i + 1)}>
              <RowEditor {...{ line, fields, comparisons }} onChange={(next) => put(i, next)} />
              <button
                type="button"
                className="button small plain"
                aria-label={words.remove(i + 1)}
                onClick={() => remove(i)}
              >
                ×
              </button>
              {!isComplete(line) && <span className="hint">{words.incomplete}</span>}
            </li>
          ))}
        </ul>
      )}
      <div className="row">
        <button type="button" className="button small" ref={add} onClick={append}>
          {words.add}
        </button>
        {children}
      </div>
    </>
  );
}

interface RowProps {
  line: Line;
  onChange: (line: Line) => void;
  fields: readonly KnownField[];
  comparisons: Comparisons;
}

function RowEditor({ line, onChange, fields, comparisons }: RowProps) {
  const known = fields.find(({ name }) => name === line.field);
  const kinds: Kind[] = known && known.kinds.length > 0 ? known.kinds : ['text', 'number', 'date', 'boolean', 'list'];
  const offered = [...new Set<Kind | 'any'>([...kinds, line.kind, 'any'])].filter(
    (kind) => comparisons[kind].length > 0,
  );
  function choose(chosen: string) {
    const [kind, is] = chosen.split(' ') as [Kind | 'any', Comparison];
    const keeps = kind === line.kind && arityOf(is) !== 'none';
    const values = !keeps ? [] : arityOf(is) === 'many' ? line.values : line.values.slice(0, 1);
    onChange({ ...line, kind, is, values, isNumeric: kind === 'list' && known?.isNumeric === true });
  }
  return (
    <>
      <SuggestInput
        aria-label={words.field}
        value={line.field}
        onType={(name) =>
          onChange(
            withField(
              line,
              name,
              fields.find((field) => field.name === name),
              comparisons,
            ),
          )
        }
      >
        {fields.map(({ name, samples }) => (
          <option key={name} value={name}>
            {samples[0]}
          </option>
        ))}
      </SuggestInput>
      <select
        className="input"
        aria-label={words.comparison}
        value={`${line.kind} ${line.is}`}
        onChange={(change) => choose(change.target.value)}
      >
        {offered.map((kind) => (
          <optgroup key={kind} label={words.kinds[kind]}>
            {comparisons[kind].map((is) => (
              <option key={is} value={`${kind} ${is}`}>
                {words.comparisons[is]}
              </option>
            ))}
          </optgroup>
        ))}
      </select>
      <ValueInput line={line} samples={known?.samples ?? []} onChange={(values) => onChange({ ...line, values })} />
    </>
  );
}
