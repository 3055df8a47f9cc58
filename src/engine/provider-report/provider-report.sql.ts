import { insertJobs, insertReportJobs } from '../../platform/queue/job.sql.js';
import { LAST_JOB_PRIORITY } from '../../platform/queue/priority.js';
import { Task } from '../../platform/queue/task.js';
import { AS_BOUNCE, insertSuppressions } from '../outcome/suppress.sql.js';
import { MAX_DELIVERIES } from '../report/report.sql.js';

/** Mail programs and scanners open mails that nobody reads: this proves only that the mail arrived. */
const PROVEN = `case when state = 'seen' and by = 'machine' then 'delivered' else state end`;

/** Reports that are kept about one delivery, about. A service sends one or two; each click in a mail is one more. */
const MAX_OF_DELIVERY = 100;

/** The outcome that the status webhook of an application gets, if the state of a delivery has changed. */
const reportJobs = `told as (
    select gen_random_uuid() id, w.application_id, w.organization_id,
           json_agg(json_build_array(d.id, d.attempts, d.report) order by d.id) deliveries
    from (select raised.*, row_number() over (order by id) - 1 place from raised) d
    join occurrences o on o.id = d.occurrence_id
    join events e on e.id = o.event_id
    -- With an offset: a look-up for each, whatever PostgreSQL believes about their number.
    cross join lateral (
      select * from status_webhooks where application_id = e.application_id and enabled and d.report::text = any(outcomes) offset 0
    ) w
    where d.before is distinct from d.report
    group by w.application_id, w.organization_id, d.place / ${MAX_DELIVERIES}
  ), report_jobs as (${insertReportJobs(
    { id: 'id', application: 'application_id', at: 'now()', deliveries: 'deliveries', tries: '0' },
    'organization_id',
    'from told',
  )})`;

/**
 * Writes reports, each to the delivery that it names by our reference or by the provider's id, and only over its own channel. A report that
 * is known already changes nothing. The state of a delivery only rises. A delivery that waits for another attempt, because the answer to
 * the last one was lost, was sent. Returns the reports without a delivery, and how many are new. $1: the reports.
 */
export const APPLY_REPORTS = `
  with input as (
    select * from jsonb_to_recordset($1::jsonb)
      i(n int, channel int, organization int, occurrence uuid, delivery bigint, provider_id text, event text,
        state report_state, at timestamptz, by seen_by, detail text)
  ), found as (
    select i.*, m.id delivery_id
    from input i
    cross join lateral (
      select d.id from deliveries d
      where d.id = i.delivery and d.occurrence_id = i.occurrence and d.channel_id = i.channel
        and d.organization_id = i.organization and d.attempts > 0
      union all
      select a.delivery_id from attempts a
      where i.delivery is null and a.channel_id = i.channel and a.provider_id = i.provider_id
      limit 1
    ) m
  ), fresh as (
    insert into delivery_reports (delivery_id, event, state, at, by, detail)
    select distinct on (delivery_id, event) delivery_id, event, state, at, by, detail from found f
    where (select count(*) from delivery_reports r where r.delivery_id = f.delivery_id) < ${MAX_OF_DELIVERY} order by delivery_id, event
    on conflict do nothing
    returning delivery_id, state, at, by, detail
  ), highest as (
    select delivery_id, max(${PROVEN}) state from fresh group by delivery_id
  ), locked as materialized (
    -- In order: two statements about the same deliveries must not wait for each other.
    select d.id, d.report before, h.state from deliveries d join highest h on h.delivery_id = d.id order by d.id for no key update of d
  ), raised as (
    update deliveries d
    set report = greatest(d.report, l.state),
        status = case when d.status = 'pending' and d.attempts > d.attempts_before then 'sent' else d.status end,
        next_attempt_at = case when d.status = 'pending' and d.attempts > d.attempts_before then null else d.next_attempt_at end
    from locked l where d.id = l.id
    returning d.*, l.before
  ), suppressed as (${insertSuppressions(`
    select distinct on (1, 3, 5, 6) d.organization_id, c.project_id, a.name, r.recipient, suppression_key(r.recipient, c.project_id),
           (case f.state when 'complained' then 'complaint' else 'hard_bounce' end)::suppression_cause,
           jsonb_build_object('delivery', d.id, 'occurrence', d.occurrence_id, 'answer', f.detail, 'at', f.at,
                              'channels', jsonb_build_array(c.slug), 'report', f.state)
    from fresh f
    join deliveries d on d.id = f.delivery_id
    join addresses a on a.id = d.address_id
    join channels c on c.id = d.channel_id
    left join messages m on m.delivery_id = d.id
    cross join lateral (select coalesce(m.recipient, a.value) recipient) r
    cross join ${AS_BOUNCE}
    where f.state in ('bounced', 'complained') and r.recipient <> ''
    order by 1, 3, 5, 6, d.id`)}
  ), ${reportJobs}
  select array(select n from input i where not exists (select from found f where f.n = i.n)) unknown, (select count(*)::int from fresh) fresh`;

/** Jobs of reports that wait for their delivery, for one organization. Each holds up to 100 reports. */
const MAX_WAITING_JOBS = 500;

/**
 * Keeps reports until their delivery is stored: the provider may report before its answer is written. No row if too many wait. $1:
 * organization, $2: payload, $3: milliseconds to wait.
 */
export const KEEP_REPORTS = insertJobs(
  {
    task: Task.ApplyReports,
    organization: '$1::int',
    lane: `'provider-reports'`,
    priority: LAST_JOB_PRIORITY,
    runAt: `now() + $3::int * interval '1 millisecond'`,
    payload: '$2::jsonb',
  },
  `from (select count(*) waiting from (
     select from jobs where organization_id = $1 and state in ('scheduled', 'paused') and task = '${Task.ApplyReports}' limit ${MAX_WAITING_JOBS}) w) c
   where c.waiting < ${MAX_WAITING_JOBS}`,
);
