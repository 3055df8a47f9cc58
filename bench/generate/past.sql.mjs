// Past occurrences and their deliveries.

// Spread over the last three weeks. Each organization has one occurrence at each time. Every fiftieth is canceled. $1: number
// of times.
export const OCCURRENCES = `
  insert into occurrences (id, organization_id, event_id, ruleset_id, context, options, status, decisions, created_at, expanded_at, canceled_at)
  select uuidv7(made_at - now()), e.organization_id, e.id, e.ruleset_id, '{"order": "A-17", "total": 120}', '{}',
         case when canceled then 'canceled' else 'expanded' end::occurrence_status,
         jsonb_build_array(jsonb_build_object('notification', notification_id, 'name', 'Tell all', 'verdict', 'matched',
           'channels', jsonb_build_array(jsonb_build_object('channel', channel_id, 'slug', 'out', 'verdict', 'open')))),
         made_at, made_at, case when canceled then made_at end
  from generate_series(1, $1::int) n, trees t join events e on e.id = t.event_id,
    lateral (select now() - interval '3 weeks' * n / ($1::int + 1) made_at, (n + t.organization_id) % 50 = 0 canceled) facts
  order by n desc, e.id`;

/** The last occurrence of each batch, in order. $1: occurrences per batch. */
export const BATCHES = `
  select id from (select id, row_number() over (order by id) place, count(*) over () total from occurrences join trees using (organization_id)) o
  where place % $1::int = 0 or place = total
  order by id`;

// Of 100 deliveries, 92 are sent, four skipped and three rejected. One is retried in ten hours if its occurrence is from today
// (since $3), and sent otherwise. All deliveries of a canceled occurrence are skipped. Each delivery that was tried has one
// attempt; each that was sent or rejected has its message. Occurrences after $1, up to $2.
export const DELIVERIES = `
  with facts as materialized (
    select o.id, organization_id, t.notification_id, t.channel_id, u.id user_id, u.email, made_at,
           case when o.status = 'canceled' then 'canceled' when place < 2 then 'locked' when place < 4 then 'no_address' end::gate gate,
           case when o.status = 'canceled' or place < 4 then 'skipped' when place < 7 then 'dead'
                when place = 7 and made_at >= $3 then 'pending' else 'sent' end::delivery_status status
    from (select id, organization_id, status, created_at made_at from occurrences where id > $1 and id <= $2) o
    join trees t using (organization_id) join users u using (organization_id),
    lateral (select (hashint8(u.id + extract(epoch from made_at)::bigint) & 2147483647) % 100 place) p
    order by o.id, u.id
  ), made as (
    insert into deliveries (occurrence_id, organization_id, notification_id, channel_id, user_id, attempts, status, gate, next_attempt_at,
                            reason, pending_since)
    select id, organization_id, notification_id, channel_id, user_id, (gate is null)::int, status, gate,
           case status when 'pending' then now() + interval '10 hours' end, case status when 'dead' then 'no such mailbox' end, made_at
    from facts
    returning id, occurrence_id, organization_id, notification_id, channel_id, user_id, status, next_attempt_at, pending_since
  ), tried as (
    insert into attempts (delivery_id, number, at, duration_ms, outcome, answer)
    select id, 1, pending_since, 12,
           case status when 'sent' then 'sent' when 'dead' then 'rejected' else 'retry' end::attempt_outcome,
           case status when 'sent' then '250 2.0.0 Ok: queued as 4D1F' when 'dead' then '550 no such mailbox' else '451 try again later' end
    from made where status <> 'skipped'
  ), said as (
    insert into messages (delivery_id, recipient, subject, text, html)
    select id, concat('user', user_id, '@generated', organization_id, '.test'), 'Order A-17 paid', 'Hi User, 120 EUR.', ''
    from made where status in ('sent', 'dead')
  ), shown as (
    insert into inbox_messages (organization_id, user_id, delivery_id, occurrence_id, subject, text, html, created_at)
    select organization_id, user_id, id, occurrence_id, 'Order A-17 paid', 'Hi User, 120 EUR.', '', pending_since
    from made where status = 'sent' and pending_since >= $3
  )
  insert into jobs (task, organization_id, lane, state, run_at, payload)
  select 'deliver', organization_id, concat('normal:', channel_id), 'scheduled', max(next_attempt_at),
    json_build_object('occurrence', occurrence_id, 'notification', notification_id, 'channel', channel_id, 'after', 0,
      'last', max(user_id), 'template', null, 'lot', null, 'priority', 'normal')
  from made where status = 'pending' group by organization_id, occurrence_id, notification_id, channel_id`;

/** Gives the newest occurrence of each organization an idempotency key. $1: since when. */
export const IDEMPOTENCY_KEYS = `
  insert into idempotency_keys (event_id, key, body_hash, occurrence_id)
  select o.event_id, o.id::text, sha256(o.id::text::bytea), o.id
  from occurrences o join trees using (organization_id) where created_at >= $1`;
