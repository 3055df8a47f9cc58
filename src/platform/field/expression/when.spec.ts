import { compile, search } from '@jmespath-community/jmespath';
import type { JSONValue } from '@jmespath-community/jmespath';
import { describe, expect, it } from '@jest/globals';
import { checkWhen, matches, namesIn } from './when.js';
import { evaluate } from './when-evaluate.js';
import { RuleError, StepBudget } from './when-value.js';

const order = {
  total: 120,
  discount: 0,
  currency: 'EUR',
  note: '',
  paid: true,
  customer: { name: 'Ann', tags: ['vip', 'eu'], address: null, 'post code': '1010' },
  items: [
    { sku: 'a', price: 20, count: 2, parts: [{ n: 1 }, { n: 2 }] },
    { sku: 'b', price: 80, count: 1, parts: [] },
    { sku: 'c', price: null, count: 3 },
  ],
  matrix: [[1, 2], [3], 4],
};

describe('the result of a rule', () => {
  it.each([
    ['total > `100`', true],
    ['total > `200`', false],
    ["total > `100` && currency == 'EUR'", true],
    ['discount', true],
    ['note', false],
    ['customer.address', false],
    ['missing', false],
    ['!missing', true],
    ['customer.tags', true],
    ['items[?price > `50`]', true],
    ['items[?price > `500`]', false],
    ["contains(customer.tags, 'vip')", true],
    ["contains(currency, 'U')", true],
    ['length(items) == `3`', true],
    ['sum(items[?price].price) == `100`', true],
    ['total * `2` >= `240`', true],
    ['customer."post code" == \'1010\'', true],
  ])('%s is %s', (expression, expected) => {
    expect(checkWhen(expression)).toBeNull();
    expect(matches(expression, order)).toBe(expected);
  });

  it('applies always when there is no expression', () => {
    expect(matches(null, {})).toBe(true);
  });
});

describe('our evaluation and the library agree', () => {
  it.each([
    'items[*].sku',
    'items[].parts[].n',
    'items[*].parts[*].n',
    'items[?count > `1`].sku | [0]',
    'items[-1].sku',
    'items[1:].sku',
    'items[::-1].sku',
    'items[0:10:2].sku',
    'items[-2:].sku',
    'items[5:1:-1].sku',
    'currency[::-1]',
    'customer.*',
    'customer.{who: name, where: address}',
    'customer.[name, tags[0]]',
    'matrix[]',
    'matrix[*][0]',
    'customer == $.customer',
    'matrix == `[[1,2],[3],4]`',
    'customer != `{}`',
    'note || currency',
    'paid && total',
    'paid ? currency : note',
    'total - `20` / `4`',
    'total // `7`',
    'total % `7`',
    '-total',
    'keys(customer)',
    'values(customer)[0]',
    'max(items[?price].price)',
    'min(customer.tags)',
    'avg(items[*].count)',
    "lower(currency) == 'eur'",
    'upper(customer.name)',
    "starts_with(currency, 'E')",
    "ends_with(currency, 'R')",
    'not_null(missing, note, currency)',
    'type(items)',
    "to_number('12.5')",
    'to_array(total)',
    'abs(`-3`)',
    'ceil(`1.2`)',
    'floor(`1.8`)',
    'length(currency)',
    "items[?contains(['a', 'b'], sku)].count",
    'a < b',
    '*.name',
    '@.total',
  ])('%s', (expression) => {
    const ours = evaluate(compile(expression), order, { root: order, budget: new StepBudget() });
    expect(ours).toEqual(search(order as JSONValue, expression));
  });
});

describe('the check of a rule', () => {
  it.each([
    ['total >', /not a valid JMESPath/],
    ['', /empty/],
    ['let $a = total in $a', /cannot use let/],
    ['$a', /variable/],
    ['sort_by(items, &price)', /cannot use sort_by/],
    ["pad_left('a', `1000000000`)", /cannot use pad_left/],
    ['nothing(items)', /cannot use nothing/],
    ['length()', /takes 1 argument/],
    ["starts_with('a')", /takes 2 argument/],
    ['items[?nothing(@)]', /cannot use nothing/],
    ['{a: nothing(@)}', /cannot use nothing/],
    ['(((((((', /not a valid JMESPath/],
    ['a.b.', /not a valid JMESPath/],
    ['[', /not a valid JMESPath/],
  ])('%s', (expression, problem) => {
    expect(checkWhen(expression)).toMatch(problem);
    expect(() => matches(expression, {})).toThrow(RuleError);
  });
});

it('refuses an expression of more than 1,000 characters', () => {
  expect(checkWhen('a'.repeat(1_000))).toBeNull();
  expect(checkWhen('a'.repeat(1_001))).toMatch(/longer than 1000/);
});

