import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { checkWhen, compiledWhen, matches } from '../../src/platform/field/expression/when.js';
import { consoleBundle } from '../support/console-bundle.js';

interface Row {
  field: string;
  is: string;
  value?: unknown;
}
interface Condition {
  join: 'all' | 'any';
  rows: Row[];
}
interface Builder {
  writeCondition(condition: Condition): string | null;
  readCondition(node: unknown): Condition | { reason: string; name?: string };
}

const { writeCondition, readCondition } = consoleBundle(
  'pages/rule/condition/write.ts',
  'pages/rule/condition/read.ts',
) as Builder;
const read = (when: string) => readCondition(compiledWhen(when).node);

const NAMES = ['total', 'country', 'order', 'let', 'in', 'null', 'order-id', 'a b', '"', '\\', '`', "it's", 'é', '[]x'];
const TEXTS = [
  '',
  'DE',
  'Italy',
  "it's",
  '`',
  '\\',
  '\\u0060',
  '"',
  'é',
  '2026-12-01',
  '100',
  '\u0000',
  '\ud800',
  '\n',
  '{',
  '[1]',
];
const NUMBERS = [0, 1, 100, -1.5, 1e-7, 1e21, 99.99];

const text = fc.oneof(fc.constantFrom(...TEXTS), fc.string({ maxLength: 4 }));
const number = fc.oneof(fc.constantFrom(...NUMBERS), fc.integer());
const name = fc.constantFrom(...NAMES);
const path = fc.array(name, { minLength: 1, maxLength: 2 }).map((names) => names.join('.'));
const items = fc.tuple(path, path).map(([list, item]) => `${list}[].${item}`);
const oneOf = (...is: string[]) => fc.constantFrom(...is);
const row: fc.Arbitrary<Row> = fc.oneof(
  fc.record({ field: path, is: oneOf('filled', 'empty', 'yes', 'no') }),
  fc.record({ field: path, is: oneOf('equal', 'unequal'), value: fc.oneof(text, number) }),
  fc.record({ field: fc.oneof(path, items), is: oneOf('has', 'lacks'), value: fc.oneof(text, number) }),
  fc.record({ field: path, is: oneOf('above', 'at_least', 'below', 'at_most'), value: number }),
  fc.record({ field: path, is: oneOf('contains', 'starts', 'ends', 'from', 'before'), value: text }),
  fc.record({
    field: path,
    is: oneOf('one_of', 'none_of'),
    value: fc.oneof(
      ...[text, number].map((value) => fc.array(value as fc.Arbitrary<unknown>, { minLength: 1, maxLength: 3 })),
    ),
  }),
);
const condition: fc.Arbitrary<Condition> = fc
  .record({
    join: fc.constantFrom('all' as const, 'any' as const),
    rows: fc.array(row, { minLength: 1, maxLength: 4 }),
  })
  // A single row is joined with nothing.
  .map(({ join, rows }) => ({ join: rows.length === 1 ? 'all' : join, rows }));

/** Contexts that have the fields, of every type, or lack them. */
const value: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.oneof(text, number, fc.boolean(), fc.constant(null)),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(name, tie('value'), { maxKeys: 6 }),
  ),
})).value;
const context = fc.dictionary(name, value, { maxKeys: NAMES.length });

type Given = Record<string, unknown> | null;
const isObject = (given: unknown): given is Given =>
  typeof given === 'object' && given !== null && !Array.isArray(given);
const at = (given: unknown, names: string): unknown =>
  names.split('.').reduce<unknown>((found, one) => (isObject(found) ? (found![one] ?? null) : null), given);

function valuesOf(given: unknown, field: string): unknown[] {
  const [list, item] = field.split('[].') as [string, string | undefined];
  const found = at(given, list);
  if (item === undefined) return Array.isArray(found) ? (found as unknown[]) : [found];
  return Array.isArray(found) ? found.flat().map((one: unknown) => at(one, item)) : [];
}

