/** Only the transaction that holds this lock adds changes to the figures. */
const FIGURES_LOCK = 7_261_022;

export const TAKE_LOCK = `select pg_try_advisory_xact_lock(${FIGURES_LOCK}) locked`;

/** Domains with rows of their own in an hour of an organization. An answer shows 50: those that are large are among the first. */
const MAX_DOMAINS = 200;

/**
 * Adds the oldest changes to the figures and deletes them, in one statement: a kill loses and doubles nothing. An organization that moves keeps
 * its changes for the cell where it arrives. Returns how many it took, and the hours that it has written. $1: how many, $2: types of channels that send mails.
 */
export const COUNT_CHANGES = `
  with taken as (
    delete from figure_changes where id = any(array(
      select id from figure_changes c where not exists (select from organization_freezes f where f.organization_id = c.organization_id)
      order by id limit $1))
    returning *
  ), known as materialized (
    -- An organization may have been deleted meanwhile.
    select t.organization_id, date_trunc('hour', to_timestamp(t.quarter * 900.0), coalesce(o.time_zone, 'UTC')) "hour", t.notification_id, t.channel_id,
           split_part(t.outcome, '/', 1) outcome, split_part(t.outcome, '/', 2) reason, t.seconds, t.domain, t.count,
           coalesce(e.id, was.event_id, 0) event_id, coalesce(a.id, was.application_id, 0) application_id, coalesce(a.project_id, was.project_id, 0) project_id
    from taken t
    join organizations o on o.id = t.organization_id
    left join notifications n on n.id = t.notification_id
    left join events e on e.id = n.event_id
    left join applications a on a.id = e.application_id
    left join lateral (
      -- The notification was deleted, but an earlier change of its messages was counted.
      select event_id, application_id, project_id from figures f
      where n.id is null and f.organization_id = t.organization_id and f.notification_id = t.notification_id
        and f.hour = date_trunc('hour', to_timestamp(t.quarter * 900.0), coalesce(o.time_zone, 'UTC'))
      limit 1
    ) was on true
  ), counted as (
    insert into figures as f (organization_id, hour, notification_id, channel_id, outcome, reason, project_id, application_id, event_id, count)
    select organization_id, "hour", notification_id, channel_id, outcome, reason, max(project_id), max(application_id), max(event_id), sum(count)
    from (
      select * from known
      union all
      select organization_id, "hour", notification_id, channel_id, 'within', seconds::text, null, null, count, event_id, application_id, project_id
      from known where seconds is not null
    ) k
    group by 1, 2, 3, 4, 5, 6 having sum(count) <> 0
    on conflict (organization_id, hour, notification_id, channel_id, outcome, reason) do update set count = f.count + excluded.count
    returning organization_id, hour
  ), of_domains as materialized (
    select k.organization_id, k.hour, k.domain, k.application_id, k.channel_id, k.outcome, k.reason, k.project_id, sum(k.count) count,
           exists (select from domain_figures f where f.organization_id = k.organization_id and f.hour = k.hour and f.domain = k.domain) has_rows
    from known k join channels c on c.id = k.channel_id and c.type = any($2)
    where k.domain is not null
    group by 1, 2, 3, 4, 5, 6, 7, 8 having sum(k.count) <> 0
  ), room as (
    select h.organization_id, h.hour, ${MAX_DOMAINS} - (
      select count(distinct domain) from domain_figures f where f.organization_id = h.organization_id and f.hour = h.hour) free
    from (select distinct organization_id, hour from of_domains) h
  ), fresh as (
    select organization_id, hour, domain, row_number() over (partition by organization_id, hour order by sum(count) desc, domain) place
    from of_domains where not has_rows group by 1, 2, 3
  ), named as (
    select d.*, case when d.has_rows or f.place <= r.free then d.domain else '*' end name
    from of_domains d join room r using (organization_id, hour) left join fresh f using (organization_id, hour, domain)
  ), counted_domains as (
    insert into domain_figures as f (organization_id, hour, domain, application_id, channel_id, outcome, reason, project_id, count)
    select organization_id, hour, name, application_id, channel_id, outcome, reason, max(project_id), sum(count)
    from named group by 1, 2, 3, 4, 5, 6, 7
    on conflict (organization_id, hour, domain, application_id, channel_id, outcome, reason) do update set count = f.count + excluded.count
    returning organization_id, hour
  )
  select (select count(*)::int from taken) taken,
         coalesce((select json_agg(json_build_array(organization_id, hour)) from (select organization_id, hour from counted union select * from counted_domains) h), '[]')::text hours`;

/** Messages that wait no more leave rows that count nothing. $1: hours of organizations, as JSON. */
const deleteEmpty = (table: string) => `
  delete from ${table} f using json_array_elements($1::json) h
  where f.organization_id = (h->>0)::int and f.hour = (h->>1)::timestamptz and f.count = 0`;

export const DELETE_EMPTY = deleteEmpty('figures');
export const DELETE_EMPTY_DOMAINS = deleteEmpty('domain_figures');
