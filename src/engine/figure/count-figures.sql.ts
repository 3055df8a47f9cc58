/** Only the transaction that holds this lock adds changes to the figures. */
const FIGURES_LOCK = 7_261_022;

export const TAKE_LOCK = `select pg_try_advisory_xact_lock(${FIGURES_LOCK}) locked`;

/** Domains with rows of their own in an hour of an organization. An answer shows 50: those that are large are among the first. */
const MAX_DOMAINS = 200;

type Unit = 'hour' | 'day' | 'month';

/** Adds the rows of `source` to a table of figures of each hour, day or month. */
const add = (table: string, time: Unit, source: string) => `
    insert into ${table} as f (organization_id, ${time}, notification_id, channel_id, outcome, reason, project_id, application_id, event_id, count)
    select organization_id, "${time}", notification_id, channel_id, outcome, reason, max(project_id), max(application_id), max(event_id), sum(count)
    from ${source}
    group by 1, 2, 3, 4, 5, 6 having sum(count) <> 0
    on conflict (organization_id, ${time}, notification_id, channel_id, outcome, reason) do update set count = f.count + excluded.count`;

const addDomains = (table: string, time: Unit, source: string) => `
    insert into ${table} as f (organization_id, ${time}, domain, application_id, channel_id, outcome, reason, project_id, count)
    select organization_id, "${time}", domain, application_id, channel_id, outcome, reason, max(project_id), sum(count)
    from ${source}
    group by 1, 2, 3, 4, 5, 6, 7 having sum(count) <> 0
    on conflict (organization_id, ${time}, domain, application_id, channel_id, outcome, reason) do update set count = f.count + excluded.count`;

/**
 * Adds the oldest changes to the figures and deletes them, in one statement: a kill loses and doubles nothing. An organization that moves keeps
 * its changes for the cell where it arrives. Returns how many it took, the hours, days and months that it has written, and the organizations whose days and months are
 * to be made from their hours: they have none yet, or in another time zone. $1: how many, $2: types of channels that send mails.
 */
