import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { checkAudience } from '../../src/rules/condition/audience-check.js';
import { consoleBundle } from '../support/console-bundle.js';

type Filter = Record<string, unknown>;
interface Line {
  field: string;
  kind: string;
  is: string;
  isNumeric: boolean;
  values: string[];
}
interface Group {
  join: string;
  lines: Line[];
}
interface Builder {
  writeAudience(rows: Group & { groups: Group[] }): Filter | null;
  readAudience(filter: Filter | null): (Group & { groups: Group[] }) | null;
}

const { writeAudience, readAudience } = consoleBundle('pages/rule/audience/group.ts') as Builder;

const text = fc.oneof(fc.constantFrom('', 'IT', '100', '%', "it's"), fc.string({ maxLength: 4 })).filter(isStored);
const number = fc.oneof(fc.constantFrom(0, -1.5, 1e21), fc.integer()).map(String);
const field = fc.constantFrom('email', 'first_name', 'address.phone', 'country', 'a.b', 'custom_fields.email');
const custom = fc.constantFrom('age', 'tags', 'custom_fields.address.x', 'custom_fields.custom_fields.x');
const is = (...all: string[]) => fc.constantFrom(...all);
const rowOf = (parts: {
  field: fc.Arbitrary<string>;
  kind: string;
  is: fc.Arbitrary<string>;
  values?: fc.Arbitrary<string[]>;
}) =>
  fc.record({
    field: parts.field,
    kind: fc.constant(parts.kind),
    is: parts.is,
    isNumeric: fc.constant(parts.kind === 'list'),
    values: parts.values ?? fc.constant([]),
  });
const one = (value: fc.Arbitrary<string>) => value.map((given) => [given]);
const many = (value: fc.Arbitrary<string>) => fc.array(value, { minLength: 1, maxLength: 3 });
const line: fc.Arbitrary<Line> = fc.oneof(
  rowOf({ field, kind: 'text', is: is('equal', 'unequal', 'has', 'lacks', 'starts', 'ends'), values: one(text) }),
  rowOf({ field, kind: 'text', is: is('one_of', 'none_of'), values: many(text) }),
  rowOf({
    field: custom,
    kind: 'number',
    is: is('equal', 'unequal', 'above', 'at_least', 'below', 'at_most'),
    values: one(number),
  }),
  rowOf({ field: custom, kind: 'number', is: is('one_of', 'none_of'), values: many(number) }),
  rowOf({ field: custom, kind: 'boolean', is: is('yes', 'no') }),
  rowOf({ field: custom, kind: 'list', is: is('has', 'lacks'), values: one(number) }),
  rowOf({ field, kind: 'any', is: is('filled', 'empty') }),
);
const join = fc.constantFrom('all', 'any', 'none');
const group = fc.record({ join, lines: fc.array(line, { minLength: 1, maxLength: 3 }) });
const rows = fc
  .record({ join, lines: fc.array(line, { maxLength: 3 }), groups: fc.array(group, { maxLength: 2 }) })
  .filter(({ lines, groups }) => lines.length + groups.length > 0)
  // A row alone is joined with nothing.
  .map((all) =>
    all.groups.length === 0 && all.lines.length === 1 && all.join === 'any' ? { ...all, join: 'all' } : all,
  );

/** What PostgreSQL can store. */
function isStored(given: string): boolean {
  return !/\0|\p{Surrogate}/u.test(given);
}

it('the service accepts what rows of an audience write, and rows are read back as they were', () => {
  fc.assert(
    fc.property(rows, (written) => {
      const filter = writeAudience(written)!;
      expect(checkAudience(filter)).toEqual([]);
      expect(readAudience(JSON.parse(JSON.stringify(filter)) as Filter)).toEqual(written);
    }),
    { numRuns: 2_000, seed: 1 },
  );
});

it('opposites and groups are filters that are also true for users without the field', () => {
  const row = (name: string, comparison: string, ...values: string[]) => ({
    ...{ field: name, kind: 'text', is: comparison, isNumeric: false, values },
  });
  const country = { field: 'custom_fields.country', is: 'IT' };
  const city = { field: 'custom_fields.city', in: ['Rome', 'Milan'] };
  expect(writeAudience({ join: 'all', lines: [row('country', 'equal', 'IT')], groups: [] })).toEqual(country);
  expect(
    writeAudience({
      ...{ join: 'all', lines: [row('country', 'unequal', 'IT')] },
      groups: [{ join: 'none', lines: [row('city', 'one_of', 'Rome', 'Milan')] }],
    }),
  ).toEqual({ all: [{ not: country }, { not: { any: [city] } }] });
  expect(writeAudience({ join: 'all', lines: [row('age', 'equal')], groups: [] })).toBeNull(); // nothing is typed
});

it('an audience that rows cannot say stays JSON', () => {
  const ops = { field: 'custom_fields.team', is: 'ops' };
  for (const filter of [
    { all: [{ any: [{ all: [ops] }] }] },
    { not: { all: [ops, ops] } },
    { not: { field: 'email', exists: true } },
    { field: 'custom_fields.x', in: ['a', 1] },
    { field: 'custom_fields.x', in: [true] },
  ])
    expect([filter, readAudience(filter)]).toEqual([filter, null]);
  expect(readAudience(null)).toEqual({ join: 'all', lines: [], groups: [] });
  expect(readAudience({ address: 'phone' })?.lines).toEqual([
    { field: 'address.phone', kind: 'any', is: 'filled', isNumeric: false, values: [] },
  ]);
});
