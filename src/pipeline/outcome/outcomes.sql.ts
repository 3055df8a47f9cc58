import { Notice } from '../../prisma/notice.js';
import type { Priority } from '../../queue/priority.js';
import { LOT, addDeliverJob } from '../../queue/task.js';
import type { Result } from './result.js';

/**
 * More that the same statement does with what it has written. It is left out where no result wants it: PostgreSQL makes everything of
 * a statement ready, also what then has nothing to do.
 */
export interface Addition {
  name: string;
  /** Whether a result causes it: a batch without such a result is written without it. */
  concerns: (result: Result) => boolean;
  values: unknown[];
  /** Table expressions, from the SQL of each value. */
  tables: (...values: string[]) => string;
  /** The one that nobody else reads: it is counted, because PostgreSQL runs no query of a `with` that nobody reads. */
  last: string;
}

/** The channel that is tried when this one has given up. */
export interface Fallback {
  channelId: number;
  addressKind: string | null;
  /** Whose template it uses; none: it has one of its own in the rule. */
  template: number | null;
}

/** Over a channel with a fallback: who was given up gets a delivery over that, at once. */
export const fallBack = ({ channelId, addressKind, template }: Fallback, priority: Priority): Addition => ({
  name: 'fall-back',
  concerns: ({ status, fallsBack }) => status === 'dead' && fallsBack,
  values: [channelId, addressKind, template, priority],
  last: 'fallen_jobs',
  tables: (channel, kind, templateChannel, priorityName) => `fallen as (
    insert into deliveries (occurrence_id, organization_id, notification_id, channel_id, user_id, address_id, gate, status,
                            fallback_of, template_channel_id, lot)
    select d.occurrence_id, d.organization_id, d.notification_id, ${channel}::int, d.user_id, a.id, g.gate,
           (case when g.gate is null then 'pending' else 'skipped' end)::delivery_status, d.id, ${templateChannel}::int, ${LOT}
    from done d
    join input i using (id)
    left join lateral (
      select id from addresses where user_id = d.user_id and name = ${kind}::text order by id limit 1
    ) a on true
    cross join lateral (select case when ${kind}::text is not null and a.id is null then 'no_address' end::gate gate) g
    where d.status = 'dead' and i.falls_back
    -- One that stood in before, and died, has another chance.
    on conflict (occurrence_id, notification_id, channel_id, user_id) do update
      set status = 'pending', attempts_before = deliveries.attempts, lot = excluded.lot, pending_since = now(), reason = null
      where deliveries.status = 'dead' and deliveries.fallback_of = excluded.fallback_of
    returning occurrence_id, notification_id, channel_id, user_id, status, lot
  ), fallen_jobs as (
    select ${addDeliverJob({
      occurrence: 'occurrence_id',
      notification: 'notification_id',
      channel: 'channel_id',
      after: 'min(user_id) - 1',
      last: 'max(user_id)',
      template: `${templateChannel}::int`,
      lot: 'lot',
      priority: `${priorityName}::text`,
    })}
    from fallen where status = 'pending'
    group by occurrence_id, notification_id, channel_id, lot
  )`,
});

/** In-app messages are shown, and those who look are told. */
export const show: Addition = {
  name: 'show',
  concerns: ({ inbox }) => inbox,
  values: [],
  last: 'told',
  tables: () => `shown as (
    insert into inbox_messages (organization_id, user_id, delivery_id, subject, text, html)
    select d.organization_id, d.user_id, d.id, i.subject, i.text, i.html
    from done d join input i using (id) where i.inbox and exists (select from users u where u.id = d.user_id)
    on conflict (delivery_id) do nothing
    returning organization_id, user_id, id
  ), told as (
    -- One for all, and none without a message: NOTIFY serialises commits over the whole server. 8,000 bytes hold 200 of them.
    select pg_notify('${Notice.Inbox}', json_agg(json_build_array(organization_id, user_id, id))::text) from shown having count(*) > 0
  )`,
};

const OWN_VALUES = 16;

/**
 * Results, all in one statement. A row is written only if it stands where its attempt found it: a worker that was taken for dead,
 * and comes late, overwrites nothing. What was canceled while it was in flight says what became of it all the same.
 */
export function writeOutcomes(additions: Addition[]): { name: string; text: string } {
  let last = OWN_VALUES;
  const tables = additions.map(({ values, tables }) => `, ${tables(...values.map(() => `$${++last}`))}`);
  const counts = additions.map((addition) => `, (select count(*) from ${addition.last})`);
  const text = `
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
  )${tables.join('')}
  select (select count(*) from done)${counts.join('')}`;
  return { name: ['write-outcomes', ...additions.map(({ name }) => name)].join('-'), text };
}
