import { fieldError } from '../../platform/field/error/field-error.js';
import type { FieldError } from '../../platform/field/error/field-error.js';
import { lengthOf } from '../../platform/field/text-length.js';
import { Prisma } from '../../platform/database/generated/prisma/client.js';

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

/** The pattern of texts that start with a word, in lower case. */
const startsWith = (word: string) => Prisma.sql`lower(${`${word.replace(/[\\%_]/g, '\\$&')}%`}::text)`;

/** The users that one word finds, each by an index. */
const foundBy = (organizationId: number, word: string) => Prisma.sql`
  select id from users where organization_id = ${organizationId} and email_key like ${startsWith(word)}
  union all
  select id from users where organization_id = ${organizationId} and lower(first_name) like ${startsWith(word)}
  union all
  select id from users where organization_id = ${organizationId} and lower(last_name) like ${startsWith(word)}
  union all
  select user_id from addresses where organization_id = ${organizationId} and lower(value) like ${startsWith(word)}`;

const alsoHas = (word: string) => Prisma.sql`
  and (u.email_key like ${startsWith(word)} or lower(u.first_name) like ${startsWith(word)} or lower(u.last_name) like ${startsWith(word)}
       or exists (select from addresses a where a.user_id = u.id and lower(a.value) like ${startsWith(word)}))`;

/**
 * Users for whom each word starts the e-mail, a name, or an address. The longest word finds them by index, because it probably has the fewest
 * matches. The others are looked up for these users only.
 *
 * The beginning of a text needs no extension of PostgreSQL. To find a word anywhere in it needs `pg_trgm`, which some hosts do not offer.
 */
export function searchUsers(organizationId: number, text: string, after: number, limit: number): Prisma.Sql {
  const [longest, ...others] = wordsOf(text).sort((a, b) => b.length - a.length) as [string, ...string[]];
  return Prisma.sql`
    select u.id, u.email, u.first_name "firstName", u.last_name "lastName", u.locked
    from users u
    where u.organization_id = ${organizationId} and u.id > ${after}
      and u.id = any(array(${foundBy(organizationId, longest)}))
      ${Prisma.join([Prisma.empty, ...others.map(alsoHas)], ' ')}
    order by u.id limit ${limit}`;
}
