import { expect, it } from '@jest/globals';
import type { OpenAPIObject } from '@nestjs/swagger';
import { clientTypes } from './client-types.js';

const typesOf = (schemas: object, paths: object = {}, parts: object = {}) =>
  clientTypes({ paths, components: { schemas, ...parts } } as unknown as OpenAPIObject);

it.each([
  [{ type: ['integer', 'null'] }, 'number | null'],
  [{ enum: ["it's", 'b', null], type: ['string', 'null'] }, `'it\\'s' | 'b' | null`],
  [{ type: 'array', items: { type: ['string', 'null'] } }, '(string | null)[]'],
  [{ type: 'array', items: {} }, 'unknown[]'],
  [{ type: 'object', additionalProperties: true }, 'Record<string, unknown>'],
  [{ type: 'object', additionalProperties: { type: 'integer' } }, 'Record<string, number>'],
  [{ anyOf: [{ $ref: '#/components/schemas/B' }, { type: 'null' }] }, 'B | null'],
  [
    { allOf: [{ $ref: '#/components/schemas/B' }, { oneOf: [{ type: 'string' }, { type: 'null' }] }] },
    '(B) & (string | null)',
  ],
  [{ type: 'object', properties: { 'a-b': { type: 'string' } }, required: ['a-b'] }, `{ 'a-b': string }`],
  [{ type: 'object', properties: { a: { type: 'boolean' } } }, '{ a?: boolean }'],
])('writes %j', (schema, type) => {
  expect(typesOf({ A: schema })).toContain(`export type A = ${type};\n`);
});

it('keeps the description of a field, and escapes the end of a comment in it', () => {
  const a = { type: 'string', description: 'One.\n\nTwo */ three.' };
  const text = '  /**\n   * One.\n   *\n   * Two *\\/ three.\n   */\n  a?: string;\n';
  expect(typesOf({ A: { type: 'object', properties: { a } } })).toContain(text);
});

it('writes the input and the answers of an operation', () => {
  const of = (type: string, schema: object) => ({ content: { [type]: { schema } } });
  const get = {
    summary: 'Read.',
    parameters: [{ $ref: '#/components/parameters/org' }, { name: 'limit', in: 'query', schema: { type: 'integer' } }],
    requestBody: of('application/json', { type: 'string' }),
    responses: {
      200: of('text/event-stream', { type: 'string' }),
      204: {},
      404: { $ref: '#/components/responses/No' },
    },
  };
  const parts = {
    parameters: { org: { name: 'org', in: 'path', required: true, schema: { type: 'string' } } },
    responses: { No: of('application/problem+json', { $ref: '#/components/schemas/Problem' }) },
  };
  expect(typesOf({}, { '/o/{org}/': { get } }, parts)).toContain(`export interface Operations {
  '/o/{org}/': {
    /** Read. */
    GET: {
      path: { org: string };
      query?: { limit?: number };
      body?: string;
      answers: { 200: AsyncIterable<StreamEvent<string>>; 204: undefined; 404: Problem };
    };
  };
}
`);
});
