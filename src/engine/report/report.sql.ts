import type { Addition } from '../outcome/outcomes.sql.js';
import type { Result } from '../outcome/result.js';
import { insertReportJobs } from '../../platform/queue/job.sql.js';
import { ACKNOWLEDGED } from './status-webhook.js';
import type { StatusOutcome, StatusWebhook } from './status-webhook.js';

/** Deliveries in one report, at most: those of one batch of outcomes. */
export const MAX_DELIVERIES = 50;

const REPORTED_AS: Partial<Record<Result['status'], StatusOutcome>> = { sent: 'sent', pending: 'failed', dead: 'dead' };
const OUTCOME = `case d.status ${Object.entries(REPORTED_AS)
  .map(([status, outcome]) => `when '${status}' then '${outcome}'`)
  .join(' ')} end`;

/** Adds a job for each report of the CTE `reported`. */
const reportJobs = (application: string) =>
  `report_jobs as (${insertReportJobs(
    { id: 'id', application, at: 'now()', deliveries: 'deliveries', tries: '0' },
    'organization_id',
    'from reported returning id',
  )})`;

/** For an application with a status webhook: adds one job that reports the outcomes of a batch that the webhook wants. */
export const report = ({ application, outcomes }: StatusWebhook): Addition => ({
  name: 'report',
  concerns: ({ status }) => outcomes.some((outcome) => outcome === REPORTED_AS[status]),
  values: [application, outcomes],
  last: 'report_jobs',
  tables: (applicationId, wanted) => `reported as (
    select gen_random_uuid() id, min(d.organization_id) organization_id,
           json_agg(json_build_array(d.id, d.attempts, ${OUTCOME}) order by d.id) deliveries
    from done d where ${OUTCOME} = any(${wanted}::text[])
    having count(*) > 0
  ), ${reportJobs(`${applicationId}::int`)}`,
});

/** The same for the rows of `made` that are dead from the start. `occurrence` is SQL for the id of their occurrence. */
export const reportUndeliverable = (occurrence: string) => `reported as (
    select gen_random_uuid() id, w.application_id, w.organization_id,
           json_agg(json_build_array(d.id, d.attempts, ${OUTCOME}) order by d.id) deliveries
    from (select made.*, row_number() over (order by id) - 1 place from made where status = 'dead') d
    join occurrences o on o.id = ${occurrence}
    join events e on e.id = o.event_id
    join status_webhooks w on w.application_id = e.application_id and w.enabled and 'dead' = any(w.outcomes)
    group by w.application_id, w.organization_id, d.place / ${MAX_DELIVERIES}
  ), ${reportJobs('application_id')}`;

/** Reports an acknowledgement to the status webhook of its application, if it wants it. $1: occurrence, $2: organization, $3: key of the user's e-mail. */
export const REPORT_ACKNOWLEDGEMENT = insertReportJobs(
  {
    ...{ id: 'gen_random_uuid()', application: 'w.application_id', at: 'now()', deliveries: `'[]'::jsonb`, tries: '0' },
    acknowledgement: 'k.id',
  },
  'w.organization_id',
  `from acknowledgements k
   join occurrences o on o.id = k.occurrence_id
   join events e on e.id = o.event_id
   join status_webhooks w on w.application_id = e.application_id and w.enabled and '${ACKNOWLEDGED}' = any(w.outcomes)
   join users u on u.id = k.user_id
   where k.occurrence_id = $1::uuid and k.organization_id = $2::int and u.email_key = $3`,
);

const TIME = `'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'`;

/** Where a report goes. */
const WEBHOOK = `
  select w.url, w.secret, w.organization_id "organizationId", g.slug organization, p.slug project, a.slug application`;
const PLACE = `
  join applications a on a.id = w.application_id
  join projects p on p.id = a.project_id
  join organizations g on g.id = w.organization_id`;

/** Loads the status webhook and an acknowledgement. No row when the webhook does not want it any more, or it was deleted. $1: application, $2: acknowledgement. */
export const LOAD_ACKNOWLEDGEMENT_REPORT = `${WEBHOOK},
         json_build_object('occurrence', o.id, 'event', e.slug, 'user', u.email, 'at', to_char(k.at at time zone 'UTC', ${TIME}),
                           'way', k.way, 'step', k.step, 'note', k.note) acknowledgement
  from status_webhooks w${PLACE}
  join acknowledgements k on k.id = $2 and k.organization_id = w.organization_id
  join occurrences o on o.id = k.occurrence_id
  join events e on e.id = o.event_id and e.application_id = w.application_id
  join users u on u.id = k.user_id
  where w.application_id = $1 and w.enabled and '${ACKNOWLEDGED}' = any(w.outcomes)`;

/** One delivery in a report, with its fields in order. */
const DELIVERY = `
  json_build_object(
    'id', d.id, 'occurrence', o.id, 'event', e.slug,
    'notification', (select decision->>'name' from jsonb_array_elements(o.decisions) decision
                     where decision->'notification' = to_jsonb(d.notification_id) limit 1),
    'channel', c.slug, 'user', u.email, 'outcome', r.outcome, 'attempt', r.attempt,
    'at', to_char(coalesce(x.at, t.at, $3::timestamptz) at time zone 'UTC', ${TIME}),
    'answer', coalesce(x.detail, t.answer, case when d.attempts = r.attempt then d.reason end))`;

/**
 * Loads an application's status webhook and the content of a report. No row when the webhook or the deliveries were deleted.
 * $1: application, $2: the deliveries of the report, $3: its time, used for deliveries without a call to a provider.
 */
export const LOAD_REPORT = `${WEBHOOK}, content.deliveries
  from status_webhooks w${PLACE}
  cross join lateral (
    select json_agg(${DELIVERY} order by i.place) deliveries
    from jsonb_array_elements($2::jsonb) with ordinality i(entry, place)
    cross join lateral (select (entry->>0)::bigint id, (entry->>1)::int attempt, entry->>2 outcome) r
    join deliveries d on d.id = r.id and d.organization_id = w.organization_id
    join occurrences o on o.id = d.occurrence_id
    join events e on e.id = o.event_id and e.application_id = w.application_id
    left join channels c on c.id = d.channel_id
    left join users u on u.id = d.user_id
    left join lateral (
      select at, detail from delivery_reports where delivery_id = d.id and state::text = r.outcome order by at desc limit 1
    ) x on true
    left join attempts t on t.delivery_id = d.id and t.number = r.attempt
    where r.outcome = any(w.outcomes)
  ) content
  where w.application_id = $1 and w.enabled and content.deliveries is not null`;
