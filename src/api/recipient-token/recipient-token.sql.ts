/** $1: organization, $2: user. */
export const RECIPIENT = 'select email, locked from users where organization_id = $1 and id = $2';

/** $1: organization. */
export const HELD_SECRET = `
  select kid, secret from signing_secrets where organization_id = $1 and is_held and revoked_at is null`;

/** $1: organization, $2: kid, $3: name, $4: secret, encrypted. */
export const HOLD_SECRET = `
  insert into signing_secrets (organization_id, kid, name, secret, is_held) values ($1, $2, $3, $4, true)
  on conflict (organization_id) where is_held and revoked_at is null do nothing`;
