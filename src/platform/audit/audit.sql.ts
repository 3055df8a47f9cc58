import { jsonBytes, withinBytes } from '../database/next-rows.js';

// The columns are texts here: an order must name the table's own, or it is the order of the texts.
const ENTRY = `
  id::text, (extract(epoch from at) * 1000)::bigint::text at, organization_id "organizationId", key_id "keyId", actor, request_id "requestId",
  address, verb, noun, user_id "userId", count, name, changes::text`;
const BYTES = `${jsonBytes('changes')} + coalesce(octet_length(name), 0) bytes`;

/** Locks unsealed entries, oldest first. One that a redaction has locked waits for the next time. $1: how many. */
export const UNSEALED_ENTRIES = `
  select ${ENTRY} from audit_entries
  where position is null and id = any(array(
    select id from (${withinBytes(`select id, ${BYTES} from audit_entries where position is null order by id limit $1`)}) few))
  order by audit_entries.id for update skip locked`;

/** The last seals of chains. $1: organizations; 0: the chain of entries without an organization. */
export const HEADS = `
  select o.id "organizationId", head.position::text, encode(head.seal, 'hex') seal
  from unnest($1::int[]) o(id) cross join lateral (
    (select position, seal from audit_entries where organization_id = o.id and position is not null order by position desc limit 1)
    union all
    (select position, seal from audit_entries where o.id = 0 and organization_id is null and position is not null order by position desc limit 1)
  ) head`;

/** $1: ids, $2: positions, $3: salts, $4: digests, $5: seals. */
export const SEAL = `
  update audit_entries e set position = s.position, salt = decode(s.salt, 'hex'), digest = decode(s.digest, 'hex'), seal = decode(s.seal, 'hex')
  from unnest($1::bigint[], $2::bigint[], $3::text[], $4::text[], $5::text[]) s(id, position, salt, digest, seal) where e.id = s.id`;

/**
 * The next entries of a chain. Only a redacted entry needs to know whether its user exists. Not as `exists`: PostgreSQL may read all users
 * for that at once. $1: the organization, or null, $2: after this position, $3: how many.
 */
export const nextSealed = (owner: 'organization' | 'none') =>
  withinBytes(`
  select ${ENTRY}, position::text, encode(salt, 'hex') salt, encode(digest, 'hex') digest, encode(seal, 'hex') seal,
         case when salt is null then coalesce((select true from users u where u.id = user_id), false) else true end "userExists",
         ${BYTES}
  from audit_entries
  where ${owner === 'none' ? 'organization_id is null and $1::int[] is null' : 'organization_id = any($1)'} and position > $2
  order by organization_id, audit_entries.position limit $3`);

/** Organizations that have entries, also deleted ones. It jumps from one to the next in the index. $1: the slug of one, or null. */
export const CHAINS = `
  with recursive owners as (
    (select organization_id id from audit_entries where organization_id is not null order by organization_id limit 1)
    union all
    select (select organization_id from audit_entries where organization_id > owners.id order by organization_id limit 1) from owners where owners.id is not null
  )
  select * from (
    select id, (select slug from organizations o where o.id = w.id) slug from owners w where id is not null
  ) chains where $1::text is null or slug = $1 order by id`;
