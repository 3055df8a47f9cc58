import { ProblemError } from '@carillon/client';
import type { ConfigField } from '@carillon/client';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { Field } from '../../form/field';
import { text } from '../../text/text';

export type Config = Record<string, unknown>;

interface Props {
  fields: ConfigField[];
  /** As stored: secrets are masks. */
  stored: Config;
  config: Config;
  onChange: (config: Config) => void;
  error: Error | null;
  disabled?: boolean;
}

/** Optional settings that most channels of a type need, too. */
const COMMON = new Set([
  'port',
  'security',
  'username',
  'password',
  'api_key',
  'bot_token',
  'channel',
  'url',
  'secret',
]);

/** So many settings that few need are worth a fold. */
const FEW = 3;

/** The settings of a channel, drawn from what its dispatcher declares. What few people need is folded. */
export function ConfigForm(props: Props) {
  const { fields, config, error } = props;
  const isRare = ({ key, required }: ConfigField) => !required && !COMMON.has(key);
  const rare = fields.filter(isRare);
  const [isOpen, setOpen] = useState(rare.some(({ key }) => config[key] !== undefined));
  if (rare.length <= FEW) return <Fields {...props} />;
  const isWrong = ({ key }: ConfigField) => error instanceof ProblemError && `config.${key}` in error.errors;
  return (
    <>
      <Fields {...props} fields={fields.filter((field) => !isRare(field))} />
      <details open={isOpen || rare.some(isWrong)} onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>{text.channel.more(rare.length)}</summary>
        <div className="form">
          <Fields {...props} fields={rare} />
        </div>
      </details>
    </>
  );
}

function Fields({ fields, stored, config, onChange, error, disabled }: Props) {
  function set(key: string, value: unknown) {
    const next = { ...config, [key]: value };
    if (value === '' || value === undefined) delete next[key];
    onChange(next);
  }
  return (
    <>
      {fields.map((field) =>
        field.kind === 'boolean' ? (
          <label key={field.key} className="check">
            <input
              type="checkbox"
              disabled={disabled}
              checked={config[field.key] === true}
              onChange={(change) => set(field.key, change.target.checked || undefined)}
            />
            <span>
              {field.label}
              {field.help && <span className="soft"> {field.help}</span>}
            </span>
          </label>
        ) : (
          <Field
            key={field.key}
            label={labelOf(field)}
            hint={hintOf(field, stored, config)}
            error={error}
            name={`config.${field.key}`}
          >
            {field.secret ? (
              <Secret field={field} {...{ stored, config, set, disabled }} />
            ) : (
              inputOf(field, config, set, disabled)
            )}
          </Field>
        ),
      )}
    </>
  );
}

const labelOf = ({ label, required }: ConfigField) => (required ? label : text.channel.optional(label));

/** A stored secret goes only where it went before: with another host it must be typed again. */
export const mustRetype = ({ secret, key, goes_to }: ConfigField, stored: Config, config: Config) =>
  secret &&
  stored[key] !== undefined &&
  config[key] === stored[key] &&
  (goes_to ?? []).some((name) => config[name] !== stored[name]);

function hintOf(field: ConfigField, stored: Config, config: Config) {
  if (!mustRetype(field, stored, config)) return field.help;
  return <strong>{text.channel.retype}</strong>;
}

type Set = (key: string, value: unknown) => void;

function inputOf(
  { key, kind, choices, min, max, required }: ConfigField,
  config: Config,
  set: Set,
  disabled?: boolean,
): ReactElement<object> {
  const common = { className: 'input', disabled, required, value: String(config[key] ?? '') };
  const onChange = (change: { target: { value: string } }) => set(key, change.target.value);
  if (kind === 'choice')
    return (
      <select {...common} onChange={onChange}>
        <option value="">{text.channel.unset}</option>
        {choices?.map((choice) => (
          <option key={choice}>{choice}</option>
        ))}
      </select>
    );
  if (kind === 'certificates' || kind === 'text')
    return (
      <textarea
        {...common}
        className="input mono"
        rows={kind === 'text' ? 16 : 4}
        spellCheck={false}
        onChange={onChange}
      />
    );
  if (kind === 'integer')
    return (
      <input
        {...common}
        type="number"
        min={min}
        max={max}
        onChange={(change) => set(key, change.target.value === '' ? '' : Number(change.target.value))}
      />
    );
  return (
    <input
      {...common}
      type={kind === 'url' ? 'url' : 'text'}
      minLength={min}
      maxLength={max}
      spellCheck={false}
      autoComplete="off"
      onChange={onChange}
    />
  );
}

interface SecretProps {
  field: ConfigField;
  stored: Config;
  config: Config;
  set: Set;
  disabled?: boolean;
}

/** A secret is never shown. Left alone, it is kept: its mask is sent back. */
function Secret({ field: { key, kind, required }, stored, config, set, disabled, ...field }: SecretProps) {
  const isStored = stored[key] !== undefined;
  const isKept = isStored && config[key] === stored[key];
  const [isShown, setShown] = useState(false);
  const common = {
    ...field,
    className: 'input mono',
    disabled,
    required: required && !isKept,
    spellCheck: false,
    placeholder: isKept ? text.channel.kept : isStored ? text.channel.removed : undefined,
    value: isKept ? '' : String(config[key] ?? ''),
    onChange: (change: { target: { value: string } }) => set(key, change.target.value),
  };
  return (
    <span className="secret">
      {kind === 'private_key' ? (
        <textarea {...common} rows={isKept ? 1 : 4} autoComplete="off" />
      ) : (
        <input {...common} type={isShown ? 'text' : 'password'} autoComplete="new-password" />
      )}
      {isStored && !disabled && (
        <button type="button" className="button small" onClick={() => set(key, isKept ? undefined : stored[key])}>
          {isKept ? text.channel.forget : text.channel.keep}
        </button>
      )}
      {!isKept && config[key] !== undefined && kind !== 'private_key' && (
        <button type="button" className="button small" aria-pressed={isShown} onClick={() => setShown(!isShown)}>
          {isShown ? text.channel.hide : text.channel.show}
        </button>
      )}
    </span>
  );
}
