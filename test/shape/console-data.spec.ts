import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { consoleBundle } from '../support/console-bundle.js';

type Data = Record<string, unknown>;
type Path = (string | number)[];
interface Row {
  path: Path;
  kind?: string;
  value?: unknown;
  isKnown?: boolean;
  blank?: unknown;
}
interface Form {
  rowsOf(data: Data, names: string[]): Row[];
  withNames(data: Data, names: string[]): Data;
  withValue(data: Data, path: Path, value: unknown): Data;
  filledIn(data: Data): Data;
  nameOf(path: Path): string;
  namesIn(source: string): string[];
}

const { rowsOf, withNames, withValue, filledIn, nameOf, namesIn } = consoleBundle(
  'pages/event/data/data.ts',
  'pages/rule/draft-names.ts',
) as Form;

const NAMES = ['incident', 'order.id', 'order.lines[].sku', 'tags[]'];
const DATA = { incident: 'INC-42', order: { lines: [{ sku: 'a', count: 2 }] }, paid: true };

describe('the form of the data of a trigger', () => {
  it('has a field for each value, known or not, and a button for each list', () => {
    expect(rowsOf(DATA, NAMES).map(({ path, kind, value, isKnown }) => [nameOf(path), kind, value, isKnown])).toEqual([
      ['incident', 'text', 'INC-42', true],
      ['order.id', 'text', undefined, true],
      ['order.lines 1 sku', 'text', 'a', true],
      ['order.lines 1 count', 'number', 2, false],
      ['order.lines', undefined, undefined, undefined],
      ['tags', undefined, undefined, undefined],
      ['paid', 'yesNo', true, false],
    ]);
  });

  it('gives a new entry of a list the fields of the others', () => {
    const blank = (data: Data) => rowsOf(data, NAMES).find(({ path }) => nameOf(path) === 'order.lines')?.blank;
    expect(blank({})).toEqual({ sku: '…' });
    expect(rowsOf({ rows: [{ a: 1, b: [2] }] }, []).at(-1)?.blank).toEqual({ a: '…', b: [] });
  });

  it('writes what is typed where it belongs, and leaves all else as it is', () => {
    const names = fc.constantFrom('a', 'b', 'c');
    const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
      tree: fc.oneof(
        { maxDepth: 3 },
        fc.integer(),
        fc.dictionary(names, tie('tree'), { maxKeys: 3, noNullPrototype: true }),
        fc.array(tie('tree'), { maxLength: 3 }),
      ),
    }));
    const data = fc.dictionary(names, tree, { maxKeys: 3, noNullPrototype: true });
    fc.assert(
      fc.property(data, (before) => {
        for (const { path, value } of rowsOf(before, []).filter((row) => !('blank' in row))) {
          expect(withValue(before, path, value)).toEqual(before);
          const after = withValue(before, path, 'typed');
          expect(rowsOf(after, []).map(nameAndValue)).toEqual(
            rowsOf(before, []).map((row) => (same(row.path, path) ? [nameOf(path), 'typed'] : nameAndValue(row))),
          );
        }
      }),
    );
  });

  it('takes a field or an entry out again', () => {
    expect(withValue(DATA, ['paid'], undefined)).toEqual({ incident: DATA.incident, order: DATA.order });
    expect(withValue({ tags: ['a', 'b'] }, ['tags', 0], undefined)).toEqual({ tags: ['b'] });
  });

  it('shows a sample of each field, of which a trigger sends nothing that was not filled in', () => {
    const sample = withNames({}, NAMES);
    expect(sample).toEqual({ incident: '…', order: { id: '…', lines: [{ sku: '…' }] }, tags: ['…'] });
    expect(withNames(DATA, NAMES)).toMatchObject(DATA);
    expect(filledIn(sample)).toEqual({});
    expect(filledIn({ ...sample, incident: 'INC-42', empty: [], none: {} })).toEqual({
      incident: 'INC-42',
      empty: [],
      none: {},
    });
  });
});

describe('the fields that edits of a template use', () => {
  it.each([
    ['{{ what }} is down: {{ incident.id | upcase | default: "x", other: 1 }}', ['what', 'incident.id']],
    ['{% if total > 100 and user.first_name %}{{ acknowledge_url }}{% endif %}', ['total']],
    [
      '{% for line in order.lines %}{{ line.sku }}{{ forloop.index }}{% endfor %}',
      ['order.lines[]', 'order.lines[].sku'],
    ],
    ['{% for a in as %}{% for b in a.bs %}{{ b.c }}{% endfor %}{% endfor %}', ['as[]', 'as[].bs[]', 'as[].bs[].c']],
    ['{% assign name = customer.name %}{{ name }} {{ "quoted word" }}', ['customer.name']],
    ['no fields', []],
  ])('%s', (source, names) => {
    expect(namesIn(source)).toEqual(names);
  });
});

const nameAndValue = ({ path, value }: Row) => [nameOf(path), value];
const same = (a: Path, b: Path) => JSON.stringify(a) === JSON.stringify(b);
