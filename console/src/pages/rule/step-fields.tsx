import { useId } from 'react';
import { Field } from '../../form/field';
import { text } from '../../text/text';
import type { RuleStep } from './parts';

interface Props {
  step: RuleStep;
  place: number;
  error: Error | null;
  put: (step: RuleStep) => void;
}

/** How a step is taken again. The first step has a condition only for that. */
export function RepeatFields({ step, place, error, put }: Props) {
  const words = text.rule.steps;
  const { repeat, unless, ...rest } = step;
  const isFirst = place === 0;
  const turn = (isOn: boolean) => {
    if (!isOn) return put({ ...rest, ...(!isFirst && unless && { unless }) });
    put({ ...rest, unless: unless ?? 'acknowledged', repeat: { every: '15m', times: 4 } });
  };
  return (
    <>
      <label className="check">
        <input type="checkbox" checked={!!repeat} onChange={(event) => turn(event.target.checked)} />
        <span>{isFirst ? words.repeatFirst : words.repeat}</span>
      </label>
      {repeat && (
        <>
          <Field label={words.every} hint={words.everyHint} error={error} name={`steps[${place}].repeat.every`}>
            <input
              className="input"
              value={repeat.every}
              onChange={(event) => put({ ...step, repeat: { ...repeat, every: event.target.value.trim() } })}
              required
            />
          </Field>
          <Field label={words.times} hint={words.timesHint} error={error} name={`steps[${place}].repeat.times`}>
            <input
              className="input"
              type="number"
              min={1}
              max={50}
              value={repeat.times || ''}
              onChange={(event) => put({ ...step, repeat: { ...repeat, times: event.target.valueAsNumber || 0 } })}
              required
            />
          </Field>
        </>
      )}
    </>
  );
}

/** Whom a step means: the users of the step before, or those of lists. */
export function StepToFields({ step, place, lists, error, put }: Props & { lists: string[] }) {
  const words = text.rule.steps;
  const label = useId();
  const { to, ...rest } = step;
  const chosen = to?.distribution_lists ?? [];
  const toggle = (name: string, isOn: boolean) =>
    put({
      ...step,
      to: { ...to, distribution_lists: isOn ? [...chosen, name] : chosen.filter((one) => one !== name) },
    });
  const all = [...new Set([...lists, ...chosen])];
  return (
    <>
      <Field label={words.to} hint={to && words.otherHint} error={error} name={`steps[${place}].to`}>
        <select
          className="input"
          value={to ? 'other' : 'same'}
          onChange={(event) => put(event.target.value === 'other' ? { ...rest, to: { distribution_lists: [] } } : rest)}
        >
          <option value="same">{words.sameUsers}</option>
          <option value="other">{words.otherUsers}</option>
        </select>
      </Field>
      {to && (
        <div className="lists" role="group" aria-labelledby={label}>
          <span className="label" id={label}>
            {words.lists}
          </span>
          {all.length === 0 && <span className="soft">{words.noLists}</span>}
          {all.map((name) => (
            <label key={name} className="check">
              <input
                type="checkbox"
                checked={chosen.includes(name)}
                onChange={(event) => toggle(name, event.target.checked)}
              />
              <span>{name}</span>
            </label>
          ))}
          {to.audience !== undefined && <span className="soft">{words.audienceKept}</span>}
        </div>
      )}
    </>
  );
}
