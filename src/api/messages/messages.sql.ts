/** Locks the project $1, and reads its messages. */
export const LOCK_MESSAGES = `select messages from projects where id = $1 for no key update`;

/** The same for a template that uses them: they cannot be changed before the transaction ends. */
export const SHARE_MESSAGES = `select messages from projects where id = $1 for share`;

/** The templates of the project $1 that use one of the keys $2, the first $3 of them. */
export const USERS_OF_KEYS = `
  select e.id event, a.slug || '/' || e.slug || '/' || n.name name, c.slug channel,
         array(select unnest(t.message_keys) intersect select unnest($2::text[]) order by 1) keys
  from applications a
  join events e on e.application_id = a.id
  join notifications n on n.event_id = e.id
  join templates t on t.notification_id = n.id
  join channels c on c.id = t.channel_id
  where a.project_id = $1 and t.message_keys && $2::text[]
  order by e.id, n.id, t.id limit $3`;
