import { describe, expect, it } from '@jest/globals';
import { consoleBundle } from '../support/console-bundle.js';

interface Table {
  delimiter: string;
  header: string[];
  rows: { line: number; cells: string[] }[];
}
interface Lines {
  readTable(text: string): Table;
  withHeader(table: Table): Table;
  columnsOf(header: string[]): (string | null)[];
  unusedIn(header: string[], columns: (string | null)[]): string[];
  suppressionLines(table: Table): { line: number; value?: object; problem?: string }[];
  columnOf(field: string, header: string[]): number | undefined;
}

const { readTable, withHeader, columnsOf, unusedIn, suppressionLines, columnOf } = consoleBundle(
  'pages/person/import/file/read-table.ts',
  'pages/suppression/import/suppression-lines.ts',
) as Lines;

const read = (text: string) =>
  suppressionLines(withHeader(readTable(text))).map(({ line, value, problem }) => ({
    line,
    ...(value ?? { problem }),
  }));

describe('the import of suppressions', () => {
  it('reads addresses without a header, with their kinds', () => {
    expect(read("ann@acme.test\n\n'+43 660 1112223\nsomebody\n")).toEqual([
      { line: 1, name: 'email', value: 'ann@acme.test' },
      { line: 3, name: 'phone', value: '+43 660 1112223' },
      { line: 4, problem: 'is neither an e-mail address nor a phone number: a column kind must say what it is' },
    ]);
    expect(read('phone,note\n12,x\n,y')).toEqual([
      { line: 2, name: 'phone', value: '12', note: 'x' },
      { line: 3, problem: 'has no address' },
    ]);
    expect(read('ann@acme.test;Asked by phone\nbob@acme.test;Hard bounce')).toEqual([
      { line: 1, name: 'email', value: 'ann@acme.test', note: 'Asked by phone' },
      { line: 2, name: 'email', value: 'bob@acme.test', cause: 'hard_bounce' },
    ]);
  });

  it('reads columns by their names, whatever their order', () => {
    const text =
      'Note,E-Mail,Kind,Cause,Project,Expires at,Team\nx,ann@acme.test,fax,stop,shop,2031-01-01T08:00:00Z,ops';
    expect(read(text)).toEqual([
      {
        ...{ line: 2, name: 'fax', value: 'ann@acme.test', cause: 'stop', note: 'x', project: 'shop' },
        expires_at: '2031-01-01T08:00:00Z',
      },
    ]);
    const { header } = readTable(text);
    expect(unusedIn([...header, 'import_line'], columnsOf([...header, 'import_line']))).toEqual(['Team']);
    expect(['value', 'note', 'project', 'evidence'].map((field) => columnOf(field, header))).toEqual([
      ...[1, 0, 4],
      undefined,
    ]);
    expect(columnOf('name', ['address', 'reason'])).toBe(0);
    expect(columnOf('cause', ['address', 'reason'])).toBe(1);
  });

  it('does not send a line twice, nor one with too many cells', () => {
    expect(read('email,reason\nann@acme.test,\nANN@acme.test,manual\nann@acme.test,complaint\na,b,c')).toEqual([
      { line: 2, name: 'email', value: 'ann@acme.test' },
      { line: 3, problem: 'is about the same address as line 2' },
      { line: 4, name: 'email', value: 'ann@acme.test', cause: 'complaint' },
      { line: 5, problem: 'has 3 cells, but the header has 2' },
    ]);
  });
});
