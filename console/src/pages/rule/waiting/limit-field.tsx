import { Field } from '../../../form/field';
import { text } from '../../../text/text';
import type { Draft } from '../draft/draft';
import type { RuleLimit } from '../parts';
import { CountInput } from './count-input';
import { KeyField } from './key-field';

interface Props {
  limit: RuleLimit | null;
  /** Names of the context. */
  fields: readonly string[];
  edit: Draft['edit'];
  error: Error | null;
}

const DAILY: RuleLimit = { count: 1, per: 'day', then: 'drop' };

const words = text.rule.waiting;

/** The most messages for a user. */
export function LimitField({ limit, fields, edit, error }: Props) {
  const put = (part: Partial<RuleLimit>) => edit({ limit: { ...(limit ?? DAILY), ...part } });
  return (
    <fieldset className="rows-of">
      <legend className="label">{text.rule.limit}</legend>
      <label className="check">
        <input
          type="checkbox"
          checked={limit !== null}
          onChange={(change) => edit({ limit: change.target.checked ? DAILY : null })}
        />
        <span>{words.limit}</span>
      </label>
      {limit && (
        <div className="sample-fields">
          <Field label={words.count} error={error} name="limit.count">
            <CountInput value={limit.count} onChange={(count) => put({ count })} />
          </Field>
          <Field label={words.per} error={error} name="limit.per">
            <select
              className="input"
              value={limit.per}
              onChange={(change) => put({ per: change.target.value as RuleLimit['per'] })}
            >
              {Object.entries(words.pers).map(([per, label]) => (
                <option key={per} value={per}>
                  {label}
                </option>
              ))}
            </select>
          </Field>
          <Field label={words.then} error={error} name="limit.then">
            <select
              className="input"
              value={limit.then ?? 'drop'}
              onChange={(change) => put({ then: change.target.value as RuleLimit['then'] })}
            >
              {Object.entries(words.thens).map(([then, label]) => (
                <option key={then} value={then}>
                  {label}
                </option>
              ))}
            </select>
          </Field>
          <KeyField
            {...{ fields, error }}
            hint={words.limitKeyHint}
            name="limit.key"
            value={limit.key}
            onChange={(key) => put({ key })}
          />
        </div>
      )}
    </fieldset>
  );
}
