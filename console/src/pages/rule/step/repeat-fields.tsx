import { DurationInput } from '../../../form/duration-input';
import { Field } from '../../../form/field';
import { text } from '../../../text/text';
import type { StepProps } from './props';

const words = text.rule.steps;

/** How a step is taken again. The first step has a condition only for that. */
export function RepeatFields({ step, place, error, put }: StepProps) {
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
            <DurationInput value={repeat.every} onChange={(every) => put({ ...step, repeat: { ...repeat, every } })} />
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