export const COUNT_CHANGES = `
  with taken as (
    delete from figure_changes where id = any(array(
      select id from figure_changes c where not exists (select from organization_freezes f where f.organization_id = c.organization_id)
      order by id limit $1))
    returning *
  ), placed as materialized (
    -- An organization may have been deleted meanwhile.
    select t.*, h.hour, date_trunc('day', h.hour, counted.zone) "day", date_trunc('month', h.hour, counted.zone) "month"
    from taken t
    join (select id, coalesce(time_zone, 'UTC') zone from organizations) o on o.id = t.organization_id
    left join figure_zones z on z.organization_id = t.organization_id
    cross join lateral (select date_trunc('hour', to_timestamp(t.quarter * 900.0), o.zone) "hour") h
    cross join lateral (select case when z.time_zone = o.zone then o.zone end zone) counted
  ), known as materialized (
    select t.organization_id, t.hour, t.day, t.month, t.notification_id, t.channel_id,
           split_part(t.outcome, '/', 1) outcome, split_part(t.outcome, '/', 2) reason, t.seconds, t.domain, t.count,
           coalesce(e.id, was.event_id, 0) event_id, coalesce(a.id, was.application_id, 0) application_id, coalesce(a.project_id, was.project_id, 0) project_id
    from placed t
    left join notifications n on n.id = t.notification_id
    left join events e on e.id = n.event_id
    left join applications a on a.id = e.application_id
    left join lateral (
      -- The notification was deleted, but an earlier change of its messages was counted.
      select event_id, application_id, project_id from figures f
      where n.id is null and f.organization_id = t.organization_id and f.notification_id = t.notification_id and f.hour = t.hour
      limit 1
    ) was on true
  ), outcomes as materialized (
    select organization_id, hour, day, month, notification_id, channel_id, outcome, reason, count, event_id, application_id, project_id from known
    union all
    select organization_id, hour, day, month, notification_id, channel_id, 'within', seconds::text, count, event_id, application_id, project_id
    from known where seconds is not null
  ), of_hours as (${add('figures', 'hour', 'outcomes')}
    returning organization_id, hour
  ), of_days as (${add('daily_figures', 'day', '(select * from outcomes where day is not null) o')}
    returning organization_id, day
  ), of_months as (${add('monthly_figures', 'month', '(select * from outcomes where month is not null) o')}
    returning organization_id, month
  ), of_domains as materialized (
    select k.organization_id, k.hour, k.day, k.month, k.domain, k.application_id, k.channel_id, k.outcome, k.reason, k.project_id, sum(k.count) count,
           exists (select from domain_figures f where f.organization_id = k.organization_id and f.hour = k.hour and f.domain = k.domain) has_rows
    from known k join channels c on c.id = k.channel_id and c.type = any($2)
    where k.domain is not null
    group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 having sum(k.count) <> 0
  ), numbered as (
    select *, sum(count) over (partition by organization_id, hour, domain) total, row_number() over (partition by organization_id, hour) nth from of_domains
  ), ranked as (
    -- Without a join: PostgreSQL expects one row of each part, and would number all domains again for each of them. 5,000 changes took 20 s.
    select *, dense_rank() over (partition by organization_id, hour, has_rows order by total desc, domain) place,
           max(case when nth = 1 then ${MAX_DOMAINS} - (
             select count(distinct f.domain) from domain_figures f where f.organization_id = n.organization_id and f.hour = n.hour) end
           ) over (partition by organization_id, hour) free
    from numbered n
  ), named as materialized (
    select organization_id, hour, day, month, case when has_rows or place <= free then domain else '*' end as domain,
           application_id, channel_id, outcome, reason, project_id, count
    from ranked
  ), domains_of_hours as (${addDomains('domain_figures', 'hour', 'named')}
    returning organization_id, hour
  ), domains_of_days as (${addDomains('daily_domain_figures', 'day', '(select * from named where day is not null) d')}
    returning organization_id, day
  ), domains_of_months as (${addDomains('monthly_domain_figures', 'month', '(select * from named where month is not null) d')}
    returning organization_id, month
  )
  select (select count(*)::int from taken) taken,
         coalesce((select json_agg(json_build_array(organization_id, hour)) from (select * from of_hours union select * from domains_of_hours) h), '[]')::text hours,
         coalesce((select json_agg(json_build_array(organization_id, day)) from (select * from of_days union select * from domains_of_days) d), '[]')::text days,
         coalesce((select json_agg(json_build_array(organization_id, month)) from (select * from of_months union select * from domains_of_months) m), '[]')::text months,
         array(select distinct organization_id from placed where day is null) without_days`;

/** Messages that wait no more leave rows that count nothing. $1: hours, days or months of organizations, as JSON. */
const deleteEmpty = (table: string, time: Unit) => `
  delete from ${table} f using json_array_elements($1::json) t
  where f.organization_id = (t->>0)::int and f.${time} = (t->>1)::timestamptz and f.count = 0`;

export const DELETE_EMPTY = {
  hours: [deleteEmpty('figures', 'hour'), deleteEmpty('domain_figures', 'hour')],
  days: [deleteEmpty('daily_figures', 'day'), deleteEmpty('daily_domain_figures', 'day')],
  months: [deleteEmpty('monthly_figures', 'month'), deleteEmpty('monthly_domain_figures', 'month')],
};

const TABLES_OF_DAYS = ['daily_figures', 'daily_domain_figures', 'monthly_figures', 'monthly_domain_figures'];
export const FORGET_DAYS = TABLES_OF_DAYS.map((table) => `delete from ${table} where organization_id = $1`);

export const TIME_ZONE = `select coalesce(time_zone, 'UTC') "timeZone" from organizations where id = $1`;

const within = (table: string, part: Unit, time: Unit) =>
  `(select *, date_trunc('${time}', ${part}, $2) "${time}" from ${table} where organization_id = $1) f`;

/** Makes the days of an organization from its hours, and the months from the days. $1: organization, $2: its time zone. */
export const MAKE_DAYS = [
  add('daily_figures', 'day', within('figures', 'hour', 'day')),
  addDomains('daily_domain_figures', 'day', within('domain_figures', 'hour', 'day')),
  add('monthly_figures', 'month', within('daily_figures', 'day', 'month')),
  addDomains('monthly_domain_figures', 'month', within('daily_domain_figures', 'day', 'month')),
  `
  insert into figure_zones (organization_id, time_zone) values ($1, $2)
  on conflict (organization_id) do update set time_zone = excluded.time_zone`,
];
