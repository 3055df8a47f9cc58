import { useId, useState } from 'react';
import { readJson } from '../../../editor/json';
import { Field } from '../../../form/field';
import { FieldErrors } from '../../../form/field-errors';
import { text } from '../../../text/text';
import { AudienceField } from '../audience/audience-field';
import type { RuleStepTo } from '../parts';
import type { StepProps } from './props';

interface Props extends StepProps {
  org: string;
  /** Names of the project's lists. */
  lists: string[];
  onUnfinished: (isUnfinished: boolean) => void;
}

const words = text.rule.steps;

/** Whom a step means: the users of the step before, or those of lists and an audience. */
export function StepToFields({ org, step, place, lists, error, put, onUnfinished }: Props) {
  const { to, ...rest } = step;
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
        <OtherUsers
          {...{ org, to, lists, error, onUnfinished }}
          name={`steps[${place}].to`}
          put={(next) => put({ ...step, to: next })}
        />
      )}
    </>
  );
}

interface OtherUsersProps extends Pick<Props, 'org' | 'lists' | 'error' | 'onUnfinished'> {
  to: RuleStepTo;
  /** The field's name in errors. */
  name: string;
  put: (to: RuleStepTo) => void;
}

function OtherUsers({ org, to, lists, error, name, put, onUnfinished }: OtherUsersProps) {
  const label = useId();
  const { audience, ...rest } = to;
  const chosen = to.distribution_lists;
  const all = [...new Set([...lists, ...chosen])];
  // What is typed stays as it is typed, also while it is no JSON.
  const [typed, setTyped] = useState('');
  const written = audience ? JSON.stringify(audience, null, 2) : '';
  const read = readJson(typed);
  const isTyped = read.fault !== null || JSON.stringify(read.value ?? undefined) === JSON.stringify(audience);
  return (
    <>
      <div className="lists" role="group" aria-labelledby={label}>
        <span className="label" id={label}>
          {words.lists}
        </span>
        {all.length === 0 && <span className="soft">{words.noLists}</span>}
        {all.map((list) => (
          <label key={list} className="check">
            <input
              type="checkbox"
              checked={chosen.includes(list)}
              onChange={({ target }) =>
                put({
                  ...to,
                  distribution_lists: target.checked ? [...chosen, list] : chosen.filter((one) => one !== list),
                })
              }
            />
            <span>{list}</span>
          </label>
        ))}
        <FieldErrors error={error} name={`${name}.distribution_lists`} />
      </div>
      <AudienceField
        {...{ org, error, onUnfinished }}
        name={`${name}.audience`}
        value={isTyped ? typed : written}
        fault={isTyped ? read.fault : null}
        onChange={(next) => {
          const { value, fault } = readJson(next);
          setTyped(next);
          if (fault === null) put({ ...rest, ...(value !== null && { audience: value }) });
        }}
      />
    </>
  );
}
