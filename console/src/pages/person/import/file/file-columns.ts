import { inParts, readRecord } from '@carillon/user-file/columns';
import type { Columns } from '@carillon/user-file/columns';
import { USER_COLUMNS } from '@carillon/user-file/user-columns';
import type { TableRow } from './read-table';

/**
 * What the cells of a column become: a column of `carillon import`, such as `email` or `custom_fields.team`; `list`: names of distribution
 * lists; empty: nothing.
 */
export type Target = string;

const COLUMNS: Columns = {
  fields: { ...USER_COLUMNS.fields, list: (cell) => cell, '': () => undefined },
  nested: USER_COLUMNS.nested,
};

/** The fields that a whole column can become, in the order of the choice. */
export const FIELDS = ['email', 'first_name', 'last_name', 'locale', 'time_zone', 'locked', 'list'] as const;
/** Fields whose cells are JSON, as an export writes them. */
export const JSON_FIELDS = ['custom_fields', 'addresses', 'quiet_hours'] as const;
/** The beginning of a column that sets one custom field, or adds one address. */
export const NAMED = ['custom_fields.', 'address.'] as const;

/** What files call these columns, in letters alone. */
const HEADERS: Record<string, readonly string[]> = {
  email: ['email', 'mail', 'emailaddress', 'mailaddress', 'emailadresse', 'mailadresse', 'username', 'benutzername'],
  first_name: ['firstname', 'givenname', 'forename', 'vorname'],
  last_name: ['lastname', 'surname', 'familyname', 'nachname', 'familienname', 'zuname'],
  locale: ['locale', 'language', 'lang', 'sprache'],
  time_zone: ['timezone', 'tz', 'zeitzone'],
  locked: ['locked', 'gesperrt'],
  list: ['list', 'lists', 'distributionlist', 'distributionlists', 'liste', 'listen', 'verteiler'],
  'address.phone': [
    'phone',
    'phonenumber',
    'mobile',
    'mobilephone',
    'cell',
    'telefon',
    'telefonnummer',
    'handy',
    'mobil',
  ],
};
const WHOLE_NAMES = ['name', 'fullname', 'displayname'];

/** Columns that the console adds to the lines that were refused: a corrected file can be imported as it is. */
export const ADDED = { line: 'import_line', reason: 'import_error' };

/** What the columns of a file probably are. */
export function guessColumns(header: readonly string[]): Target[] {
  const targets: Target[] = [];
  for (const name of header) {
    const target = guessColumn(name.trim());
    targets.push(targets.includes(target) ? '' : target);
  }
  if (targets.includes('first_name') || targets.includes('last_name')) return targets;
  const whole = header.findIndex((name) => WHOLE_NAMES.includes(lettersOf(name)));
  return whole === -1 ? targets : targets.with(whole, 'first_name');
}

function guessColumn(name: string): Target {
  if (name === '' || Object.values(ADDED).includes(name)) return '';
  if (Object.hasOwn(COLUMNS.fields, name) || NAMED.some((prefix) => name.startsWith(prefix))) return name;
  const found = Object.entries(HEADERS).find(([, names]) => names.includes(lettersOf(name)));
  return found?.[0] ?? `custom_fields.${name}`;
}

const lettersOf = (name: string) => name.toLowerCase().replaceAll(/[^\p{L}]/gu, '');

export type ColumnFault = 'twice' | 'nameless' | 'parts';

/** What is wrong with each column; null: nothing. */
export function faultsOf(targets: readonly Target[]): (ColumnFault | null)[] {
  const both = inParts(targets.filter((target) => target !== ''));
  return targets.map((target, i) => {
    if (target === '') return null;
    if (NAMED.some((prefix) => target.trim() === prefix)) return 'nameless';
    if (targets.indexOf(target) < i) return 'twice';
    return both.includes(target) ? 'parts' : null;
  });
}

/** A list of a project. */
export interface ListName {
  project: string;
  name: string;
}

/** A line of the file as the service takes it, or why it cannot be read. */
export type UploadLine = TableRow & ({ value: Record<string, unknown> } | { problem: string });

/** What the lines of a file describe. `everybody`: a list that all users are added to. */
export function uploadLines(
  rows: readonly TableRow[],
  targets: readonly Target[],
  lists: readonly ListName[],
  everybody: ListName | null,
): UploadLine[] {
  return rows.map((row) => {
    const read = readRecord(targets, row.cells, COLUMNS);
    if ('problem' in read) return { ...row, ...read };
    const { list, ...value } = read.value;
    if (typeof list !== 'string' && !everybody) return { ...row, value };
    const names = typeof list === 'string' ? listsIn(list, lists) : [];
    const memberships = withoutTwins([...names, ...(everybody ? [everybody] : [])]);
    return {
      ...row,
      value: { ...value, memberships: memberships.map(({ project, name }) => ({ project, distribution_list: name })) },
    };
  });
}

/** A cell names lists as `Staff` or `shop/Staff`. The service refuses those that are not there. */
function listsIn(cell: string, lists: readonly ListName[]): ListName[] {
  const named = (name: string) => {
    const wanted = name.trim().toLowerCase();
    const found = lists.filter(
      (list) => list.name.toLowerCase() === wanted || `${list.project}/${list.name}`.toLowerCase() === wanted,
    );
    return found.length === 1 ? found : null;
  };
  const whole = named(cell);
  if (whole) return whole;
  const parts = cell.split(/[;,|\n]/).filter((part) => part.trim() !== '');
  return parts.flatMap((part) => named(part) ?? [splitName(part.trim())]);
}

function splitName(name: string): ListName {
  const slash = name.indexOf('/');
  return slash === -1 ? { project: '', name } : { project: name.slice(0, slash), name: name.slice(slash + 1) };
}

const withoutTwins = (names: ListName[]) =>
  names.filter(
    ({ project, name }, i) =>
      names.findIndex((other) => other.project === project && other.name.toLowerCase() === name.toLowerCase()) === i,
  );

/** The column of the file that a field of the request comes from; undefined: of none. */
export function columnOf(field: string, targets: readonly Target[], cells: readonly string[]): number | undefined {
  const [, index] = /^addresses\[(\d+)\]/.exec(field) ?? [];
  const isAddress = (target: Target, i: number) => target.startsWith('address.') && Boolean(cells[i]?.trim());
  const addresses = targets.flatMap((target, i) => (isAddress(target, i) ? [i] : []));
  const wanted = field.startsWith('memberships') ? 'list' : /^[^.[]*/.exec(field)![0];
  const column = index === undefined ? -1 : (addresses[Number(index)] ?? -1);
  const found = column === -1 ? targets.indexOf(wanted) : column;
  return found === -1 ? undefined : found;
}

/** How many lines are about a user who comes in an earlier line, too. */
export function repeatsIn(lines: readonly UploadLine[]): number {
  const emails = lines.flatMap((line) =>
    'value' in line && typeof line.value.email === 'string' ? [line.value.email.toLowerCase()] : [],
  );
  return emails.length - new Set(emails).size;
}
