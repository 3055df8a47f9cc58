import { allKeysOf } from '../../platform/field/email.js';

const COLUMNS = `s.id, s.name, s.value, s.cause, s.evidence, s.created_at "createdAt", s.expires_at "expiresAt",
  (select slug from projects where id = s.project_id) project`;

/** The filters of a list; null: no filter. */
export interface SuppressionFilter {
  address: string | null;
  cause: string | null;
  /** A part of the address. */
  search: string | null;
}

/** No index finds the middle of an address: a page of a search looks through so many. */
const SEARCHED = 20_000;

/**
 * Suppressions of an organization, oldest first; with a project, only those of the project. Only filters that are used stand in the text: then
 * PostgreSQL plans each form with its own index. $1: organization, $2: after which id, $3: how many; then the filters. `end`: the last one that
 * a search has looked through, if there may be others. $1 and $2 are the same, and its own values follow.
 */
export function listSuppressions({
  address,
  cause,
  search,
  projectId,
}: SuppressionFilter & { projectId: number | null }) {
  const filters = [
    { name: 'address', value: address, sql: (place: string) => `and s.value_key = any(${allKeysOf(place, '$1')})` },
    { name: 'cause', value: cause, sql: (place: string) => `and s.cause = ${place}::suppression_cause` },
    { name: 'project', value: projectId, sql: (place: string) => `and s.project_id = ${place}` },
  ].filter(({ value }) => value !== null);
  const where = filters.map(({ sql }, i) => sql(`$${i + 4}`)).join(' ');
  const name = ['list-suppressions', ...filters.map((filter) => filter.name)].join('-');
  const values = filters.map(({ value }) => value);
  const found = `suppressions s where s.organization_id = $1 and s.id > $2 ${where} order by s.id`;
  if (search === null) return { name, text: `select ${COLUMNS} from ${found} limit $3`, values, end: null };
  const like = `%${search.replace(/[\\%_]/g, '\\$&')}%`;
  const last = `$${values.length + 4}`;
  return {
    name: `${name}-search`,
    text: `select ${COLUMNS} from (select s.* from ${found} limit ${SEARCHED}) s where lower(s.value) like lower(${last}::text) order by s.id limit $3`,
    values: [...values, like],
    end: { text: `select s.id from ${found} offset $3 limit 1`, values: [SEARCHED - 1, ...values] },
  };
}

/** $1: organization, $2: id, $3: the only project, or null: any. */
export const GET_SUPPRESSION = `
  select ${COLUMNS} from suppressions s where s.organization_id = $1 and s.id = $2 and ($3::int is null or s.project_id = $3)`;

/** The channels that reported a suppression: those that are known, and those that are new. */
const ALL_CHANNELS = `case when jsonb_exists(s.evidence, 'channels') and jsonb_exists(excluded.evidence, 'channels')
      then jsonb_build_object('channels', (select jsonb_agg(distinct c) from jsonb_array_elements(s.evidence -> 'channels' || (excluded.evidence -> 'channels')) c))
      else '{}' end`;

/**
 * Adds a suppression. One that exists gets the new note and the new expiry, and keeps the rest of its evidence. $1: organization, $2: kind of
 * address, $3: address, $4: cause, $5: evidence, $6: expiry or null, $7: project, or null: for the whole organization.
 */
export const PUT_SUPPRESSION = `
  insert into suppressions as s (organization_id, name, value, value_key, cause, evidence, expires_at, project_id)
  values ($1, $2, $3, suppression_key($3, $7::int), $4::suppression_cause, $5::jsonb, $6::timestamptz, $7::int)
  on conflict (organization_id, name, value_key, cause) do update
    set evidence = s.evidence || excluded.evidence || ${ALL_CHANNELS}, expires_at = excluded.expires_at
  returning ${COLUMNS}`;

/** $1: organization, or null: of any, $2: id, $3: the only project, or null: any. */
export const LIFT_SUPPRESSION = `
  delete from suppressions where ($1::int is null or organization_id = $1) and id = $2 and ($3::int is null or project_id = $3) returning id`;

/** The suppressions by STOP of a phone number and an owner of channels. */
const STOPPED = `organization_id = $1 and name = 'phone' and value_key = suppression_key($2, $3::int) and cause = 'stop'`;

/**
 * Lifts what the owner of a phone number has asked for over a channel. A number that was stopped over other channels too stays suppressed. Rows
 * of an earlier release do not name their channel: the channels of the organization lift them. $1: organization, $2: number, $3: project of the
 * channel or null, $4: the channel.
 */
export const LIFT_STOP = `
  with less as (
    update suppressions set evidence = jsonb_set(evidence, '{channels}', (evidence -> 'channels') - $4::text)
    where ${STOPPED} and jsonb_exists(evidence -> 'channels', $4::text) and jsonb_array_length(evidence -> 'channels') > 1
  )
  delete from suppressions
  where ${STOPPED} and (evidence -> 'channels' = jsonb_build_array($4::text)
    or $3::int is null and not jsonb_exists(evidence, 'channels') and jsonb_exists(evidence, 'answer'))`;

/** $1: organization, $2: slug of the project, $3: the only project, or null: any. */
export const FIND_PROJECT = `select id from projects where organization_id = $1 and slug = $2 and ($3::int is null or id = $3)`;
