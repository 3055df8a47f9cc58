import { fieldError } from '../../../platform/field/error/field-error.js';
import type { FieldError } from '../../../platform/field/error/field-error.js';
import { lengthOf } from '../../../platform/field/text-length.js';
import { Prisma } from '../../../platform/database/generated/prisma/client.js';

export const MAX_SEARCH_LENGTH = 100;
const MAX_WORDS = 5;

const wordsOf = (text: string) => text.split(/\s+/u).filter((word) => word !== '');

/** Returns the problem with the text of a search, or null. */
export function searchProblem(text: string): FieldError | null {
  const { length } = wordsOf(text);
  const isGood = length > 0 && length <= MAX_WORDS && lengthOf(text) <= MAX_SEARCH_LENGTH;
  const rule = `must be 1 to ${MAX_WORDS} words, of at most ${MAX_SEARCH_LENGTH} characters together`;
  return isGood ? null : fieldError('too_long', rule);
}

const escaped = (word: string) => word.replace(/[\\%_]/g, '\\$&');

/** The pattern of texts that start with a word, in lower case. */
const startsWith = (word: string) => Prisma.sql`lower(${`${escaped(word)}%`}::text)`;
/** The pattern of texts that contain it. */
const contains = (word: string) => Prisma.sql`lower(${`%${escaped(word)}%`}::text)`;

/** The users that one word finds, each by an index. */
const foundBy = (organizationId: number, word: string) => Prisma.sql`
  select id from users where organization_id = ${organizationId} and email_key like ${startsWith(word)}
  union all
  select id from users where organization_id = ${organizationId} and lower(first_name) like ${startsWith(word)}
  union all
  select id from users where organization_id = ${organizationId} and lower(last_name) like ${startsWith(word)}
  union all
  select user_id from addresses where organization_id = ${organizationId} and lower(value) like ${startsWith(word)}`;

/**
 * Whether a user has a text like this. Without `offset 0`, PostgreSQL reads the addresses of all organizations for a part of the users: 1.2 s of
 * two processors for a million.
 */
const has = (like: Prisma.Sql) => Prisma.sql`
  (u.email_key like ${like} or lower(u.first_name) like ${like} or lower(u.last_name) like ${like}
   or exists (select from addresses a where a.user_id = u.id and lower(a.value) like ${like} offset 0))`;

const all = (conditions: Prisma.Sql[]) => Prisma.join(conditions, ' and ');

/**
 * Users for whom each word starts the e-mail, a name, or an address. The longest word finds them by index, because it probably has the fewest
 * matches. The others are looked up for these users only.
 */
export function startingUsers(organizationId: number, text: string, after: number, limit: number): Prisma.Sql {
  const [longest, ...others] = wordsOf(text).sort((a, b) => b.length - a.length) as [string, ...string[]];
  return Prisma.sql`
    select u.id, u.email, u.first_name "firstName", u.last_name "lastName", u.locked
    from users u
    where ${all([
      Prisma.sql`u.organization_id = ${organizationId} and u.id > ${after}`,
      Prisma.sql`u.id = any(array(${foundBy(organizationId, longest)}))`,
      ...others.map((word) => has(startsWith(word))),
    ])}
    order by u.id limit ${limit}`;
}

/**
 * For a user `u`: each word is in the e-mail, a name, or an address, and `startingUsers` does not find the user. No index finds the middle of a text
 * without `pg_trgm`, which some hosts do not offer, and which would find the users of all organizations at once.
 */
export function containsInside(text: string): Prisma.Sql {
  const starting = all(wordsOf(text).map((word) => has(startsWith(word))));
  // One after the other: for most users, the first is false.
  return Prisma.sql`case when ${containsAll(text)} then not (${starting}) else false end`;
}

/** For a user `u`: each word is in the e-mail, a name, or an address. */
export const containsAll = (text: string) => all(wordsOf(text).map((word) => has(contains(word))));
