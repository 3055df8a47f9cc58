import type { OpenAPIObject } from '@nestjs/swagger';

type Schema = {
  $ref?: string;
  description?: string;
  type?: string | string[];
  enum?: unknown[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
} & Partial<Record<'oneOf' | 'anyOf' | 'allOf', Schema[]>>;

interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required?: boolean;
  description?: string;
  schema: Schema;
}

interface Operation {
  summary?: string;
  description?: string;
  parameters: (Parameter | { $ref: string })[];
  requestBody?: { required?: boolean; content: Record<string, { schema: Schema }> };
  responses: Record<string, { content?: Record<string, { schema: Schema }> } | { $ref: string }>;
}

/** One field of an object type. */
interface Field {
  name: string;
  type: string;
  required: boolean;
  about?: string;
}

const HEAD = `// Generated from openapi.yaml by \`npm run contract\`.
import type { StreamEvent } from './stream-event.js';
`;

/** Generates the types of the TypeScript client: one type per schema, and the input and answers of each operation. */
export function clientTypes(document: OpenAPIObject): string {
  const schemas = Object.entries(document.components!.schemas as Record<string, Schema>).map(
    ([name, schema]) => `${comment(schema.description)}export type ${name} = ${typeOf(schema)};\n`,
  );
  const paths = Object.entries(document.paths).map(([path, item]) => {
    const operations = Object.entries(item as Record<string, Operation>).map(([method, operation]) => ({
      name: method.toUpperCase(),
      type: operationType(operation, document),
      required: true,
      about: [operation.summary, operation.description].filter(Boolean).join('\n\n'),
    }));
    return { name: path, type: objectType(operations), required: true };
  });
  const about = comment('Input and answers of each operation, by path and method. Answers are listed by status.');
  return [HEAD, ...schemas, `${about}export interface Operations ${objectType(paths)}\n`].join('\n');
}

function operationType({ parameters, requestBody, responses }: Operation, document: OpenAPIObject): string {
  const all = parameters.map((parameter) => resolved(parameter, document));
  const groups = { path: 'path', query: 'query', headers: 'header' } as const;
  const fields = Object.entries(groups).flatMap(([name, place]) => {
    const some = all.filter((parameter) => parameter.in === place);
    const required = some.some((parameter) => parameter.required);
    return some.length > 0 ? [{ name, type: objectType(some.map(parameterField)), required }] : [];
  });
  const answers = Object.entries(responses).map(([name, response]) => {
    return { name, type: contentType(resolved(response, document).content), required: true };
  });
  if (requestBody) {
    fields.push({ name: 'body', type: contentType(requestBody.content), required: requestBody.required ?? false });
  }
  return objectType([...fields, { name: 'answers', type: objectType(answers), required: true }]);
}

const parameterField = ({ name, schema, required = false, description }: Parameter): Field => ({
  ...{ name, type: typeOf(schema), required, about: description },
});

function contentType(content: Record<string, { schema: Schema }> = {}): string {
  const [entry] = Object.entries(content);
  if (!entry) return 'undefined';
  const type = typeOf(entry[1].schema);
  return entry[0] === 'text/event-stream' ? `AsyncIterable<StreamEvent<${type}>>` : type;
}

function typeOf(schema: Schema): string {
  if (schema.$ref) return schema.$ref.split('/').at(-1)!;
  if (schema.enum) return anyOf(schema.enum.map(literal));
  if (schema.allOf) return schema.allOf.map((part) => `(${typeOf(part)})`).join(' & ');
  const choices = schema.oneOf ?? schema.anyOf;
  if (choices) return anyOf(choices.map(typeOf));
  if (Array.isArray(schema.type)) return anyOf(schema.type.map((type) => typeOf({ ...schema, type })));
  switch (schema.type) {
    case 'string':
    case 'boolean':
    case 'null':
      return schema.type;
    case 'integer':
    case 'number':
      return 'number';
    case 'array':
      return `${grouped(typeOf(schema.items ?? {}))}[]`;
    case 'object':
      return schema.properties ? objectType(propertyFields(schema)) : `Record<string, ${valueType(schema)}>`;
    default:
      return 'unknown';
  }
}

const propertyFields = ({ properties = {}, required = [] }: Schema): Field[] =>
  Object.entries(properties).map(([name, schema]) => ({
    ...{ name, type: typeOf(schema), required: required.includes(name), about: schema.description },
  }));

const valueType = ({ additionalProperties }: Schema): string =>
  typeof additionalProperties === 'object' ? typeOf(additionalProperties) : 'unknown';

function objectType(fields: Field[]): string {
  const lines = fields.map(({ name, type, required, about }) => {
    const key = /^\w+$/.test(name) ? name : literal(name);
    return `${comment(about)}${key}${required ? '' : '?'}: ${type};`;
  });
  const short = `{ ${lines.join(' ').replace(/;$/, '')} }`;
  return short.length <= 100 && !short.includes('\n') ? short : `{\n${lines.join('\n').replace(/^(?=.)/gm, '  ')}\n}`;
}

function comment(text?: string): string {
  if (!text) return '';
  const lines = text.replaceAll('*/', '*\\/').split('\n');
  return lines.length === 1
    ? `/** ${lines[0]} */\n`
    : `/**\n${lines.map((line) => ` * ${line}`.trimEnd()).join('\n')}\n */\n`;
}

const anyOf = (types: string[]): string => [...new Set(types)].join(' | ');
const grouped = (type: string): string => (/^[\w<>, ]+$/.test(type) ? type : `(${type})`);
const literal = (value: unknown): string =>
  typeof value === 'string' ? `'${value.replace(/['\\]/g, '\\$&')}'` : JSON.stringify(value);

function resolved<T>(value: T | { $ref: string }, document: OpenAPIObject): T {
  if (typeof value !== 'object' || value === null || !('$ref' in value)) return value;
  const [, , place, name] = value.$ref.split('/');
  return (document.components as unknown as Record<string, Record<string, T>>)[place!]![name!]!;
}
