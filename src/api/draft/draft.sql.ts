/** The drafts of an event without their content. $1: event, $2: after this id, $3: how many. */
export const LIST_DRAFTS = `
  select id, name draft, left(coalesce(notification->>'name', ''), 200) name, saved_by "savedBy", saved_at "savedAt"
  from drafts where event_id = $1 and id > $2 order by id limit $3`;

/** Not exact while two requests create one: an organization may have a few drafts more. $1: organization, $2: the most that it may have. */
export const HAS_MOST_DRAFTS = `select count(*) >= $2 "hasMost" from (select from drafts where organization_id = $1 limit $2) d`;
