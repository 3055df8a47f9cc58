import { DurationInput } from '../../../form/duration-input';
import { Field } from '../../../form/field';
import { FieldErrors } from '../../../form/field-errors';
import { text } from '../../../text/text';
import type { ChannelName } from '../parts';
import { WindowField } from '../waiting/window-field';
import { RepeatFields } from './repeat-fields';
import type { DraftCheck } from '../use-draft-check';
import type { StepProps } from './props';
import { StepToFields } from './step-to';
import { Unreached } from './unreached';

const EVIDENCE = ['sent', 'delivered', 'seen', 'read', 'acknowledged'] as const;

interface Props extends StepProps {
  org: string;
  /** Those with a template. */
  channels: string[];
  nameOf: ChannelName;
  /** Names of the project's lists. */
  lists: string[];
  move: (channel: string, isOn: boolean) => void;
  remove: () => void;
  onUnfinished: (isUnfinished: boolean) => void;
  unreached: DraftCheck['unreached'];
}

const words = text.rule.steps;

/** One step: when, for whom, over which channels, and how often. */
export function StepCard({ org, channels, nameOf, lists, unreached, move, remove, onUnfinished, ...fields }: Props) {
  const { step, place, error, put } = fields;
  const isFirst = place === 0;
  return (
    <li className="card step" aria-label={words.nameOf(place + 1)}>
      <div className="row">
        <strong>{words.nameOf(place + 1)}</strong>
        {isFirst ? (
          <span className="soft">{words.atOnce}</span>
        ) : (
          <button type="button" className="button small plain" onClick={remove}>
            {words.remove(place + 1)}
          </button>
        )}
      </div>
      <fieldset className="lists">
        <legend className="label">{words.channels}</legend>
        {[...new Set([...channels, ...step.channels])].map((channel) => (
          <label key={channel} className="check">
            <input
              type="checkbox"
              checked={step.channels.includes(channel)}
              onChange={(event) => move(channel, event.target.checked)}
            />
            <span>{nameOf(channel)}</span>
          </label>
        ))}
        <FieldErrors error={error} name={`steps[${place}].channels`} />
      </fieldset>
      {!isFirst && (
        <Field label={words.after} hint={words.afterHint} error={error} name={`steps[${place}].after`}>
          <DurationInput value={step.after ?? ''} onChange={(after) => put({ ...step, after })} />
        </Field>
      )}
      {!isFirst && <UnlessField {...fields} label={words.unless} always={words.always} />}
      {!isFirst && <StepToFields {...fields} {...{ org, lists, onUnfinished }} />}
      {step.to && <Unreached warnings={unreached} />}
      <RepeatFields {...fields} />
      <WindowField
        window={step.window ?? null}
        label={words.window}
        hint={words.windowHint}
        onChange={(window) => {
          const { window: _, ...rest } = step;
          put({ ...rest, ...(window && { window }) });
        }}
        error={error}
        name={`steps[${place}].window`}
      />
      {isFirst && step.repeat && <UnlessField {...fields} label={words.until} always={words.asOften} />}
    </li>
  );
}

/** The evidence that ends the steps. `always`: there is none. */
function UnlessField({ step, place, error, put, label, always }: StepProps & { label: string; always: string }) {
  return (
    <Field label={label} error={error} name={`steps[${place}].unless`}>
      <select
        className="input"
        value={step.unless ?? ''}
        onChange={(event) => {
          const { unless: _, ...rest } = step;
          const chosen = EVIDENCE.find((one) => one === event.target.value);
          put({ ...rest, ...(chosen && { unless: chosen }) });
        }}
      >
        <option value="">{always}</option>
        {EVIDENCE.map((one) => (
          <option key={one} value={one}>
            {words.evidence[one]}
          </option>
        ))}
      </select>
    </Field>
  );
}
