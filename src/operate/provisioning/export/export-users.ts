import type { ClientBase } from 'pg';
import { namedChoices, storedChoices } from '../../../api/preference/preference.read.js';
import type { StoredChoice } from '../../../api/preference/preference.read.js';
import { UserProfileDto } from '../../../api/user-profile/user-profile.dto.js';
import type { ProfileRow } from '../../../api/user-profile/user-profile.dto.js';
import type { SqlTransaction } from '../../../platform/database/transaction.js';
import type { MemberEntry, UserEntry } from '../file.js';
import { csvLine } from '../../../rules/user-file/csv-line.js';
import { USER_HEADER, userCells } from '../../../rules/user-file/user-cells.js';
import type { ExportedUser } from '../../../rules/user-file/user-cells.js';
import type { UserFileFormat } from '../user-files/user-file-format.js';
import { MEMBERS, USERS } from './export.sql.js';

/** With 256 KB of custom fields each, 128 MB are in memory. */
const PAGE = 500;

interface UserRow extends ProfileRow {
  key: string;
}

interface MemberRow {
  key: string;
  email: string;
  channelId: number | null;
  active: boolean;
}

/** The users of an organization in the form of a provisioning file, page by page. */
export async function* usersOf(client: ClientBase, organizationId: number): AsyncGenerator<UserEntry[]> {
  for await (const rows of pages<UserRow>(client, USERS, organizationId)) {
    const ids = rows.map(({ id }) => id);
    // Without those that do not count at the moment: `apply` would refuse them.
    const choices = (await storedChoices(sqlOf(client), ids)).filter(({ counts }) => counts);
    const byUser = new Map<number, StoredChoice[]>(ids.map((id) => [id, []]));
    for (const choice of choices) byUser.get(choice.userId)!.push(choice);
    yield rows.map((row) => userEntry(row, byUser.get(row.id)!));
  }
}

const sqlOf = (client: ClientBase): Pick<SqlTransaction, '$queryRawUnsafe'> => ({
  $queryRawUnsafe: async <Rows>(sql: string, ...values: unknown[]) => (await client.query(sql, values)).rows as Rows,
});

/** The members of a list, page by page; `channelOf` returns the slug of a channel. */
export async function* membersOf(
  client: ClientBase,
  listId: number,
  channelOf: (id: number) => string,
): AsyncGenerator<(string | MemberEntry)[]> {
  for await (const rows of pages<MemberRow>(client, MEMBERS, listId))
    yield rows.map((row) => memberEntry(row, channelOf));
}

async function* pages<Row extends { key: string }>(
  client: ClientBase,
  sql: string,
  owner: number,
): AsyncGenerator<Row[]> {
  for (let after = ''; ;) {
    const { rows } = await client.query<Row>(sql, [owner, after, PAGE]);
    if (rows.length > 0) yield rows;
    if (rows.length < PAGE) return;
    after = rows.at(-1)!.key;
  }
}

const userEntry = (row: UserRow, choices: StoredChoice[]): UserEntry => ({
  ...entryOfProfile(UserProfileDto.fromRow(row)),
  ...(choices.length > 0 && { preferences: namedChoices(choices) }),
});

/** Leaves out what is empty. */
export function entryOfProfile(user: Omit<UserProfileDto, 'memberships' | 'preferences'>): UserEntry {
  const { email, first_name, last_name, locked, custom_fields, addresses, time_zone, quiet_hours, locale } = user;
  return {
    email,
    ...(first_name && { first_name }),
    ...(last_name && { last_name }),
    ...(locked && { locked }),
    ...(Object.keys(custom_fields).length > 0 && { custom_fields }),
    ...(addresses.length > 0 && { addresses }),
    ...(time_zone !== null && { time_zone }),
    ...(quiet_hours !== null && { quiet_hours }),
    ...(locale !== null && { locale }),
  };
}

function memberEntry({ email, channelId, active }: MemberRow, channelOf: (id: number) => string): string | MemberEntry {
  if (channelId === null && active) return email;
  return { email, ...(channelId !== null && { channel: channelOf(channelId) }), ...(!active && { active }) };
}

/** JSON on one line. Escapes U+2028 and U+2029, because some readers treat them as line breaks. */
export const jsonLine = (value: unknown) =>
  JSON.stringify(value).replace(/[\u2028\u2029]/g, (character) => `\\u${character.charCodeAt(0).toString(16)}`);

const MEMBER_HEADER = ['email', 'channel', 'active'];

/** In the format of `carillon import users`. */
export async function* writeUsers(users: AsyncGenerator<UserEntry[]>, format: UserFileFormat): AsyncGenerator<string> {
  yield* write(withoutPreferences(users), format, USER_HEADER, (user) => userCells(user as ExportedUser));
}

/** `carillon import users` knows no preferences. */
async function* withoutPreferences(users: AsyncGenerator<UserEntry[]>): AsyncGenerator<UserEntry[]> {
  for await (const page of users) yield page.map((user) => ({ ...user, preferences: undefined }));
}

/** In the format of `carillon import members`. */
export async function* writeMembers(
  members: AsyncGenerator<(string | MemberEntry)[]>,
  format: UserFileFormat,
): AsyncGenerator<string> {
  yield* write(members, format, MEMBER_HEADER, (member) =>
    typeof member === 'string'
      ? [member, '', '']
      : [member.email, member.channel, member.active === false ? 'false' : ''],
  );
}

async function* write<Entry>(
  entries: AsyncGenerator<Entry[]>,
  format: UserFileFormat,
  header: readonly string[],
  cellsOf: (entry: Entry) => (string | undefined)[],
): AsyncGenerator<string> {
  // With the first page: nothing is written if it cannot be read.
  let head = format === 'csv' ? csvLine(header) : '';
  for await (const page of entries) {
    yield head + page.map((entry) => (format === 'csv' ? csvLine(cellsOf(entry)) : `${jsonLine(entry)}\n`)).join('');
    head = '';
  }
  yield head;
}
