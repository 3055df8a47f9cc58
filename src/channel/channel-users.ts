/** Who keeps a channel from being deleted, other than channels that go with it: $1 are their ids. */
export const USERS_OF_CHANNELS = `
  select c.slug label, 'the notification ' || n.name "user"
  from channels c join templates t on t.channel_id = c.id join notifications n on n.id = t.notification_id where c.id = any($1)
  union
  select c.slug, 'the distribution list ' || l.name
  from channels c join members m on m.channel_id = c.id join distribution_lists l on l.id = m.list_id where c.id = any($1)
  union
  select c.slug, 'the channel ' || f.slug from channels c join channels f on f.fallback_id = c.id
  where c.id = any($1) and f.id <> all($1)
  order by 1, 2`;
