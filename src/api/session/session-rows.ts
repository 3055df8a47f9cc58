import { hashSecret, newSecret } from '../../auth/api-key.js';
import { PERMISSIONS } from '../../auth/permission.js';
import { SESSION_DAYS } from '../../auth/scope.sql.js';
import { nameOfMember, permissionsOf } from '../organization-member/member-rights.js';
import { tooBusy } from '../../platform/http/problem.js';
import { sqlArray } from '../../platform/database/transaction.js';
import type { SqlTransaction } from '../../platform/database/transaction.js';
import {
  COUNT_SESSIONS,
  END_OLDEST,
  FIND_KEY_TO_TRY,
  FIND_NAME_OF_LINK,
  INSERT_ALONE,
  INSERT_OF_KEY,
  INSERT_OF_MEMBER,
  LOCK_SESSIONS,
  NOTE_MEMBER_SIGNED_IN,
  USE_LINK,
} from './session.sql.js';

/** Sessions of one key, one member or one operator. */
export const MAX_PER_KEY = 100;
/** Sessions of one organization, and of operators together. */
export const MAX_PER_ORGANIZATION = 1000;

const SESSION = `${SESSION_DAYS} days`;
const LINK = '15 minutes';

const TOO_MANY = `The organization has ${MAX_PER_ORGANIZATION} sessions of operators with more rights. End some of them.`;

export interface OpenedSession {
  id: number;
  /** The value of the cookie. Only its hash is stored. */
  secret: string;
  /** Sessions that were ended to make room. */
  ended: number[];
}

/** An operator who has signed in at a provider, and what their group may do. */
export interface SignedInUser {
  person: string;
  provider: string;
  permissions: readonly string[];
  organizationId: number | null;
  projectId: number | null;
  applicationId: number | null;
}

/** Returns null when the key is not valid any more. */
export function openOfKey(tx: SqlTransaction, keyId: number): Promise<OpenedSession | null> {
  return open(tx, INSERT_OF_KEY, (hash) => [keyId, 'key', hash, SESSION, true]);
}

/** Returns null when there is no such link, or it has expired, or it was used. */
export function openOfLink(tx: SqlTransaction, link: string): Promise<OpenedSession | null> {
  return open(tx, USE_LINK, (hash) => [hashSecret(link, 'link'), hash]);
}

export async function openOfOperator(tx: SqlTransaction, of: SignedInUser): Promise<OpenedSession> {
  const reach = [of.organizationId, of.projectId, of.applicationId];
  const session = await open(tx, INSERT_ALONE, (hash) => [
    ...[...reach, of.person, sqlArray(of.permissions), 'oidc', hash, SESSION, true],
    ...[of.person, of.provider],
  ]);
  return session!;
}

/** A member, as the database has them, and what they are called in the audit log. */
export interface SigningInMember {
  id: number;
  email: string;
  name: string | null;
  role: string;
}

/** Returns null when the member was removed just now. */
export const openOfMember = (tx: SqlTransaction, member: SigningInMember, provider: string) =>
  open(tx, INSERT_OF_MEMBER, (hash) => [
    ...[member.id, nameOfMember(member), sqlArray(permissionsOf(member)), hash, SESSION, provider],
  ]);

/** Who uses the link; null: it is not a member's. */
export async function memberOfLink(tx: SqlTransaction, link: string): Promise<string | null> {
  const [row] = await tx.$queryRawUnsafe<{ name: string }[]>(FIND_NAME_OF_LINK, hashSecret(link, 'link'));
  return row?.name ?? null;
}

async function open(
  tx: SqlTransaction,
  sql: string,
  values: (hash: string) => unknown[],
): Promise<OpenedSession | null> {
  const secret = newSecret('session');
  const [row] = await tx.$queryRawUnsafe<{ id: number }[]>(sql, ...values(hashSecret(secret, 'session')));
  if (!row) return null;
  await tx.$executeRawUnsafe(NOTE_MEMBER_SIGNED_IN, row.id);
  await tx.$executeRawUnsafe(LOCK_SESSIONS, row.id);
  const ended = await tx.$queryRawUnsafe<{ id: number }[]>(END_OLDEST, row.id, MAX_PER_KEY, MAX_PER_ORGANIZATION);
  const [count] = await tx.$queryRawUnsafe<{ sessions: number }[]>(COUNT_SESSIONS, row.id);
  if (count!.sessions > MAX_PER_ORGANIZATION) throw tooBusy(TOO_MANY);
  return { id: row.id, secret, ended: ended.map(({ id }) => id) };
}

/** A link for a command on this machine, which reaches the whole database anyway: with every permission, in one organization or in all. */
export async function createLink(tx: SqlTransaction, organizationId: number | null): Promise<string> {
  const link = newSecret('link');
  const values = [organizationId, null, null, 'console', sqlArray(PERMISSIONS), 'link', hashSecret(link, 'link'), LINK];
  await tx.$queryRawUnsafe(INSERT_ALONE, ...values, false, null, null);
  return link;
}

/** A link with the key that somebody who tries the service would use; null: there is none. */
export async function createLinkToTry(tx: SqlTransaction): Promise<string | null> {
  const [key] = await tx.$queryRawUnsafe<{ id: number }[]>(FIND_KEY_TO_TRY, PERMISSIONS.length);
  if (!key) return null;
  const link = newSecret('link');
  await tx.$queryRawUnsafe(INSERT_OF_KEY, key.id, 'link', hashSecret(link, 'link'), LINK, false);
  return link;
}

/** The page that signs in with the link. Browsers do not send the part behind `#`, so the link reaches no log. */
export const linkUrl = (url: string, link: string) => `${url}/console/#t=${link}`;
