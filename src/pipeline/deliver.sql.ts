import { Notice } from '../prisma/notice.js';
import { Task, jobKey } from '../queue/task.js';

/** What all messages of a chunk share. $1 occurrence, $2 channel. */
export const LOAD_SHARED = `
  select o.context, o.options, o.created_at "createdAt", r.rules,
         json_build_object('slug', e.slug, 'name', e.name) event,
         json_build_object('slug', a.slug, 'name', a.name) application,
         json_build_object('slug', p.slug, 'name', p.name) project,
         json_build_object('slug', g.slug, 'name', g.name) organization,
         c.slug, c.name, c.type, c.enabled, c.config, c.project_id "projectId", c.organization_id "organizationId"
  from occurrences o
  join rulesets r on r.id = o.ruleset_id
  join events e on e.id = o.event_id
  join applications a on a.id = e.application_id
  join projects p on p.id = a.project_id
  join organizations g on g.id = o.organization_id
  left join channels c on c.id = $2
  where o.id = $1`;

const IN_CHUNK = `occurrence_id = $1 and notification_id = $2 and channel_id = $3 and user_id > $4 and user_id <= $5`;

/** The people of a chunk whose message is due. */
export const LOAD_PEOPLE = `
  select d.id, d.attempts, d.user_id "userId", a.value address,
         u.email, u.first_name "firstName", u.last_name "lastName", u.locked, u.custom_fields "customFields"
  from deliveries d
  left join users u on u.id = d.user_id
  left join addresses a on a.id = d.address_id
  where ${IN_CHUNK.replaceAll(/\b(occurrence_id|notification_id|channel_id|user_id)\b/g, 'd.$1')}
    and d.status = 'pending' and (d.next_attempt_at is null or d.next_attempt_at <= now())
  order by d.user_id`;

/** Every message of the chunk that has not left stays unsent: its channel was switched off meanwhile. */
export const SKIP_CHUNK = `
  update deliveries set status = 'skipped', gate = 'channel_disabled', next_attempt_at = null
  where ${IN_CHUNK} and status = 'pending'`;

/**
 * What is left of the chunk, if anything, gets a job when its first messages are due; a little later, so that messages which
 * wait together are sent together. By its key it takes the place of the job that asks for it, should that one run again.
 */
export const COME_BACK = `
  select graphile_worker.add_job('${Task.Deliver}', priority => $6::int, job_key => ${jobKey('$1::uuid', '$2::int', '$3::int', '$4::int', '$5::int')},
    run_at => greatest(min(coalesce(next_attempt_at, now())), now()) + greatest(max(next_attempt_at) - now(), interval '0') * 0.05,
    payload => json_build_object('occurrence', $1::uuid, 'notification', $2::int, 'channel', $3::int, 'after', $4::int, 'last', $5::int))
  from deliveries where ${IN_CHUNK} and status = 'pending'
  having count(*) > 0`;

/**
 * Results, all in one statement. A row is written only if it stands where its attempt found it: a worker that was taken for
 * dead, and comes late, overwrites nothing.
 */
export const WRITE_OUTCOMES = `
  with input as (
    select * from unnest($1::bigint[], $2::int[], $3::text[], $4::timestamptz[], $5::text[], $6::timestamptz[], $7::int[], $8::text[], $9::text[],
                         $10::text[], $11::text[], $12::text[], $13::text[])
      i(id, attempts, status, next_attempt_at, reason, at, duration_ms, outcome, answer, subject, text, html, gate)
  ), done as (
    update deliveries d
    set status = i.status::delivery_status, attempts = d.attempts + 1, next_attempt_at = i.next_attempt_at, reason = i.reason,
        gate = i.gate::gate
    from input i
    where d.id = i.id and d.attempts = i.attempts and d.status = 'pending'
    returning d.id, d.attempts, d.organization_id, d.user_id
  ), tried as (
    insert into attempts (delivery_id, number, at, duration_ms, outcome, answer)
    select d.id, d.attempts, i.at, i.duration_ms, i.outcome::attempt_outcome, i.answer
    from done d join input i using (id) where i.outcome is not null
  ), shown as (
    insert into inbox_messages (organization_id, user_id, delivery_id, subject, text, html)
    select d.organization_id, d.user_id, d.id, i.subject, i.text, i.html
    from done d join input i using (id) where i.subject is not null
    on conflict (delivery_id) do nothing
    returning organization_id, user_id, id
  ), told as (
    -- One for all, and none without a message: NOTIFY serialises commits over the whole server. 8,000 bytes hold 200 of them.
    select pg_notify('${Notice.Inbox}', json_agg(json_build_array(organization_id, user_id, id))::text) from shown having count(*) > 0
  )
  select count(*)::int written, (select count(*) from told) told from done`;
