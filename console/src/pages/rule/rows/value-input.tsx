import { useState } from 'react';
import { SuggestInput } from '../../../form/suggest-input';
import { text } from '../../../text/text';
import { arityOf } from './comparison';
import type { Line } from './line';

interface Props {
  line: Line;
  samples: readonly string[];
  onChange: (values: string[]) => void;
}

const words = text.rule.rows;

/** What a field is compared with: nothing, a value or several. */
export function ValueInput({ line, samples, onChange }: Props) {
  const arity = arityOf(line.is);
  if (arity === 'none') return null;
  if (arity === 'many') return <Values {...{ line, samples, onChange }} />;
  const [value = ''] = line.values;
  const isDay = value === '' || /^\d{4}-\d{2}-\d{2}$/.test(value);
  const type = line.kind === 'date' && isDay ? 'date' : 'text';
  return (
    <SuggestInput
      aria-label={words.value}
      type={type}
      inputMode={line.kind === 'number' || line.isNumeric ? 'decimal' : undefined}
      value={value}
      onType={(typed) => onChange(typed === '' ? [] : [typed])}
    >
      {type === 'text' && samples.map((sample) => <option key={sample} value={sample} />)}
    </SuggestInput>
  );
}

/** Several values: Enter, a comma or leaving the field adds one. */
function Values({ line, samples, onChange }: Props) {
  const [typed, setTyped] = useState('');
  const { values } = line;
  function add(more: string) {
    const found = more.trim();
    if (found !== '' && !values.includes(found)) onChange([...values, found]);
    setTyped('');
  }
  return (
    <span className="row-values">
      {values.map((value) => (
        <button
          key={value}
          type="button"
          className="row-value"
          aria-label={words.removeValue(value)}
          onClick={() => onChange(values.filter((one) => one !== value))}
        >
          {value} <span aria-hidden>×</span>
        </button>
      ))}
      <SuggestInput
        aria-label={words.addValue}
        placeholder={words.addValue}
        value={typed}
        onType={(next) => (next.endsWith(',') ? add(next.slice(0, -1)) : setTyped(next))}
        onBlur={() => add(typed)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return;
          event.preventDefault();
          add(typed);
        }}
      >
        {samples.map((sample) => (
          <option key={sample} value={sample} />
        ))}
      </SuggestInput>
    </span>
  );
}
