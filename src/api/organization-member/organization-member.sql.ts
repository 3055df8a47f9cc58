import { IS_LIVE, SESSIONS } from '../../auth/scope.sql.js';

/**
 * The members of an organization within the reach of the key that asks. $1: organization, $2: project of the key that asks, or null,
 * $3: after which key of an e-mail, or null, $4: or only which, or null, $5: how many.
 */
export const FIND_ORGANIZATION_MEMBERS = `
  select m.id, m.email, m.email_key "emailKey", m.name, m.role, p.slug project, m.invited_by "invitedBy", m.created_at "createdAt",
         m.signed_in_at "signedInAt",
         (select count(*)::int from ${SESSIONS} where k.member_id = m.id and k.via is not null and ${IS_LIVE}) sessions
  from organization_members m left join projects p on p.id = m.project_id
  where m.organization_id = $1 and ($2::int is null or m.project_id = $2) and ($3::text is null or m.email_key > $3)
    and ($4::text is null or m.email_key = $4)
  order by m.email_key limit $5`;

/** Gives the sessions and links of a member the rights of the member as they are now. $1: member, $2: name, $3: permissions, $4: project. */
export const RENEW_SESSIONS_OF_MEMBER = `
  update api_keys set name = $2, permissions = $3::text[], project_id = $4
  where member_id = $1 and (name, permissions, project_id) is distinct from ($2, $3::text[], $4::int)`;

/** $1: member. */
export const SESSIONS_OF_MEMBER = 'select id from api_keys where member_id = $1 and last_used_at is not null';

/** $1: member. */
export const DELETE_LINKS_OF_MEMBER = 'delete from api_keys where member_id = $1 and last_used_at is null';

/**
 * A sign-in link with the rights of a member. $1: member, $2: name, $3: permissions, $4: hash in hexadecimal digits, $5: how long it lasts.
 */
export const INSERT_LINK_OF_MEMBER = `
  insert into api_keys (organization_id, project_id, name, permissions, via, hash, expires_at, person, member_id)
  select organization_id, project_id, $2, $3::text[], 'link', decode($4, 'hex'), now() + $5::interval, email, id
  from organization_members where id = $1
  returning expires_at "expiresAt"`;