describe('a rule cannot', () => {
  it('reach inherited properties', () => {
    expect(matches('constructor', {})).toBe(false);
    expect(matches('__proto__', { a: 1 })).toBe(false);
    expect(matches('a.toString', { a: {} })).toBe(false);
    expect(matches('__proto__.a == `1`', JSON.parse('{"__proto__": {"a": 1}}'))).toBe(true);
  });

  it('take a context for an expression', () => {
    expect(matches('a == `{"expref": true}`', { a: { expref: true } })).toBe(true);
  });

  it.each([
    ['length(missing)', /length\(\) cannot take null/],
    ["total + 'a'", /needs numbers/],
    ['total / `0`', /zero/],
    ['items[::0]', /step/],
    ['sum(items[*].sku)', /holds string/],
  ])('fail without a reason: %s', (expression, reason) => {
    expect(checkWhen(expression)).toBeNull();
    expect(() => matches(expression, order)).toThrow(reason);
  });
});

describe('a rule cannot stall an occurrence', () => {
  const numbers = Array.from({ length: 60_000 }, (_, index) => index % 10);
  const long = 'a'.repeat(100_000);
  const middle = `${'a'.repeat(30_000)}b${'a'.repeat(30_000)}`;
  const wide = Object.fromEntries(numbers.map((_, index) => [`k${index}`, 1]));
  const repeat = (part: string, joint: string, times: number): string => Array(times).fill(part).join(joint);

  it.each([
    ['doubling lists', repeat('[@,@][]', '|', 120), { a: 1 }],
    ['doubling trees that are compared', `(${repeat('[@,@]', '|', 60)}) == (${repeat('[@,@]', '|', 60)})`, { a: 1 }],
    ['a projection repeated', `n[*]${repeat('', '|[*]', 200)}`, { n: numbers }],
    ['a list times itself', 'n[?length($.n[?@ > `100`]) > `0`]', { n: numbers }],
    ['a list times itself thrice', 'n[?$.n[?$.n[?@ > `100`]]]', { n: numbers }],
    ['nested literals', repeat('`[1,2,3,4,5,6,7,8,9]`[?', '', 30) + '@' + ']'.repeat(30), {}],
    ['a text searched for each item', 'n[?contains($.hay, $.needle)]', { n: numbers, hay: long, needle: middle }],
    ['one search, quadratic', 'contains(hay, needle)', { hay: long, needle: middle }],
    ['a text compared for each item', 'n[?$.a == $.b]', { n: numbers, a: `${long}x`, b: `${long}y` }],
    ['a text measured for each item', 'n[?length($.a) == `1`]', { n: numbers, a: long }],
    ['a text lowered for each item', 'n[?lower($.a) == `1`]', { n: numbers, a: 'Ä'.repeat(100_000) }],
    ['a prefix for each item', 'n[?!starts_with($.a, $.b)]', { n: numbers, a: `${long}x`, b: `${long}x`.slice(0) }],
    ['the truth of a wide object for each item', 'n[?!$.wide]', { n: numbers, wide }],
    ['the keys of a wide object for each item', 'n[?keys($.wide)[0] == `1`]', { n: numbers, wide }],
    ['many lists made into one', `[${repeat('n', ',', 400)}][]`, { n: numbers }],
    ['a slice for each item', 'n[?$.n[::2] == `1`]', { n: numbers }],
  ])('%s', (_name, expression, context) => {
    expect(checkWhen(expression)).toBeNull();
    // CPU time, not wall-clock time: the test machine may be busy.
    const start = process.cpuUsage().user;
    expect(() => matches(expression, context)).toThrow(/too many steps/);
    expect(process.cpuUsage().user - start).toBeLessThan(250_000);
  });

  it('still answers over thousands of items', () => {
    const items = Array.from({ length: 5_000 }, (_, index) => ({ sku: `s${index}`, price: index, tags: ['a', 'b'] }));
    expect(matches("items[?price > `4998` && contains(tags, 'b')].sku", { items })).toBe(true);
  });
});

it.each([
  ['total > `100`', ['total']],
  ["order.items[?price > `2`].name | length(@) > `1` && country == 'DE'", ['order']],
  ['$.a.b == @.c', ['a', 'c']],
  ['a[?b > $.limit].d', ['a', 'limit']],
  ['a[0].b || a[*].c || !d', ['a', 'd']],
  ["{x: e, y: f} && contains(tags, 'x') && -g > h", ['e', 'f', 'tags', 'g', 'h']],
  ['`{"type": "Field", "name": "x"}`', []],
])('%s uses the top-level names %j', (expression, names) => {
  expect(namesIn(expression)).toEqual(names);
});

it('names the backticks that a bare number needs', () => {
  expect(checkWhen('total > 100')).toMatch(/Write numbers, true, false and null in backticks: `100`\.$/);
  expect(checkWhen('total > `100`')).toBeNull();
  expect(checkWhen('total >')).not.toMatch(/backticks/);
});
