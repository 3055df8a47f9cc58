/** Who keeps a distribution list from being deleted: $1 are their ids. */
export const USERS_OF_LISTS = `
  select l.name label, 'the notification ' || n.name "user"
  from distribution_lists l join notification_lists u on u.list_id = l.id join notifications n on n.id = u.notification_id
  where l.id = any($1) order by 1, 2`;
