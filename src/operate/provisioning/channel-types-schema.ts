import { fieldsOf } from '../../dispatcher/config-fields.js';
import type { ConfigField, Dispatcher } from '../../dispatcher/dispatcher.js';

type Schema = Readonly<Record<string, unknown>>;

const REFERENCE: Schema = { $ref: '#/definitions/reference' };

/**
 * Adds the settings of each channel type to the schema of configuration files. Which types there are depends on the provider files of the operator, so the
 * stored schema has none: only the one that editors read names them.
 */
export function withChannelTypes(schema: object, dispatchers: Iterable<Dispatcher>): object {
  const { definitions, ...rest } = schema as Schema & { definitions: Record<string, Schema> };
  const types = [...dispatchers].sort((a, b) => (a.type < b.type ? -1 : 1));
  const channel = {
    ...definitions.channel,
    allOf: types.map(({ type }) => ({
      if: { required: ['type'], properties: { type: { const: type } } },
      then: { properties: { config: { $ref: `#/definitions/config_${type}` } } },
    })),
  };
  const configs = types.map((dispatcher) => [`config_${dispatcher.type}`, configOf(dispatcher)] as const);
  return { ...rest, definitions: { ...definitions, channel, ...Object.fromEntries(configs) } };
}

function configOf(dispatcher: Dispatcher): Schema {
  const fields = fieldsOf(dispatcher);
  return {
    title: dispatcher.label,
    type: 'object',
    additionalProperties: false,
    required: fields.filter(({ required }) => required).map(({ key }) => key),
    properties: Object.fromEntries(fields.map((field) => [field.key, settingOf(field)])),
  };
}

/** `apply` can read each value from an environment variable or a file. */
const settingOf = (field: ConfigField): Schema => ({
  title: field.label,
  ...(field.help ? { description: field.help } : {}),
  anyOf: [valueOf(field), REFERENCE],
});

function valueOf({ kind, choices, min, max }: ConfigField): Schema {
  if (kind === 'boolean') return { type: 'boolean' };
  if (kind === 'choice') return { enum: choices };
  const [least, most] = kind === 'integer' ? (['minimum', 'maximum'] as const) : (['minLength', 'maxLength'] as const);
  return {
    type: kind === 'integer' ? 'integer' : 'string',
    ...(min === undefined ? {} : { [least]: min }),
    ...(max === undefined ? {} : { [most]: max }),
  };
}
