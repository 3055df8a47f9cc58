import { Ajv2020 } from 'ajv/dist/2020.js';

const ID = 'contract';
const METHODS = ['get', 'put', 'post', 'patch', 'delete'];

/**
 * @typedef {object} Parameter
 * @property {string} name
 * @property {any} schema
 * @property {boolean} required
 * @property {(text: string) => boolean} accepts
 */
/**
 * @typedef {object} Operation
 * @property {string} id
 * @property {string} method
 * @property {string} path as in the contract, with `{names}`
 * @property {string[]} names of the path
 * @property {Parameter[]} query
 * @property {Parameter[]} headers
 * @property {{ required: boolean, schema: any, examples: unknown[], accepts: (value: unknown) => boolean } | null} body
 * @property {boolean} isPublic
 * @property {boolean} isStream
 * @property {boolean} isLines whether it answers NDJSON
 * @property {Map<number, { types: Map<string, (value: unknown) => string | null>, headers: string[] }>} answers
 */

/**
 * The operations of a contract, each with compiled checks of its bodies and answers.
 * @param {any} document a parsed openapi.yaml
 * @returns {Operation[]}
 */
export function readContract(document) {
  const requests = compiler(document);
  // The published schemas of answers are open, so that fields can be added. A field that they do not name is a mismatch here.
  const closed = JSON.parse(JSON.stringify(document), close);
  const answers = compiler(closed);
  const resolve = (value) =>
    value?.$ref
      ? value.$ref
          .split('/')
          .slice(1)
          .reduce((node, step) => node[step], document)
      : value;
  const resolveClosed = (value) =>
    value?.$ref
      ? value.$ref
          .split('/')
          .slice(1)
          .reduce((node, step) => node[step], closed)
      : value;
  return Object.entries(document.paths).flatMap(([path, item]) =>
    METHODS.filter((method) => item[method]).map((method) => {
      const operation = item[method];
      const parameters = (operation.parameters ?? []).map(resolve);
      const of = (place) =>
        parameters
          .filter((each) => each.in === place)
          .map(({ name, schema, required = false }) => ({
            name,
            schema,
            required,
            accepts: textCheck(requests(schema), schema),
          }));
      const responses = Object.entries(closed.paths[path][method].responses).map(([status, each]) => [
        status,
        resolveClosed(each),
      ]);
      return {
        id: operation.operationId,
        method: method.toUpperCase(),
        path,
        names: [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name),
        query: of('query'),
        headers: of('header'),
        body: bodyOf(resolve(operation.requestBody), requests),
        isPublic: operation.security?.length === 0,
        isStream: 'text/event-stream' in (operation.responses['200']?.content ?? {}),
        isLines: 'application/x-ndjson' in (operation.responses['200']?.content ?? {}),
        answers: new Map(responses.map(([status, response]) => [Number(status), answerOf(response, answers)])),
      };
    }),
  );
}

function compiler(document) {
  const ajv = new Ajv2020({ strict: false, validateFormats: true, allErrors: false });
  ajv.addFormat('date-time', (text) => /^\d{4}-\d\d-\d\dT\d\d:\d\d/i.test(text) && !Number.isNaN(Date.parse(text)));
  ajv.addFormat('uuid', /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i);
  ajv.addFormat('email', /^\S+@\S+$/);
  const absolute = (schema) => JSON.parse(JSON.stringify(schema).replaceAll('"#/components/', `"${ID}#/components/`));
  ajv.addSchema({ $id: ID, components: absolute(document.components) });
  return (schema) => {
    const validate = ajv.compile(absolute(schema));
    return (value) => (validate(value) ? null : ajv.errorsText(validate.errors));
  };
}

function close(_key, value) {
  const isOpen = value?.type === 'object' && value.properties && value.additionalProperties === undefined;
  return isOpen ? { ...value, additionalProperties: false } : value;
}

function bodyOf(body, compile) {
  const content = body?.content?.['application/json'];
  if (!content) return null;
  const validate = compile(content.schema);
  const examples = Object.values(content.examples ?? {}).map(({ value }) => value);
  return {
    required: body.required === true,
    schema: content.schema,
    examples,
    accepts: (value) => validate(value) === null,
  };
}

function answerOf({ content = {}, headers = {} }, compile) {
  return {
    types: new Map(Object.entries(content).map(([type, { schema }]) => [type, compile(schema)])),
    headers: Object.keys(headers),
  };
}

/** A query parameter or header is text: `7` is an integer there. */
function textCheck(validate, schema) {
  if (schema.type === 'integer')
    return (text) => /^-?\d+$/.test(text) && Number.isSafeInteger(Number(text)) && validate(Number(text)) === null;
  return (text) => validate(text) === null;
}
