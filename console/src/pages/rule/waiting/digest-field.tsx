import { ClockInput } from '../../../form/clock-input';
import { DAYS, DaysInput } from '../../../form/days-input';
import { DurationInput } from '../../../form/duration-input';
import { Field } from '../../../form/field';
import { FieldErrors } from '../../../form/field-errors';
import { text } from '../../../text/text';
import type { Draft } from '../draft/draft';
import type { RuleDigest } from '../parts';
import { CountInput } from './count-input';
import { KeyField } from './key-field';

interface Props {
  digest: RuleDigest | null;
  /** Names of the context. */
  fields: readonly string[];
  edit: Draft['edit'];
  error: Error | null;
}

const words = text.rule.waiting;

/** How several messages to a user become one. */
export function DigestField({ digest, fields, edit, error }: Props) {
  return (
    <fieldset className="rows-of">
      <legend className="label">{text.rule.digest}</legend>
      <label className="check">
        <input
          type="checkbox"
          checked={digest !== null}
          onChange={(change) => edit({ digest: change.target.checked ? { window: '15m', first: 'wait' } : null })}
        />
        <span>{words.digest}</span>
      </label>
      {digest && <DigestForm {...{ digest, fields, edit, error }} />}
    </fieldset>
  );
}

function DigestForm({ digest, fields, edit, error }: Props & { digest: RuleDigest }) {
  const { window: _, schedule: __, sliding: ___, ...kept } = digest;
  const put = (part: Partial<RuleDigest>) => edit({ digest: { ...digest, ...part } });
  return (
    <>
      <Field label={words.sent} error={error} name="digest">
        <select
          className="input"
          value={digest.schedule ? 'schedule' : 'window'}
          onChange={(change) =>
            edit({
              digest: {
                ...kept,
                ...(change.target.value === 'window' ? { window: '15m' } : { schedule: { at: '09:00' } }),
              },
            })
          }
        >
          {Object.entries(words.sents).map(([sent, label]) => (
            <option key={sent} value={sent}>
              {label}
            </option>
          ))}
        </select>
      </Field>
      {digest.schedule ? (
        <Schedule schedule={digest.schedule} onChange={(schedule) => put({ schedule })} error={error} />
      ) : (
        <>
          <Field label={words.wait} error={error} name="digest.window">
            <DurationInput value={digest.window ?? ''} onChange={(window) => put({ window })} />
          </Field>
          <label className="check">
            <input
              type="checkbox"
              checked={digest.sliding === true}
              onChange={(change) => put({ sliding: change.target.checked || undefined })}
            />
            <span>{words.sliding}</span>
          </label>
        </>
      )}
      <div className="sample-fields">
        <Field label={words.first} error={error} name="digest.first">
          <select
            className="input"
            value={digest.first ?? 'wait'}
            onChange={(change) => put({ first: change.target.value as RuleDigest['first'] })}
          >
            {Object.entries(words.firsts).map(([first, label]) => (
              <option key={first} value={first}>
                {label}
              </option>
            ))}
          </select>
        </Field>
        <Field label={words.most} error={error} name="digest.max_items">
          <CountInput value={digest.max_items} placeholder="50" onChange={(most) => put({ max_items: most })} />
        </Field>
        <KeyField
          {...{ fields, error }}
          hint={words.digestKeyHint}
          name="digest.key"
          value={digest.key}
          onChange={(key) => put({ key })}
        />
      </div>
    </>
  );
}

type Times = NonNullable<RuleDigest['schedule']>;

function Schedule({
  schedule,
  onChange,
  error,
}: {
  schedule: Times;
  onChange: (schedule: Times) => void;
  error: Error | null;
}) {
  return (
    <>
      <DaysInput days={schedule.days ?? DAYS} onChange={(days) => onChange({ ...schedule, days })} />
      <div className="row">
        <ClockInput label={words.at} value={schedule.at} onChange={(at) => onChange({ ...schedule, at })} />
        <span className="soft">{words.atHint}</span>
      </div>
      <FieldErrors error={error} name="digest.schedule" />
    </>
  );
}
