const COLUMNS = `id, name, value, cause, evidence, created_at "createdAt", expires_at "expiresAt"`;

/** The filters of a list; null: no filter. */
export interface SuppressionFilter {
  address: string | null;
  cause: string | null;
}

/**
 * Suppressions of an organization, oldest first. Only filters that are used stand in the text: then PostgreSQL plans each form with its own
 * index. $1: organization, $2: after which id, $3: how many; then the filters.
 */
export function listSuppressions({ address, cause }: SuppressionFilter) {
  const filters = [
    { name: 'address', value: address, sql: (place: string) => `and value_key = lower(${place})` },
    { name: 'cause', value: cause, sql: (place: string) => `and cause = ${place}::suppression_cause` },
  ].filter(({ value }) => value !== null);
  const where = filters.map(({ sql }, i) => sql(`$${i + 4}`)).join(' ');
  return {
    name: ['list-suppressions', ...filters.map(({ name }) => name)].join('-'),
    text: `select ${COLUMNS} from suppressions where organization_id = $1 and id > $2 ${where} order by id limit $3`,
    values: filters.map(({ value }) => value),
  };
}

/** $1: organization, $2: id. */
export const GET_SUPPRESSION = `select ${COLUMNS} from suppressions where organization_id = $1 and id = $2`;

/**
 * Adds a suppression. One that exists gets the new note and the new expiry, and keeps the rest of its evidence. $1: organization, $2: kind of
 * address, $3: address, $4: cause, $5: evidence, $6: expiry or null.
 */
export const PUT_SUPPRESSION = `
  insert into suppressions (organization_id, name, value, value_key, cause, evidence, expires_at)
  values ($1, $2, $3, lower($3), $4::suppression_cause, $5::jsonb, $6::timestamptz)
  on conflict (organization_id, name, value_key, cause) do update
    set evidence = suppressions.evidence || excluded.evidence, expires_at = excluded.expires_at
  returning ${COLUMNS}`;

/** $1: organization, or null: of any, $2: id. */
export const LIFT_SUPPRESSION = `
  delete from suppressions where ($1::int is null or organization_id = $1) and id = $2 returning id`;

/** Lifts what the owner of a phone number has asked for. $1: organization, $2: number. */
export const LIFT_STOP = `
  delete from suppressions where organization_id = $1 and name = 'phone' and value_key = lower($2) and cause = 'stop'`;

/** $1: slug of the organization, $2: slug of the project, or null: a channel of the organization, $3: slug of the channel. */
export const FIND_SMS_CHANNEL = `
  select c.organization_id "organizationId", c.project_id "projectId", c.slug, c.config
  from channels c join organizations o on o.id = c.organization_id left join projects p on p.id = c.project_id
  where o.slug = $1 and c.slug = $3 and c.type = 'sms' and p.slug is not distinct from $2::text`;
