import type { OpenAPIObject } from '@nestjs/swagger';
import { AT_ONCE } from '../../api/preference/read-choices.js';
import { FREQUENCIES } from '../../rules/frequency/category-digests.js';

interface Schema {
  $ref?: string;
  description?: string;
  type?: string | string[];
  enum?: readonly unknown[];
  format?: string;
  pattern?: string;
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  allOf?: Schema[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  example?: unknown;
  minProperties?: number;
  maxProperties?: number;
}

/** An entry of the file: the fields of these bodies, and fields that only a file has. */
interface Entry {
  from: string[];
  fields?: Record<string, Schema>;
  /** Left out: those of the bodies. */
  required?: string[];
  /** Whether the whole entry may be null; false: neither it nor its fields. */
  isNullable?: boolean;
  description?: string;
}

const ref = (definition: string): Schema => ({ $ref: `#/definitions/${definition}` });
const list = (definition: string): Schema => ({ type: 'array', items: ref(definition) });
const file: Schema = { description: 'Path of a file, relative to the provisioning file.', type: 'string' };

const CONFIG: Schema = {
  description: 'The settings of the dispatcher. `apply` can read a value from an environment variable or a file.',
  type: 'object',
  additionalProperties: { anyOf: [{ type: ['string', 'number', 'boolean'] }, ref('reference')] },
};
const SECRET: Schema = {
  description: 'The secret that signs each request. `apply` can read it from an environment variable or a file.',
  anyOf: [{ type: 'string' }, ref('reference')],
};
const ONE_LIST: Schema = { description: 'Name of a distribution list of the project.', type: 'string' };
const texts = { subject: ref('templateText'), text: ref('templateText') };
const htmlTexts = { html: ref('templateText'), markdown: ref('templateText'), mjml: ref('templateText') };
const MESSAGES: Schema = {
  description:
    'Texts that templates share, for the filter `t`: by language, then by key. `apply` can read a language from a YAML file: `de: { file: messages/de.yaml }`.',
  type: 'object',
  additionalProperties: { type: 'object' },
};
const TRANSLATIONS: Schema = {
  description: 'The texts in other languages, by language tag such as `de` or `pt-BR`.',
  type: 'object',
  additionalProperties: ref('translation'),
};

const LOGO: Schema = {
  description:
    'The image in mails and on the pages that recipients see: PNG, JPEG or WebP, in base64. `apply` can read it from a file: `logo: { file: logo.png }`.',
  type: ['object', 'null'],
  additionalProperties: false,
  minProperties: 1,
  maxProperties: 1,
  properties: { content: { type: 'string' }, file },
};

const ENTRIES: Record<string, Entry> = {
  organization: {
    from: ['CreateOrganization', 'UpdateOrganizationSettings'],
    fields: {
      ...{ quotas: ref('quotas'), channels: list('channel'), layouts: list('fragment'), partials: list('fragment') },
      ...{ logo: LOGO, users: list('user'), projects: list('project') },
    },
  },
  quotas: { from: ['UpdateOrganizationQuotas'], description: 'What the organization may use.' },
  channel: { from: ['CreateChannel'], fields: { config: CONFIG } },
  user: {
    from: ['CreateUser', 'UpdateUserSettings'],
    fields: {
      email: ref('email'),
      locked: { type: 'boolean' },
      addresses: list('address'),
      preferences: ref('preferences'),
    },
  },
  address: { from: ['CreateAddress'] },
  project: {
    from: ['CreateProject'],
    fields: {
      messages: MESSAGES,
      channels: list('channel'),
      layouts: list('fragment'),
      partials: list('fragment'),
      categories: list('category'),
      distribution_lists: list('distributionList'),
      applications: list('application'),
    },
  },
  fragment: {
    from: ['Fragment'],
    fields: { html: ref('templateText'), text: ref('templateText'), mjml: ref('templateText') },
    required: ['slug'],
    description:
      'A layout or a partial: HTML and text in Liquid, for templates to use. Parts that are left out are removed.',
  },
  category: { from: ['CreateCategory'], description: 'A kind of message that users can choose or refuse.' },
  distributionList: {
    from: ['CreateDistributionList'],
    // Its length counts without the spaces at both ends.
    fields: { name: { type: 'string' }, members: { type: 'array', items: { anyOf: [ref('email'), ref('member')] } } },
  },
  application: {
    from: ['CreateApplication'],
    fields: { status_webhook: ref('statusWebhook'), events: list('event') },
  },
  statusWebhook: {
    from: ['PutStatusWebhook'],
    fields: { secret: SECRET },
    isNullable: true,
    description: "The URL that receives the outcomes of the application's deliveries; null removes it.",
  },
  event: { from: ['CreateEvent'], fields: { schedule: ref('schedule'), notifications: list('notification') } },
  schedule: {
    from: ['PutSchedule'],
    fields: {
      options: { type: 'object', description: 'The options of each trigger, without `send_at` and `expires_at`.' },
    },
    isNullable: true,
    description: 'Triggers the event again and again; null removes it. Left out: unchanged, and removed with --prune.',
  },
  notification: {
    from: ['CreateNotification'],
    fields: { distribution_list: ONE_LIST, templates: { ...list('template'), minItems: 1 } as Schema },
    isNullable: false,
    description:
      'A notification of an event: when to send which messages to whom. Fields that are left out are removed, except `enabled`.',
  },
  template: {
    from: ['CreateTemplate'],
    fields: { ...texts, ...htmlTexts, translations: TRANSLATIONS },
    isNullable: false,
  },
  translation: { from: ['Translation'], fields: { ...texts, ...htmlTexts }, isNullable: false },
};

/** Definitions that no body over HTTP has. */
const OTHERS: Record<string, Schema> = {
  email: { type: 'string', format: 'email-address' },
  reference: {
    type: 'object',
    additionalProperties: false,
    minProperties: 1,
    maxProperties: 1,
    properties: { env: { description: 'Name of an environment variable.', type: 'string' }, file },
  },
  templateText: {
    description: 'A Liquid template, or a file that contains it.',
    anyOf: [
      { type: 'string' },
      { type: 'object', additionalProperties: false, required: ['file'], properties: { file } },
    ],
  },
  member: {
    type: 'object',
    additionalProperties: false,
    required: ['email'],
    properties: {
      email: ref('email'),
      channel: { description: 'Slug of a channel of the project or the organization.', type: 'string' },
      active: { type: 'boolean' },
    },
  },
  preferences: {
    description: 'What the user has chosen. Merged: choices that are left out are kept, null forgets a choice.',
    type: 'object',
    additionalProperties: false,
    properties: {
      channels: {
        description: 'Everything over a channel type.',
        type: 'object',
        additionalProperties: ref('choice'),
      },
      categories: {
        description: 'By name: shop/news, or news if only one project has such a category.',
        ...ref('categoryChoices'),
      },
      events: {
        description: 'By name: shop/web/order-paid, or a shorter end of it if only one event fits.',
        ...ref('choices'),
      },
    },
  },
  categoryChoices: {
    description:
      'As of an event; frequency says how often the messages come outside the app, as far as the category allows it.',
    type: 'object',
    additionalProperties: {
      anyOf: [
        ref('choice'),
        {
          ...{ type: 'object', minProperties: 1, additionalProperties: ref('choice') },
          properties: { frequency: { enum: [AT_ONCE, ...FREQUENCIES, null] } },
        },
      ],
    },
  },
  choices: {
    description:
      'A choice for every channel type, or by channel type; all then means those without a choice of their own.',
    type: 'object',
    additionalProperties: {
      anyOf: [ref('choice'), { type: 'object', minProperties: 1, additionalProperties: ref('choice') }],
    },
  },
  choice: { enum: ['on', 'off', true, false, null] },
};

/** Generates the JSON Schema of configuration files: what HTTP accepts to create something, a file accepts too. */
export function provisioningSchema({ components }: OpenAPIObject): object {
  const schemas = components!.schemas as Record<string, Schema>;
  const definitions: Record<string, Schema> = {};
  /** The definition of a schema of the contract; adds it the first time. */
  const define = (name: string): string => {
    const definition = name.replace(/^(Create|Update)/, '').replace(/^./, (letter) => letter.toLowerCase());
    if (!ENTRIES[definition] && !definitions[definition]) {
      definitions[definition] = {};
      definitions[definition] = convert(schemas[name]!);
    }
    return definition;
  };
  const convert = (given: Schema): Schema => {
    const { example: _, ...schema } = given;
    if (schema.enum) delete schema.type; // one error for a wrong value, not two
    if (schema.$ref) return ref(define(schema.$ref.split('/').at(-1)!));
    const choices = schema.anyOf ?? schema.oneOf;
    if (choices) return convertChoices(schema, choices);
    return {
      ...schema,
      ...(schema.items && { items: convert(schema.items) }),
      ...(schema.allOf && { allOf: schema.allOf.map(convert) }),
      ...(schema.properties && { properties: mapValues(schema.properties, convert) }),
    };
  };
  /** One schema for several types, where that is possible: a validator would report the errors of every branch. */
  const convertChoices = (given: Schema, choices: Schema[]): Schema => {
    const { anyOf: _anyOf, oneOf: _oneOf, ...schema } = given;
    const flat = choices.flatMap((choice) => choice.anyOf ?? choice.oneOf ?? [choice]);
    const open = flat.map((choice) => (choice.$ref ? schemas[choice.$ref.split('/').at(-1)!]! : choice));
    if (open.some((choice) => choice.enum || !choice.type)) return { ...schema, anyOf: flat.map(convert) };
    const { description = '', ...merged } = Object.assign({}, ...open.map(convert)) as Schema;
    // Of a text or a number: the service says which forms it accepts, and a validator only the pattern.
    if (open.some(({ type }) => type === 'integer')) delete merged.pattern;
    return { ...merged, description, ...schema, type: open.flatMap((choice) => choice.type!) };
  };
  const entryOf = ({ from, fields = {}, required, isNullable, description }: Entry): Schema => {
    const bodies = from.map((name) => convert(schemas[name]!));
    const properties = Object.assign({}, ...bodies.map((body) => body.properties), fields) as Record<string, Schema>;
    const { slug, name, ...rest } = properties;
    const inOrder = { ...(slug && { slug }), ...(name && { name }), ...rest };
    return {
      ...(description !== undefined && { description }),
      type: isNullable ? ['object', 'null'] : 'object',
      additionalProperties: false,
      required: required ?? bodies.flatMap((body) => body.required ?? []),
      properties: isNullable === false ? mapValues(inOrder, withoutNull) : inOrder,
    };
  };
  const entries = mapValues(ENTRIES, entryOf);
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    $id: 'urn:carillon:provisioning',
    title: 'Carillon provisioning file',
    description: 'A field that is left out keeps its value, unless its description says otherwise.',
    type: 'object',
    additionalProperties: false,
    required: ['organizations'],
    properties: { organizations: list('organization') },
    definitions: { ...entries, ...definitions, ...OTHERS },
  };
}

/** A file leaves a field out instead. */
function withoutNull(schema: Schema): Schema {
  const types = [schema.type ?? []].flat().filter((type) => type !== 'null');
  return {
    ...schema,
    ...(schema.type && { type: types.length === 1 ? types[0] : types }),
    ...(schema.anyOf && { anyOf: schema.anyOf.filter(({ type }) => type !== 'null') }),
  };
}

const mapValues = <Value, Result>(object: Record<string, Value>, map: (value: Value) => Result) =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => [key, map(value)]));
