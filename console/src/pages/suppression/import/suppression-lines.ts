import type { Input } from '@carillon/client';
import { originalText } from '@carillon/user-file/formula';
import { ADDED } from '../../person/import/file/file-columns';
import type { TableRow, UserTable } from '../../person/import/file/read-table';

type Suppression = Input<'POST', '/api/o/{org}/suppressions/'>['body'];

/** A line as the service takes it, or why it is not sent. */
export type SuppressionLine = TableRow & ({ value: Suppression } | { problem: string });

const MAIL = ['email', 'emailaddress', 'mail', 'emailadresse'];
const PHONE = ['phone', 'phonenumber', 'telefon'];

/** What a column is, by what files call it, in letters alone. */
const HEADERS = {
  value: ['address', 'adresse', 'value', 'wert', ...MAIL, ...PHONE],
  name: ['kind', 'art', 'channel', 'kanal'],
  cause: ['cause'],
  // A cause, or words.
  reason: ['reason', 'grund', 'ursache'],
  note: ['note', 'notiz', 'comment', 'kommentar', 'bemerkung'],
  project: ['project', 'projekt'],
  expires_at: ['expiresat', 'expires', 'ends', 'endet'],
} as const;
type Field = keyof typeof HEADERS;

const CAUSES: readonly string[] = ['hard_bounce', 'complaint', 'stop', 'manual'];

const isMail = (cell: string) => /^[^\s@]+@[^\s@]+$/.test(cell);
const isPhone = (cell: string) => /^\+?[\d\s().\-/]{7,}$/.test(cell);
const isAddress = (cell: string) => isMail(cell) || isPhone(cell);

/** What is pasted is often a list of addresses alone: then the first line is none that names columns. */
export function withHeader(table: UserTable): UserTable {
  const cells = table.header.map(originalText);
  const address = cells.findIndex(isAddress);
  if (address === -1) return table;
  return {
    ...table,
    header: cells.map((_, i) => (i === address ? 'address' : i === address + 1 ? 'reason' : '')),
    rows: [{ line: 1, cells: table.header }, ...table.rows],
  };
}

const lettersOf = (name: string) => name.toLowerCase().replaceAll(/[^\p{L}]/gu, '');

/** What each column is; null: it is not used. */
export function columnsOf(header: readonly string[]): (Field | null)[] {
  const found: (Field | null)[] = [];
  for (const name of header) {
    const [field] =
      Object.entries(HEADERS).find(([, names]) => (names as readonly string[]).includes(lettersOf(name))) ?? [];
    found.push(field === undefined || found.includes(field as Field) ? null : (field as Field));
  }
  return found;
}

/** The names of columns that are not used. */
export const unusedIn = (header: readonly string[], columns: readonly (Field | null)[]) =>
  header.filter((name, i) => columns[i] === null && name !== '' && !Object.values(ADDED).includes(name));

/** The suppressions that lines describe. */
export function suppressionLines({ header, rows }: UserTable): SuppressionLine[] {
  const columns = columnsOf(header);
  const kind = kindIn(header[columns.indexOf('value')] ?? '');
  const lines = new Map<string, number>();
  return rows.map((row) => {
    if (row.cells.length > header.length)
      return { ...row, problem: `has ${row.cells.length} cells, but the header has ${header.length}` };
    const cells = row.cells.flatMap((cell, i) => (columns[i] ? [[columns[i], originalText(cell)] as const] : []));
    const value = suppressionIn(Object.fromEntries(cells), kind);
    if (value.value === '') return { ...row, problem: 'has no address' };
    if (value.name === '') return { ...row, problem: NO_KIND };
    const key = JSON.stringify([value.name, value.value.toLowerCase(), value.project, value.cause ?? 'manual']);
    const earlier = lines.get(key);
    if (earlier !== undefined) return { ...row, problem: `is about the same address as line ${earlier}` };
    lines.set(key, row.line);
    return { ...row, value };
  });
}

const NO_KIND = 'is neither an e-mail address nor a phone number: a column kind must say what it is';

/** What the name of the column says about addresses whose form says nothing. */
const kindIn = (name: string) =>
  MAIL.includes(lettersOf(name)) ? 'email' : PHONE.includes(lettersOf(name)) ? 'phone' : '';

/** Whether it is right is left to the service, which says so. */
function suppressionIn(
  { value = '', name, cause, reason = '', note, project, expires_at }: Partial<Record<Field, string>>,
  kind: string,
) {
  const isCause = CAUSES.includes(causeOf(reason));
  return {
    value,
    name: name || (isMail(value) ? 'email' : isPhone(value) ? 'phone' : kind),
    ...(cause ? { cause: causeOf(cause) } : isCause ? { cause: causeOf(reason) } : {}),
    ...(note ? { note } : reason && !isCause ? { note: reason } : {}),
    ...(project && { project }),
    ...(expires_at && { expires_at }),
  } as Suppression;
}

/** `Hard bounce` is `hard_bounce`. */
const causeOf = (cell: string) => cell.toLowerCase().replaceAll(/[\s-]+/g, '_');

/** The column that a field of the request comes from; undefined: of none. */
export function columnOf(field: string, header: readonly string[]): number | undefined {
  const columns = columnsOf(header);
  const found = [field, ...(field === 'cause' || field === 'note' ? ['reason'] : [])].map((name) =>
    columns.indexOf(name as Field),
  );
  return found.find((column) => column !== -1) ?? (field === 'name' ? columnOf('value', header) : undefined);
}
