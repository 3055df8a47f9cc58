import { describe, expect, it } from '@jest/globals';
import { csvLine } from '../../src/rules/user-file/csv-line.js';
import { USER_HEADER, userCells } from '../../src/rules/user-file/user-cells.js';
import { consoleBundle } from '../support/console-bundle.js';

interface Row {
  line: number;
  cells: string[];
}
interface Table {
  delimiter: string;
  header: string[];
  rows: Row[];
}
interface List {
  project: string;
  name: string;
}
interface Files {
  decode(bytes: Uint8Array): string;
  readTable(text: string, delimiter?: string): Table | { problem: string };
  guessColumns(header: string[]): string[];
  faultsOf(targets: string[]): (string | null)[];
  uploadLines(rows: Row[], targets: string[], lists: List[], everybody: List | null): object[];
  columnOf(field: string, targets: string[], cells: string[]): number | undefined;
  repeatsIn(lines: object[]): number;
  refusedCsv(table: Table, refused: object[], reasonOf: () => string): string;
}

const folder = 'pages/person/import/file/';
const { decode, readTable, guessColumns, faultsOf, uploadLines, columnOf, repeatsIn, refusedCsv } = consoleBundle(
  ...['decode.ts', 'read-table.ts', 'file-columns.ts', 'refused-csv.ts'].map((file) => folder + file),
) as Files;

const tableOf = (text: string) => readTable(text) as Table;

describe('the import of the console', () => {
  it.each([
    ['UTF-8', Buffer.from('Zoë')],
    ['UTF-16 with a mark', Buffer.from('\ufeffZoë', 'utf16le')],
    ['UTF-16 without a mark', Buffer.from('Zoë', 'utf16le')],
    ['UTF-16, big end first', Buffer.from('\ufeffZoë', 'utf16le').swap16()],
    ['Windows-1252', Buffer.from('Zoë', 'latin1')],
  ])('reads a file in %s', (_name, bytes) => {
    expect(decode(bytes).replace('\ufeff', '')).toBe('Zoë');
  });

  it('finds the separator in the header, and counts lines as an editor does', () => {
    const text = '\ufeff"E-Mail";"Ort, Land"\r\n\r\nann@acme.test;"Wien,\nAT"\r\nbob@acme.test;Rom\r\n';
    expect(readTable(text)).toEqual({
      delimiter: ';',
      header: ['E-Mail', 'Ort, Land'],
      rows: [
        { line: 4, cells: ['ann@acme.test', 'Wien,\nAT'] },
        { line: 5, cells: ['bob@acme.test', 'Rom'] },
      ],
    });
    expect(tableOf('email\tname\n').delimiter).toBe('\t');
    expect(tableOf('email\n').delimiter).toBe(',');
    expect(readTable('email\n"a')).toEqual({ problem: expect.stringContaining('Quote') });
  });

  it('guesses what the columns are from their names', () => {
    const header = [
      'E-Mail-Adresse',
      'Vorname',
      'Surname',
      'Time zone',
      'Language',
      'Mobile',
      'Team',
      'custom_fields.n',
    ];
    expect(guessColumns(header)).toEqual([
      ...['email', 'first_name', 'last_name', 'time_zone', 'locale', 'address.phone', 'custom_fields.Team'],
      'custom_fields.n',
    ]);
    expect(guessColumns(['mail', 'Name', 'e-mail', '', 'import_line'])).toEqual(['email', 'first_name', '', '', '']);
  });

  it('says what is wrong with the choice of columns', () => {
    const targets = ['email', 'email', 'custom_fields.', 'custom_fields', 'custom_fields.a', '', ''];
    expect(faultsOf(targets)).toEqual([null, 'twice', 'nameless', 'parts', null, null, null]);
  });

  it('makes the lines that carillon import would make, and adds users to lists', () => {
    const { header, rows } = tableOf(
      'email,locked,phone,notes,lists,team\nann@acme.test,TRUE,\'+43 660 1,x,"Staff; shop/Night",ops\nbob@acme.test,maybe\nc@acme.test,,,,,,9\nd@acme.test,,,,Crew,\n',
    );
    const targets = ['email', 'locked', 'address.phone', '', 'list', 'custom_fields.team'];
    expect(header).toHaveLength(targets.length);
    const lists = [
      { project: 'shop', name: 'Staff' },
      { project: 'shop', name: 'Night' },
    ];
    const night = { project: 'shop', distribution_list: 'Night' };
    expect(uploadLines(rows, targets, lists, lists[1]!)).toMatchObject([
      {
        line: 2,
        value: {
          ...{ email: 'ann@acme.test', locked: true, custom_fields: { team: 'ops' } },
          addresses: [{ name: 'phone', value: '+43 660 1' }],
          memberships: [{ project: 'shop', distribution_list: 'Staff' }, night],
        },
      },
      { line: 3, problem: 'locked must be true or false' },
      { line: 4, problem: 'has 7 cells, but the header has 6' },
      { line: 5, value: { memberships: [{ project: '', distribution_list: 'Crew' }, night] } },
    ]);
    expect(uploadLines(rows.slice(0, 1), ['email', '', '', '', '', ''], lists, null)).toEqual([
      { ...rows[0], value: { email: 'ann@acme.test' } },
    ]);
  });

  it('names the column of the file that a mistake is in', () => {
    const targets = ['email', 'address.phone', 'address.fax', 'list', 'custom_fields.team'];
    const at = (field: string) => columnOf(field, targets, ['ann@acme.test', '', '12', 'Staff', 'ops']);
    expect([at('email'), at('addresses[0].value'), at('memberships[0].distribution_list'), at('time_zone')]).toEqual([
      ...[0, 2, 3],
      undefined,
    ]);
  });

  it('counts the users who come more than once', () => {
    const of = (email: string) => ({ value: { email } });
    expect(repeatsIn([of('a@b.c'), of('A@b.c'), { problem: 'no' }, of('d@b.c')])).toBe(1);
  });

  it('writes the refused lines so that they can be corrected and imported again', () => {
    const table = tableOf("email;n\nann;'=1\n");
    const csv = refusedCsv(table, [{ row: table.rows[0] }], () => 'email: is "wrong"');
    expect(csv).toBe('\ufeffemail;n;import_line;import_error\r\nann;\'=1;2;"email: is ""wrong"""\r\n');
    expect(guessColumns(tableOf(csv).header)).toEqual(['email', 'custom_fields.n', '', '']);
  });

  it('reads what an export has written as the same users, also where a spreadsheet would see a formula', () => {
    const users = [
      {
        ...{ email: '+ann@acme.test', first_name: '=SUM(1;2)', last_name: '\'-Lee, "A"\nJr', locked: true },
        custom_fields: { n: 3, tags: ['a', '@b'], deep: { yes: true } },
        addresses: [{ name: 'phone', value: '+390655512345' }],
        ...{ time_zone: 'Europe/Rome', locale: 'it-IT' },
        quiet_hours: [{ days: ['sat'], from: '22:00', to: '08:00' }],
      },
      { email: 'bob@acme.test', first_name: ' @Bob', quiet_hours: [] },
    ];
    const csv = [USER_HEADER, ...users.map(userCells)].map((cells) => csvLine(cells)).join('');
    // No cell begins as a formula does.
    expect(csv).not.toMatch(/(^|,)"?[=+\-@]/m);
    const { header, rows } = tableOf(csv);
    expect(header).toEqual([...USER_HEADER]);
    expect(guessColumns(header)).toEqual(header);
    expect(uploadLines(rows, header, [], null)).toEqual(rows.map((row, i) => ({ ...row, value: users[i] })));
  });
});
