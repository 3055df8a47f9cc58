import { expect, it } from '@jest/globals';
import { contextSchema } from './context-schema.js';
import { addUse, newField } from './field.js';
import { usesInTemplate } from './template-fields.js';

/** The schema of a text's fields, without `x-used-by`. */
function schemaOf(text: string): unknown {
  const root = newField<string>();
  for (const { uses } of usesInTemplate({ text })) for (const use of uses!) addUse(root, use, 'text');
  return JSON.parse(
    JSON.stringify(contextSchema(root))
      .replaceAll(/,?"x-used-by":\[[^\]]*\]/g, '')
      .replaceAll('{,', '{'),
  );
}

const $schema = 'https://json-schema.org/draft/2020-12/schema';
const SOMETHING = { type: ['array', 'boolean', 'number', 'object', 'string'] };

it('accepts any object when no field is used', () => {
  expect(schemaOf('Hi')).toEqual({ $schema, type: 'object' });
});

it('nests fields and items, and requires needed fields', () => {
  const text = '{{ order.total }} {{ order.note | default: "" }} {% for i in order.lines %}{{ i.sku }}{% endfor %}';
  expect(schemaOf(text)).toEqual({
    $schema,
    type: 'object',
    properties: {
      order: {
        type: 'object',
        properties: {
          lines: { type: 'array', items: { type: 'object', properties: { sku: SOMETHING }, required: ['sku'] } },
          note: {},
          total: SOMETHING,
        },
        required: ['lines', 'total'],
      },
    },
    required: ['order'],
  });
});

it('accepts null for optional fields', () => {
  expect(schemaOf('{% if a.b %}{% for c in d %}{{ c }}{% endfor %}{% endif %}')).toMatchObject({
    properties: {
      a: { type: ['object', 'null'], properties: { b: {} } },
      d: { type: ['array', 'null'], items: {} },
    },
  });
});

it('accepts an object where a template loops over pairs', () => {
  expect(schemaOf('{% for p in prices %}{{ p[0] }}: {{ p[1] }}{% endfor %}')).toMatchObject({
    properties: { prices: { type: ['array', 'object'] } },
  });
});

it('lists the users of a field', () => {
  const root = newField<string>();
  addUse(root, { path: ['a', 'b'], needed: true }, 'one');
  addUse(root, { path: ['a', 'b'], needed: false }, 'other');
  expect(contextSchema(root).properties?.a?.properties?.b).toEqual({ ...SOMETHING, 'x-used-by': ['one', 'other'] });
});
