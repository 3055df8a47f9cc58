/** $1: slug of the organization, $2: slug of the project, or null: a channel of the organization, $3: slug of the channel. */
export const FIND_CHANNEL = `
  select c.id, c.type, c.organization_id "organizationId", c.project_id "projectId", c.slug, c.config
  from channels c join organizations o on o.id = c.organization_id left join projects p on p.id = c.project_id
  where o.slug = $1 and c.slug = $3 and p.slug is not distinct from $2::text`;
