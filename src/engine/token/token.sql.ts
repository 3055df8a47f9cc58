/** $1: channel, $2: purpose. */
export const READ_TOKEN = `
  select sealed, made_at "madeAt", renew_at "renewAt", expires_at "expiresAt" from channel_tokens
  where channel_id = $1 and purpose = $2 and sealed is not null`;

/** $3: now, $4: until when nobody else may make the token, $5: when the one was made that was read. Another process may have made one since. */
export const CLAIM_TOKEN = `
  insert into channel_tokens as t (channel_id, purpose, claimed_until)
  select id, $2, $4 from channels where id = $1
  on conflict (channel_id, purpose) do update set claimed_until = $4
  where (t.claimed_until is null or t.claimed_until <= $3) and t.made_at is not distinct from $5`;

/** $3: the end of the claim, which nobody else has. */
export const SAVE_TOKEN = `
  update channel_tokens set sealed = $4, made_at = $5, renew_at = $6, expires_at = $7, claimed_until = null
  where channel_id = $1 and purpose = $2 and claimed_until = $3`;

export const RELEASE_TOKEN = `
  update channel_tokens set claimed_until = null where channel_id = $1 and purpose = $2 and claimed_until = $3`;

/** A token that expires is renewed all the same. */
export const HOLD_TOKEN = `
  update channel_tokens set renew_at = least(greatest(renew_at, $3), expires_at)
  where channel_id = $1 and purpose = $2 and sealed is not null`;
