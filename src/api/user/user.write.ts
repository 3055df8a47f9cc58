import { sqlArray } from '../../platform/database/transaction.js';
import type { Transaction } from '../../platform/database/transaction.js';
import { emailKey } from '../../platform/field/email.js';
import { fieldError } from '../../platform/field/error/field-error.js';
import type { FieldErrors } from '../../platform/field/error/field-error.js';
import { notFound } from '../../platform/http/problem.js';
import { rescheduleWaiting } from '../settings/reschedule-waiting.js';
import { MAX_CUSTOM_FIELDS_BYTES, mergeDeep } from './custom-fields.js';
import type { UserFields } from './user.read.js';
import {
  ADD_ADDRESSES,
  ADD_EMAIL_ADDRESSES,
  CHANGED_CLOCKS,
  CREATE_USERS,
  FORGET_PLANS,
  LOCK_CUSTOM_FIELDS,
  LOCK_USER,
  UPDATE_USER,
  UPDATE_USERS,
} from './user-write.sql.js';

type Json = Record<string, unknown>;

interface PutOptions {
  /** Whether custom fields are merged into the stored ones, at every depth. Otherwise they replace them. */
  merge?: boolean;
}

/** What has changed, and the users that were refused. Nothing of these was written. */
interface PutUsers<Entry> {
  created: number;
  updated: number;
  addresses: number;
  refused: { entry: Entry; errors: FieldErrors }[];
  /** The users whose time zone or quiet hours have changed: `rescheduleWaiting` needs them, once in a transaction. */
  changedClocks: number[];
}

/**
 * Creates and updates users, and adds their addresses, with a few statements for a chunk of any size. Fields that an entry leaves out keep
 * their values. Of several entries for one e-mail, the last one counts.
 */
export async function putUsers<Entry extends UserFields>(
  tx: Transaction,
  organizationId: number,
  entries: Entry[],
  options: PutOptions = {},
): Promise<PutUsers<Entry>> {
  const written = await putFields(tx, organizationId, entries, options);
  const refused = new Set(written.refused.map(({ entry }) => entry.email));
  const accepted = refused.size === 0 ? entries : entries.filter(({ email }) => !refused.has(email));
  const keys = [...new Set(accepted.map(({ email }) => emailKey(email)))].sort();
  await tx.$executeRawUnsafe(ADD_EMAIL_ADDRESSES, organizationId, sqlArray(keys));
  return { ...written, addresses: await addAddresses(tx, organizationId, accepted) };
}

/** A user as it is stored. */
interface StoredUser {
  id: number;
  email: string;
  firstName: string;
  lastName: string;
  locked: boolean;
  customFields: Json;
}

/** Changes one user. Fields that are left out keep their values. Returns the user, or the errors of each field. */
export async function putUser(
  tx: Transaction,
  { organizationId, userId }: { organizationId: number; userId: number },
  { custom_fields: given, ...fields }: Omit<UserFields, 'email' | 'addresses'>,
  { merge = false }: PutOptions = {},
): Promise<StoredUser | { errors: FieldErrors }> {
  const [user] = await tx.$queryRawUnsafe<StoredUser[]>(LOCK_USER, userId, organizationId);
  if (!user) throw notFound('user');
  const custom_fields = merge && given ? mergeDeep(user.customFields, given) : given;
  const rows = rowsOf([{ ...fields, custom_fields, email: user.email }]);
  if (!rows.every(isSmall)) return { errors: refusalOf(rows[0]!).errors };
  if (!rows.some(hasFields)) return user;
  const columns = columnsOf(rows);
  const changedClocks = await findChangedClocks(tx, organizationId, rows, columns);
  const [changed] = await tx.$queryRawUnsafe<StoredUser[]>(UPDATE_USER, organizationId, ...columns);
  if (changedClocks.length > 0) await rescheduleWaiting(tx, organizationId, changedClocks);
  return changed ?? user;
}

/** Adds the addresses of users that exist. Returns how many are new. */
export async function addAddresses(
  tx: Transaction,
  organizationId: number,
  entries: Pick<UserFields, 'email' | 'addresses'>[],
): Promise<number> {
  const rows = entries.flatMap(({ email, addresses = [] }) =>
    addresses.map(({ name, value }) => ({ key: emailKey(email), name, value })),
  );
  if (rows.length === 0) return 0;
  const columns = [rows.map(({ key }) => key), rows.map(({ name }) => name), rows.map(({ value }) => value)];
  return tx.$executeRawUnsafe(ADD_ADDRESSES, organizationId, ...columns.map(sqlArray));
}

