import { expect, it } from '@jest/globals';
import { contextSchema } from '../../../rules/template/context-schema.js';
import { addUse, newField } from '../../../rules/template/field.js';
import { SOME } from './use.js';
import { usesInWhen } from './when.js';

it.each<[expression: string, names: string[]]>([
  ["total > `100` && country == 'DE'", ['total', 'country?']],
  ["country == 'DE' || vip", ['country', 'vip?']],
  ['vip', ['vip?']],
  ['!vip', ['vip?']],
  ['!(total > `1`)', ['total']],
  ['order.total > order.limit', ['order.total', 'order.limit']],
  ['coupon == `null`', ['coupon?']],
  ["contains(tags, 'a')", ['tags']],
  ['contains(`["a"]`, tag)', ['tag?']],
  ["not_null(a, b) == 'x'", ['a?', 'b?']],
  ['length(items) > `1`', ['items']],
  ['items[0].price > `1`', ['items[].price']],
  ['items[?price > `1`]', ['items[].price?', 'items[]?']],
  ['length(items[?price > limit].name) > `1`', ['items[].price?', 'items[].limit?', 'items[].name']],
  ['items[?price > $.limit]', ['items[].price?', 'limit?', 'items[]?']],
  ['items[*].price | length(@) > `1`', ['items[].price']],
  ['items[].tags[]', ['items[].tags[]?']],
  ['prices.* | length(@) > `1`', ['prices']],
  ["(a && b) == 'x'", ['a?', 'b?']],
  ['a ? b : c', ['a?', 'b?', 'c?']],
  ['a + b > -c', ['a', 'b', 'c']],
  ['[a, b] | length(@) > `1`', ['a?', 'b?']],
  ['{ x: a } | x', ['a?']],
  ['@', []],
  ['`1`', []],
])('%s uses %j', (expression, names) => {
  const found = usesInWhen(expression).map(
    ({ path, needed }) =>
      path.map((step, i) => (step === SOME ? '[]' : `${i > 0 ? '.' : ''}${String(step)}`)).join('') +
      (needed ? '' : '?'),
  );
  expect(found.sort()).toEqual([...names].sort());
});

it('needs a list that it searches, but no fields of its items', () => {
  const root = newField<string>();
  for (const use of usesInWhen('items[0].price > `1`')) addUse(root, use, 'when');
  expect(contextSchema(root)).toMatchObject({
    required: ['items'],
    properties: { items: { type: 'array', items: { type: ['object', 'null'], properties: { price: {} } } } },
  });
});
