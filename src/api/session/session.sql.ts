import { IS_LIVE, SESSIONS, SESSION_DAYS, isValidKey } from '../../auth/scope.sql.js';

/**
 * A session, or a sign-in link, with the reach and the permissions of a key that is still valid. It shares the key's rate limit.
 * $1: the key, $2: via, $3: hash in hexadecimal digits, $4: how long it lasts, $5: whether it is used already: a link is not.
 */
export const INSERT_OF_KEY = `
  insert into api_keys (organization_id, project_id, application_id, name, permissions, rate_limit, rate_limit_of, parent_id,
                        via, hash, expires_at, last_used_at)
  select organization_id, project_id, application_id, name, permissions, rate_limit,
         case when rate_limit is not null then coalesce(rate_limit_of, id) end, id,
         $2, decode($3, 'hex'), least(now() + $4::interval, expires_at), case when $5 then now() end
  from api_keys r where id = $1 and ${isValidKey('r')} returning id`;

/**
 * The same without a key. $1, $2, $3: organization, project and application, or null, $4: name, $5: permissions, $6: via, $7: hash,
 * $8: how long it lasts, $9: whether it is used already, $10 and $11: `person` and provider, or null.
 */
export const INSERT_ALONE = `
  insert into api_keys (organization_id, project_id, application_id, name, permissions, via, hash, expires_at, last_used_at, person, provider)
  values ($1, $2, $3, $4, $5::text[], $6, decode($7, 'hex'), now() + $8::interval, case when $9 then now() end, $10, $11) returning id`;

/**
 * Makes a session of a sign-in link, once: of two requests the second one finds another hash. The kind of a secret is a part of its hash, so this
 * finds neither keys nor sessions. $1: hash of the link, $2: hash of the session.
 */
export const USE_LINK = `
  update api_keys k set hash = decode($2, 'hex'), created_at = now(), last_used_at = now(),
         expires_at = least(now() + interval '${SESSION_DAYS} days', (select expires_at from api_keys r where r.id = k.parent_id))
  where hash = decode($1, 'hex') and expires_at > now()
    and (parent_id is null or exists (select from api_keys r where r.id = k.parent_id and ${isValidKey('r')}))
  returning id`;

/** Two operators who sign in at the same time must not both keep the last free place. $1: a session. */
export const LOCK_SESSIONS = `
  select pg_advisory_xact_lock(7261012, coalesce(organization_id, 0)) from api_keys where id = $1`;

/** A sign-in link that nobody has used is no session. */
const HAS_BEGUN = 's.via is not null and s.last_used_at is not null';

/**
 * Ends the oldest sessions of the same key, member or operator, and of the same organization, beyond a number. In an organization a session takes the place
 * only of one within its own reach, and with no permission that it lacks: else a key of a project could sign administrators out.
 * $1: the newest session, $2: how many a key or operator may have, $3: how many an organization.
 */
export const END_OLDEST = `
  with newest as (
    select organization_id, project_id, application_id, permissions, parent_id, member_id, person, provider from api_keys where id = $1
  )
  delete from api_keys where id = any(
    array(select s.id from api_keys s, newest n
          where ${HAS_BEGUN} and (s.parent_id = n.parent_id or s.member_id = n.member_id or (s.person, s.provider) = (n.person, n.provider))
          order by s.created_at desc, s.id desc offset $2)
    || array(select s.id from api_keys s, newest n
             where ${HAS_BEGUN} and s.organization_id is not distinct from n.organization_id and s.id <> $1
               and coalesce(s.project_id = n.project_id, n.project_id is null)
               and coalesce(s.application_id = n.application_id, n.application_id is null) and s.permissions <@ n.permissions
             order by s.created_at, s.id
             limit greatest(0, (select count(*) from api_keys s, newest n
                                where ${HAS_BEGUN} and s.organization_id is not distinct from n.organization_id) - $3)))
  returning id`;

