import { checkConfig } from '../../config-fields.js';
import type { ConfigField } from '../../dispatcher.js';
import type { FilePlace } from './place.js';
import { problemWithLabel } from '../request/url.js';

const KINDS = ['string', 'integer', 'boolean', 'url', 'choice', 'private_key'] as const;
const KEYS = [
  'label',
  'kind',
  'required',
  'secret',
  'goes_to',
  'choices',
  'min',
  'max',
  'pattern',
  'format',
  'host',
  'help',
  'example',
];

interface ReadSettings {
  fields: ConfigField[];
  samples: Record<string, string | number | boolean>;
}

/** Reads the settings of a file, with values for its examples. */
export function readSettings(place: FilePlace | null): ReadSettings {
  const entries = place?.entries() ?? [];
  const fields = entries.map(([key, setting]) => readField(key, setting));
  const samples: ReadSettings['samples'] = {};
  for (const [i, [key, setting]] of entries.entries()) {
    const field = fields[i]!;
    const sample = setting.at('example');
    if (!sample && field.required && field.kind !== 'choice') setting.fail('needs an example: it is required');
    if (!sample && !field.required) continue;
    const value = sample?.value ?? field.choices?.[0];
    const checked = checkConfig([field], { [key]: value });
    if ('errors' in checked) (sample ?? setting).fail(checked.errors[key]?.[0]?.sentence ?? 'is not valid');
    samples[key] = value as string;
  }
  return { fields, samples };
}

function readField(key: string, place: FilePlace): ConfigField {
  if (!/^[a-z][a-z0-9_]{0,39}$/.test(key)) place.fail('must have a name of small letters, digits and underscores');
  if (key === 'rate') place.fail('is a setting that every channel has');
  place.only(KEYS);
  const choices = place
    .at('choices')
    ?.items()
    .map((choice) => choice.text());
  const kind = place.at('kind')?.oneOf(KINDS) ?? (choices ? 'choice' : 'string');
  if ((kind === 'choice') !== (choices !== undefined)) place.fail('must have choices if it is a choice, and only then');
  const optional = {
    choices,
    min: place.at('min')?.number(),
    max: place.at('max')?.number(),
    help: place.at('help')?.text(),
    goesTo: place
      .at('goes_to')
      ?.items()
      .map((each) => each.text()),
    problem: problemOf(place),
  };
  return {
    key,
    label: place.need('label').text(),
    kind,
    required: place.at('required')?.isTrue() ?? false,
    secret: place.at('secret')?.isTrue() ?? false,
    ...(Object.fromEntries(
      Object.entries(optional).filter(([, value]) => value !== undefined),
    ) as Partial<ConfigField>),
  };
}

/** `pattern` with `format`, which says in words what the pattern wants. */
function problemOf(place: FilePlace): ((value: string) => string | null) | undefined {
  if (place.at('host')?.isTrue()) return problemWithLabel;
  const pattern = place.at('pattern');
  if (!pattern) return undefined;
  const regexp = pattern.try(() => new RegExp(pattern.text(), 'u'));
  const format = place.need('format').text();
  return (value) => (regexp.test(value) ? null : `must be ${format}`);
}

/**
 * Whoever changes the host of a channel must give its secrets again: else the secret would go to a host that its owner never saw. Each secret of a
 * file whose host depends on settings is bound to them, whether the file says so or not.
 */
export const boundTo = (fields: readonly ConfigField[], hosts: readonly string[]): ConfigField[] =>
  fields.map((field) => {
    const goesTo = [...new Set([...(field.goesTo ?? []), ...hosts])].filter((key) => key !== field.key);
    return field.secret && goesTo.length > 0 ? { ...field, goesTo } : field;
  });
