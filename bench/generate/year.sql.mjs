// A year of one organization: who gets what over which channel, and what became of it.

// Four projects with two applications of five events each; a mail, an SMS and a webhook channel of each project.
export const TREE = [
  `insert into organizations (slug, name, time_zone) values ('year', 'Year', 'Europe/Berlin')`,
  `create temporary view one as select id from organizations where slug = 'year'`,
  `insert into projects (organization_id, slug, name) select id, 'p' || n, 'Project ' || n from one, generate_series(1, 4) n`,
  `insert into channels (organization_id, project_id, slug, name, type, config)
   select one.id, p.id, c.slug, c.slug, c.type, c.config::jsonb from projects p join one on one.id = p.organization_id,
     (values ('mail', 'email', '{"host": "mail.test", "from": "a@mail.test"}'), ('sms', 'webhook', '{"url": "https://sms.test/in"}'),
             ('hook', 'webhook', '{"url": "https://hook.test/in"}')) c (slug, type, config)`,
  `insert into applications (organization_id, project_id, slug, name)
   select organization_id, p.id, 'a' || n, 'Application ' || n from projects p join one on one.id = organization_id, generate_series(1, 2) n`,
  `insert into events (organization_id, application_id, slug, name)
   select organization_id, a.id, 'e' || n, 'Event ' || n from applications a join one on one.id = organization_id, generate_series(1, 5) n`,
  `insert into notifications (organization_id, event_id, name)
   select organization_id, e.id, 'Tell' from events e join one on one.id = organization_id`,
];

// Of 3,000 domains, the largest has a twelfth of the users, and half of the domains have one or two in a thousand of them together. $1: users.
export const USERS = [
  `insert into users (organization_id, email, email_key, first_name, last_name)
   select one.id, email, email, 'User', n::text
   from one, generate_series(1, $1::int) n,
     lateral (select concat('user', n, '@domain', floor(3000 ^ ((hashint8(n) & 2147483647) / 2147483648.0))::int, '.test') email) e
   order by n`,
  `insert into addresses (organization_id, user_id, name, value)
   select organization_id, u.id, 'email', email from users u join one on one.id = organization_id order by u.id`,
];

// $1: how many in the year, $2 and $3: the first and the last of them to make. Some events are triggered more often than others.
export const OCCURRENCES = `
  insert into occurrences (id, organization_id, event_id, context, options, status, decisions, created_at, expanded_at)
  select uuidv7(at - now()), e.organization_id, e.id, jsonb_build_object('order', n), '{}', 'expanded', '[]', at, at
  from generate_series($2::int, $3::int) n,
    lateral (select (hashint8(n) & 2147483647) / 2147483648.0 share, now() - interval '1 minute' - interval '365 days' * ($1::int - n) / $1::int as at) t
    join (select e.*, row_number() over (order by e.id) - 1 place, count(*) over () events from events e join one on one.id = organization_id) e
      on e.place = floor(events * share * share)
  order by n
  returning id`;

/** Of each occurrence: 70 mails, 15 SMS and 15 webhooks. */
export const PER_OCCURRENCE = 100;

// Of 1,000 messages, 45 are skipped and 25 fail; of those of the last hour, some wait. Half of the mails that were sent are reported.
const FACTS = `
  select o.id, o.organization_id, n.id notification_id, c.id channel_id, u.id user_id, case when c.slug = 'mail' then a.id end address_id, u.email, made_at,
         case when place < 45 then 'skipped' when place < 70 then 'dead' when place < 150 and made_at > now() - interval '1 hour' then 'pending'
              else 'sent' end::delivery_status status,
         case when place < 25 then 'opted_out' when place < 35 then 'no_address' when place < 40 then 'locked' when place < 45 then 'suppressed' end::gate gate,
         case when place < 45 then null when place < 60 then 'rejected by the provider: 550 no such mailbox' when place < 65 then 'given up after 8 attempts'
              when place < 70 then 'the template has a mistake' end reason,
         case when c.slug = 'mail' and place >= 150 then (array['delivered', 'delivered', 'delivered', 'seen', 'bounced', 'soft_bounced'])[1 + place * 7 % 13] end::report_state report,
         (array[1, 1, 1, 2, 2, 5, 10, 30, 300])[1 + place % 9] seconds
  from (select id, organization_id, event_id, created_at made_at, row_number() over (order by id) nth from occurrences where id = any($1::uuid[])) o
  join notifications n on n.event_id = o.event_id
  join events e on e.id = o.event_id join applications ap on ap.id = e.application_id
  cross join generate_series(0, ${PER_OCCURRENCE - 1}) i
  join channels c on c.project_id = ap.project_id and c.slug = case when i < 70 then 'mail' when i < 85 then 'sms' else 'hook' end
  cross join (select min(u.id) first, count(*) users from users u join one on one.id = organization_id) f
  join users u on u.id = f.first + ((hashint8(n.id) & 65535) + o.nth * 37 + i) % f.users
  join addresses a on a.user_id = u.id
  cross join lateral (select (hashint8(u.id + extract(epoch from made_at)::bigint) & 2147483647) % 1000 place) p
  order by o.id, n.id, c.id, u.id`;