/** An entry by its key, with its custom fields as JSON. */
interface Row<Entry> {
  key: string;
  entry: Entry;
  json: string | null;
}

/** From here on, a search through all users for each new address costs more than the new plans. */
const MANY_USERS = 500;

async function putFields<Entry extends UserFields>(
  tx: Transaction,
  organizationId: number,
  entries: Entry[],
  { merge = false }: PutOptions,
): Promise<Omit<PutUsers<Entry>, 'addresses'>> {
  const all = rowsOf(entries);
  const rows = all.filter(isSmall);
  const columns = columnsOf(rows);
  const changedClocks = await findChangedClocks(tx, organizationId, rows, columns);
  const created = await tx.$executeRawUnsafe(CREATE_USERS, organizationId, ...columns);
  if (created >= MANY_USERS) await tx.$executeRawUnsafe(FORGET_PLANS);
  const result = { created, updated: 0, refused: all.filter((row) => !isSmall(row)).map(refusalOf), changedClocks };
  if (created === rows.length || !rows.some(hasFields)) return result;
  const merged = merge ? await mergeStored(tx, organizationId, rows) : rows;
  result.refused.push(...merged.filter((row) => !isSmall(row)).map(refusalOf));
  const changes = merge ? columnsOf(merged.filter(isSmall)) : columns;
  result.updated = await tx.$executeRawUnsafe(UPDATE_USERS, organizationId, ...changes);
  return result;
}

/** Before the update: it compares with what is stored. */
async function findChangedClocks(
  tx: Transaction,
  organizationId: number,
  rows: Row<UserFields>[],
  columns: string[],
): Promise<number[]> {
  if (!rows.some(({ entry }) => entry.time_zone !== undefined || entry.quiet_hours !== undefined)) return [];
  const values = [columns[0], columns[6], columns[7]];
  const changed = await tx.$queryRawUnsafe<{ id: number }[]>(CHANGED_CLOCKS, organizationId, ...values);
  return changed.map(({ id }) => id);
}

function rowsOf<Entry extends UserFields>(entries: Entry[]): Row<Entry>[] {
  const byKey = new Map(entries.map((entry) => [emailKey(entry.email), entry]));
  return [...byKey]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, entry]) => ({ key, entry, json: entry.custom_fields ? JSON.stringify(entry.custom_fields) : null }));
}

const isSmall = ({ json }: Row<unknown>) => json === null || Buffer.byteLength(json) <= MAX_CUSTOM_FIELDS_BYTES;

const TOO_LARGE = `would be larger than ${MAX_CUSTOM_FIELDS_BYTES / 1024} KB: replace them as a whole, or remove some`;

const refusalOf = <Entry>({ entry }: Row<Entry>) => ({
  entry,
  errors: { custom_fields: [fieldError('too_large', TOO_LARGE)] },
});

const hasFields = ({
  entry: { first_name, last_name, locked, custom_fields, time_zone, quiet_hours, locale },
}: Row<UserFields>) =>
  [first_name, last_name, locked, custom_fields, time_zone, quiet_hours, locale].some((value) => value !== undefined);

/** Merges under row locks, so that concurrent merges all take effect. */
async function mergeStored<Entry extends UserFields>(
  tx: Transaction,
  organizationId: number,
  rows: Row<Entry>[],
): Promise<Row<Entry>[]> {
  const keys = rows.filter(({ json }) => json !== null).map(({ key }) => key);
  if (keys.length === 0) return rows;
  const found = await tx.$queryRawUnsafe<{ key: string; fields: Json }[]>(
    LOCK_CUSTOM_FIELDS,
    organizationId,
    sqlArray(keys),
  );
  const stored = new Map(found.map(({ key, fields }) => [key, fields]));
  return rows.map((row) =>
    row.json === null
      ? row
      : { ...row, json: JSON.stringify(mergeDeep(stored.get(row.key) ?? {}, row.entry.custom_fields!)) },
  );
}

/** The columns of USERS. */
const columnsOf = (rows: Row<UserFields>[]) =>
  [
    rows.map(({ key }) => key),
    rows.map(({ entry }) => entry.email),
    rows.map(({ entry }) => entry.first_name ?? null),
    rows.map(({ entry }) => entry.last_name ?? null),
    rows.map(({ entry }) => entry.locked ?? null),
    rows.map(({ json }) => json),
    rows.map(({ entry }) => (entry.time_zone === null ? '' : (entry.time_zone ?? null))),
    rows.map(({ entry }) => (entry.quiet_hours === undefined ? null : JSON.stringify(entry.quiet_hours))),
    rows.map(({ entry }) => (entry.locale === null ? '' : (entry.locale ?? null))),
  ].map(sqlArray);