/** What a row says, without JMESPath. */
function holds({ field, is, value: wanted }: Row, given: unknown): boolean {
  const found = at(given, field);
  const compare = (test: (number: number) => boolean) => typeof found === 'number' && test(found);
  const read = (test: (text: string) => boolean) => typeof found === 'string' && test(found);
  const isFilled =
    found !== null && found !== false && found !== '' && (typeof found !== 'object' || Object.keys(found).length > 0);
  const says: Record<string, () => boolean> = {
    filled: () => isFilled,
    empty: () => !isFilled,
    yes: () => found === true,
    no: () => found === false,
    equal: () => found === wanted,
    unequal: () => found !== wanted,
    above: () => compare((one) => one > (wanted as number)),
    at_least: () => compare((one) => one >= (wanted as number)),
    below: () => compare((one) => one < (wanted as number)),
    at_most: () => compare((one) => one <= (wanted as number)),
    contains: () => read((one) => one.includes(wanted as string)),
    starts: () => read((one) => one.startsWith(wanted as string)),
    ends: () => read((one) => one.endsWith(wanted as string)),
    from: () => read((one) => one >= (wanted as string)),
    before: () => read((one) => one < (wanted as string)),
    one_of: () => (wanted as unknown[]).includes(found),
    none_of: () => !(wanted as unknown[]).includes(found),
    has: () => valuesOf(given, field).includes(wanted),
    lacks: () => !valuesOf(given, field).includes(wanted),
  };
  return says[is]!();
}

const RUNS = { numRuns: 2_000, seed: 1 };

it('the service accepts what rows write, and rows are read back as they were', () => {
  fc.assert(
    fc.property(condition, (written) => {
      const when = writeCondition(written)!;
      expect(checkWhen(when)).toBeNull();
      expect(read(when)).toEqual(written);
    }),
    RUNS,
  );
});

it('a condition is true for a context exactly when its rows say so, also where fields are missing or of another type', () => {
  fc.assert(
    fc.property(condition, context, (written, given) => {
      const outcomes = written.rows.map((one) => holds(one, given));
      const says = written.join === 'all' ? outcomes.every(Boolean) : outcomes.some(Boolean);
      expect(matches(writeCondition(written), given)).toBe(says);
    }),
    RUNS,
  );
});

it('rows are read from what people write, and the rest stays text with a reason', () => {
  const rows: [string, Row[]][] = [
    [
      'total>`100`&&(country=="DE")'.replaceAll('"', "'"),
      [
        { field: 'total', is: 'above', value: 100 },
        { field: 'country', is: 'equal', value: 'DE' },
      ],
    ],
    ["contains(['DE', 'AT'], order.country)", [{ field: 'order.country', is: 'one_of', value: ['DE', 'AT'] }]],
    ['paid == `true`', [{ field: 'paid', is: 'yes' }]],
    ['!note', [{ field: 'note', is: 'empty' }]],
  ];
  for (const [when, expected] of rows) expect([when, read(when)]).toEqual([when, { join: 'all', rows: expected }]);
  const unread: [string, string][] = [
    ['a && (b || c)', 'mixed'],
    ['a || b && c', 'mixed'],
    ["contains(tags, 'vip')", 'unguarded'],
    ["!starts_with(name, 'A')", 'unguarded'],
    ['length(items) > `3`', 'other'],
    ['length(items)', 'function'],
    ['total > limit', 'other'],
    ['paid != `true`', 'other'],
    ['total == `null`', 'other'],
    ['items[0]', 'other'],
    ['items[?price > `5`]', 'other'],
    ['!order.paid', 'other'], // the field paid of !order
    ['"a.b"', 'other'], // not the field b of a
    ['contains(`[1, "a"]`, total)', 'function'],
    ["type(a) == 'string' && contains(b, 'x')", 'other'],
  ];
  for (const [when, reason] of unread) expect([when, read(when)]).toEqual([when, expect.objectContaining({ reason })]);
  expect(writeCondition({ join: 'any', rows: [] })).toBeNull();
});
