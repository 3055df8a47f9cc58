import { Notice } from '../prisma/notice.js';
import { addDeliverJob } from '../queue/task.js';

/**
 * Results, all in one statement. A row is written only if it stands where its attempt found it: a worker that was taken for dead,
 * and comes late, overwrites nothing. What was canceled while it was in flight says what became of it all the same.
 */
export const WRITE_OUTCOMES = outcomes('', 'true');

/**
 * The same for a channel with a fallback: who was given up gets a delivery over that, at once. $17 the other channel, $18 the kind
 * of address it needs, $19 the channel whose template it uses (none: its own), $20 priority.
 */
export const WRITE_OUTCOMES_OR_FALL_BACK = outcomes(
  `, fallen as (
    insert into deliveries (occurrence_id, organization_id, notification_id, channel_id, user_id, address_id, gate, status,
                            fallback_of, template_channel_id)
    select d.occurrence_id, d.organization_id, d.notification_id, $17, d.user_id, a.id, g.gate,
           (case when g.gate is null then 'pending' else 'skipped' end)::delivery_status, d.id, $19
    from done d
    join input i using (id)
    left join lateral (
      select id from addresses where user_id = d.user_id and name = $18::text order by id limit 1
    ) a on true
    cross join lateral (select case when $18::text is not null and a.id is null then 'no_address' end::gate gate) g
    where d.status = 'dead' and i.falls_back
    on conflict (occurrence_id, notification_id, channel_id, user_id) do nothing
    returning occurrence_id, notification_id, channel_id, user_id, status
  ), fallen_jobs as (
    select ${addDeliverJob({
      occurrence: 'occurrence_id',
      notification: 'notification_id',
      channel: 'channel_id',
      after: 'min(user_id) - 1',
      last: 'max(user_id)',
      template: '$19::int',
      priority: '$20::text',
    })}
    from fallen where status = 'pending'
    group by occurrence_id, notification_id, channel_id
  )`,
  '(select count(*) from fallen_jobs) >= 0',
);

// PostgreSQL evaluates a query in a WITH only if someone asks for it: `asked` is what asks.
function outcomes(more: string, asked: string): string {
  return `
  with input as (
    select * from unnest($1::bigint[], $2::int[], $3::text[], $4::timestamptz[], $5::text[], $6::text[], $7::timestamptz[], $8::int[],
                         $9::text[], $10::text[], $11::text[], $12::text[], $13::text[], $14::text[], $15::bool[], $16::bool[])
      i(id, attempts, status, next_attempt_at, gate, reason, at, duration_ms, outcome, answer, recipient, subject, text, html, inbox, falls_back)
  ), done as (
    update deliveries d
    set status = case when d.gate = 'canceled' and i.status = 'pending' then d.status else i.status::delivery_status end,
        gate = case when d.gate = 'canceled' and i.status = 'pending' then d.gate else i.gate::gate end,
        next_attempt_at = case when d.gate = 'canceled' then null else i.next_attempt_at end,
        attempts = d.attempts + (i.outcome is not null)::int, reason = i.reason
    from input i
    where d.id = i.id and d.attempts = i.attempts and (d.status = 'pending' or d.gate = 'canceled')
    returning d.*
  ), tried as (
    insert into attempts (delivery_id, number, at, duration_ms, outcome, answer)
    select d.id, d.attempts, i.at, i.duration_ms, i.outcome::attempt_outcome, i.answer
    from done d join input i using (id) where i.outcome is not null
  ), said as (
    insert into messages (delivery_id, recipient, subject, text, html)
    select d.id, i.recipient, i.subject, i.text, i.html
    from done d join input i using (id) where i.subject is not null and d.status in ('sent', 'dead')
    on conflict (delivery_id) do update
      set recipient = excluded.recipient, subject = excluded.subject, text = excluded.text, html = excluded.html
  ), shown as (
    insert into inbox_messages (organization_id, user_id, delivery_id, subject, text, html)
    select d.organization_id, d.user_id, d.id, i.subject, i.text, i.html
    from done d join input i using (id) where i.inbox
    on conflict (delivery_id) do nothing
    returning organization_id, user_id, id
  ), told as (
    -- One for all, and none without a message: NOTIFY serialises commits over the whole server. 8,000 bytes hold 200 of them.
    select pg_notify('${Notice.Inbox}', json_agg(json_build_array(organization_id, user_id, id))::text) from shown having count(*) > 0
  )${more}
  select count(*)::int written, (select count(*) from told) told from done where ${asked}`;
}