const MESSAGES = `
  insert into messages (delivery_id, recipient, subject, text, html)
  select m.id, f.email, 'Order paid', 'Hi User, 120 EUR.', ''
  from made m join facts f on (f.id, f.notification_id, f.channel_id, f.user_id) = (m.occurrence_id, m.notification_id, m.channel_id, m.user_id)
  where f.address_id is not null and f.status in ('sent', 'dead')`;

const insertAs = (columns) => `
  insert into deliveries (occurrence_id, organization_id, notification_id, channel_id, user_id, address_id, attempts, pending_since, status, gate, reason, report)
  select id, organization_id, notification_id, channel_id, user_id, address_id, 1, ${columns} from facts
  returning id, occurrence_id, notification_id, channel_id, user_id`;

/** Deliveries that have come to their end, and what triggers would have noted about them. $1: occurrences. */
export const ENDED = `
  with facts as materialized (${FACTS}), made as (${insertAs('made_at, status, gate, reason, report')}), said as (${MESSAGES})
  insert into figure_changes (organization_id, quarter, notification_id, channel_id, outcome, seconds, domain, count)
  select organization_id, floor(extract(epoch from made_at) / 900)::int, notification_id, channel_id, figure_outcome(status, gate, reason, report),
         case status when 'sent' then seconds end,
         case when address_id is not null and status in ('sent', 'dead') then split_part(email, '@', 2) end, count(*)
  from facts group by 1, 2, 3, 4, 5, 6, 7`;

const CHANGES = `
  select c.organization_id, date_trunc('hour', to_timestamp(quarter * 900.0), 'Europe/Berlin') "hour", c.notification_id, channel_id,
         split_part(outcome, '/', 1) outcome, split_part(outcome, '/', 2) reason, seconds, domain, count, e.id event_id, a.id application_id, a.project_id
  from figure_changes c join notifications n on n.id = c.notification_id join events e on e.id = n.event_id join applications a on a.id = e.application_id`;

/** The hours of what was noted so far, as the worker would count them: it takes some 200 us for each change. */
export const HOURS = [
  `create temporary table changes as ${CHANGES}`,
  `analyze changes`,
  `insert into figures (organization_id, hour, notification_id, channel_id, outcome, reason, project_id, application_id, event_id, count)
   select organization_id, hour, notification_id, channel_id, what, why, max(project_id), max(application_id), max(event_id), sum(count)
   from (select *, outcome what, reason why from changes union all select *, 'within', seconds::text from changes where seconds is not null) c
   group by 1, 2, 3, 4, 5, 6 order by 1, 2, 3, 4, 5, 6`,
  `insert into domain_figures (organization_id, hour, domain, application_id, channel_id, outcome, reason, project_id, count)
   select organization_id, hour, case when place <= 200 then domain else '*' end, application_id, channel_id, outcome, reason, max(project_id), sum(count)
   from (
     select *, dense_rank() over (partition by organization_id, hour order by total desc, domain) place
     from (select *, sum(count) over (partition by organization_id, hour, domain) total from changes where domain is not null) c
   ) c
   group by 1, 2, 3, 4, 5, 6, 7 order by 1, 2, 3, 4, 5, 6, 7`,
  `drop table changes`,
  `truncate figure_changes`,
];

/** The same in the way of a worker: deliveries that wait are sent, and reported. The triggers of the database note it. $1: occurrences. */
export const SENT = [
  `create temporary table facts as ${FACTS}`,
  `analyze facts`,
  `with made as (${insertAs(`now(), case status when 'skipped' then 'skipped' else 'pending' end::delivery_status, gate, null, null`)})
   ${MESSAGES}`,
  `update deliveries d set status = f.status, reason = f.reason from facts f
   where d.occurrence_id = f.id and d.notification_id = f.notification_id and d.channel_id = f.channel_id and d.user_id = f.user_id and f.status in ('sent', 'dead')`,
  `update deliveries d set report = f.report from facts f
   where d.occurrence_id = f.id and d.notification_id = f.notification_id and d.channel_id = f.channel_id and d.user_id = f.user_id and f.report is not null`,
  `drop table facts`,
];
