/** $1: slug of the organization, $2: slug of the project, or null: a channel of the organization, $3: slug of the channel. */
export const FIND_CHANNEL = `
  select c.id, c.type, c.organization_id "organizationId", c.project_id "projectId", c.slug, c.config
  from channels c join organizations o on o.id = c.organization_id left join projects p on p.id = c.project_id
  where o.slug = $1 and c.slug = $3 and p.slug is not distinct from $2::text`;

/** The channel of a mail, and the address that it was sent to. $1: occurrence, $2: delivery. */
export const FIND_MAIL = `
  select d.channel_id id, d.organization_id "organizationId", coalesce(m.recipient, a.value, '') recipient
  from deliveries d left join messages m on m.delivery_id = d.id left join addresses a on a.id = d.address_id
  where d.id = $2::bigint and d.occurrence_id = $1::uuid`;
