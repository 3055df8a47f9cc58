/** The signing secret of a token with its organization, and the user if there is such a one. $1: kid, $2: key of the e-mail. */
export const RESOLVE_RECIPIENT = `
  select s.id "secretId", s.secret, s.revoked_at is not null "isRevoked", o.id "organizationId", o.slug, o.quotas,
         u.id "userId", u.locked "isLocked", u.created_at "createdAt"
  from signing_secrets s join organizations o on o.id = s.organization_id
  left join users u on u.organization_id = o.id and u.email_key = $2
  where s.kid = $1`;

/** The recipients of open streams whose tokens may still be used. $1: signing secrets, $2: users. */
export const VALID_RECIPIENTS = `
  select distinct s.id "secretId", u.id "userId"
  from unnest($1::int[], $2::int[]) i(secret_id, user_id)
  join signing_secrets s on s.id = i.secret_id and s.revoked_at is null
  join users u on u.id = i.user_id and u.organization_id = s.organization_id and not u.locked`;

/** $1: slug. */
export const ORIGINS = 'select origins from organizations where slug = $1';
