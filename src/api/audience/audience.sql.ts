import { nextRows } from '../../platform/database/next-rows.js';

/**
 * Of the next users, how many there are, how many meet the condition, and the first of these. $1 is an array with the organization, $2 the id to
 * start after, $3 how many are checked, $4 how many are shown. `offset 0` keeps PostgreSQL from evaluating the condition twice.
 */
export const matchingUsers = (condition: string) => `
  select max(id) last, count(*)::int checked, count(*) filter (where matches)::int matching,
         coalesce((array_agg(email order by id) filter (where matches))[1:$4], '{}') sample
  from (
    select u.id, u.email, ${condition} matches
    from (select * from users where ${nextRows('organization_id')}) u offset 0
  ) found`;

/** The custom fields of the latest users, without large ones. $1: an array with the organization, $2 how many users, $3 the most bytes of each. */
export const LATEST_FIELDS = `
  select custom_fields fields
  from (
    select custom_fields from users where organization_id = any($1) order by organization_id desc, id desc limit $2
  ) latest
  where pg_column_size(custom_fields) <= $3 and octet_length(custom_fields::text) <= $3`;
