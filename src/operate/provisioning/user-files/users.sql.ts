/** $1 list, $2 keys of e-mails, $3 channels, $4 active, $5 organization. */
export const UPDATE_MEMBERS = `
  update members m set channel_id = coalesce(i.channel_id, m.channel_id), active = coalesce(i.active, m.active)
  from unnest($2::text[], $3::int[], $4::boolean[]) i(email_key, channel_id, active)
  join users u on u.email_key = i.email_key and u.organization_id = $5
  where m.list_id = $1 and m.user_id = u.id
    and (m.channel_id, m.active) is distinct from (coalesce(i.channel_id, m.channel_id), coalesce(i.active, m.active))`;
