/**
 * The memberships of an e-mail, the last used first, each with the number of links that it could still use. $1: key of the e-mail, $2: how many.
 */
export const MEMBERSHIPS_OF_EMAIL = `
  select m.id, m.email, m.name, m.role, m.project_id "projectId", m.organization_id "organizationId", o.name organization,
         (select count(*)::int from api_keys k where k.member_id = m.id and k.last_used_at is null and k.expires_at > now()) links
  from organization_members m join organizations o on o.id = m.organization_id
  where m.email_key = $1
  order by m.signed_in_at desc nulls last, m.id limit $2`;