/** How many sessions the organization of a session has. $1: the session. */
export const COUNT_SESSIONS = `
  select count(*)::int sessions from api_keys s, api_keys n
  where n.id = $1 and ${HAS_BEGUN} and s.organization_id is not distinct from n.organization_id`;

/** The organization that a member has used last. $1: key of the e-mail. */
export const FIND_MEMBER_TO_SIGN_IN = `
  select id, email, name, role from organization_members where email_key = $1 order by signed_in_at desc nulls last, id limit 1`;

/**
 * A session of a member whom a provider vouches for. $1: member, $2: name, $3: permissions, $4: hash, $5: how long it lasts, $6: the provider.
 */
export const INSERT_OF_MEMBER = `
  insert into api_keys (organization_id, project_id, name, permissions, via, hash, expires_at, last_used_at, person, provider, member_id)
  select organization_id, project_id, $2, $3::text[], 'oidc', decode($4, 'hex'), now() + $5::interval, now(), email, $6, id
  from organization_members where id = $1 returning id`;

/** The name of the member whose unused link it is. $1: hash of the link. */
export const FIND_NAME_OF_LINK = `select name from api_keys where hash = decode($1, 'hex') and member_id is not null`;

/** Notes when the member of a new session has signed in. $1: the session. */
export const NOTE_MEMBER_SIGNED_IN = `
  update organization_members m set signed_in_at = now() from api_keys k where k.id = $1 and m.id = k.member_id`;

/** $1: session. */
export const END_SESSION = 'delete from api_keys where id = $1 and via is not null';

/** Ends the sessions of providers that are no longer configured. $1: the providers that are. */
export const END_SESSIONS_OF_OTHERS = `delete from api_keys where via = 'oidc' and provider <> all($1::text[])`;

/** $1, $2, $3: slugs of an organization, a project and an application, or null. */
export const FIND_PLACE = `
  select o.id "organizationId", p.id "projectId", a.id "applicationId"
  from organizations o
  left join projects p on p.organization_id = o.id and p.slug = $2
  left join applications a on a.project_id = p.id and a.slug = $3
  where o.slug = $1 and ($2::text is null or p.id is not null) and ($3::text is null or a.id is not null)`;

const COLUMNS = `
  k.id, coalesce(k.via, 'key') via, k.person, k.name, o.slug organization, p.slug project, a.slug application,
  coalesce(r.permissions, k.permissions) permissions, k.created_at "createdAt", k.last_used_at "lastUsedAt", k.expires_at "expiresAt"`;
const TABLES = `${SESSIONS}
  left join organizations o on o.id = k.organization_id
  left join projects p on p.id = k.project_id
  left join applications a on a.id = k.application_id`;

/** One session, or the key of a request. $1: its id. */
export const FIND_OWN_SESSION = `select ${COLUMNS} from ${TABLES} where k.id = $1`;

/**
 * The sessions of an organization within the reach of the key that asks. $1: organization, $2 and $3: project and application of the key
 * that asks, or null, $4: after which id, $5: or only which, $6: how many.
 */
export const FIND_SESSIONS = `
  select ${COLUMNS} from ${TABLES}
  where k.organization_id = $1 and ($2::int is null or k.project_id = $2) and ($3::int is null or k.application_id = $3)
    and k.id > $4 and ($5::int is null or k.id = $5) and k.via is not null and ${IS_LIVE}
  order by k.id limit $6`;

/** The key that somebody who tries the service would use: an operator's with every permission, or else the demo's. $1: number of all permissions. */
export const FIND_KEY_TO_TRY = `
  select k.id from api_keys k left join organizations o on o.id = k.organization_id
  where ${isValidKey('k')}
    and cardinality(k.permissions) >= $1 and (k.organization_id is null or (o.slug, k.name) = ('demo', 'demo') and k.project_id is null)
  order by k.organization_id nulls first, k.id desc limit 1`;
