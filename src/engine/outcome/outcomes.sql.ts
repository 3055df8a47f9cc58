import { Notice } from '../../platform/database/notice.js';
import { JOB_OF_GROUP, LOT, insertDeliverJobs } from '../../platform/queue/deliver-job.js';
import type { Priority } from '../../platform/queue/priority.js';
import { FIRST_ADDRESS } from '../../rules/ruleset/users.sql.js';
import type { Result } from './result.js';

/**
 * More work that the same statement does with the written rows. It is left out when no result needs it: PostgreSQL plans every CTE of
 * a statement, even unused ones.
 */
export interface Addition {
  name: string;
  /** Whether a result needs the addition. */
  concerns: (result: Result) => boolean;
  values: unknown[];
  /** One more value, made of the results that are written. */
  fromResults?: (results: Result[]) => unknown;
  /** The CTEs, from the SQL of each value. */
  tables: (...values: string[]) => string;
  /** Instead of them, if a message has more than its text. */
  richTables?: () => string;
  /** The last CTE. The statement counts its rows: PostgreSQL does not run a `select` CTE that nothing reads. */
  last: string;
}

/** The channel that is tried when another one has given up. */
export interface Fallback {
  channelId: number;
  addressKind: string | null;
  /** The channel whose template it uses; null: the rule has a template for it. */
  template: number | null;
}

/** The fallback takes over the places that the dead delivery had within limits: it is not asked again, and nobody else gets them. */
const TAKE_OVER = `left_places as (
    delete from message_places p using fallbacks f where p.delivery_id = f.fallback_of and f.status = 'pending' returning f.id taken_by, p.*
  ), taken_over as (
    insert into message_places (delivery_id, notification_id, organization_id, channel_id, user_id, key, since, is_kept)
    select taken_by, notification_id, organization_id, channel_id, user_id, key, since, is_kept from left_places
    on conflict (delivery_id, notification_id) do update
      set channel_id = excluded.channel_id, key = excluded.key, since = excluded.since, is_kept = message_places.is_kept or excluded.is_kept
  ), `;

/**
 * For a channel with a fallback: a user whose delivery is dead gets a delivery over the fallback at once. `isLimited`: whether limits
 * count the messages.
 */
export const fallBack = (
  { channelId, addressKind, template }: Fallback,
  priority: Priority,
  isLimited: boolean,
): Addition => ({
  name: isLimited ? 'fall-back-in-place' : 'fall-back',
  concerns: ({ status, fallsBack }) => status === 'dead' && fallsBack,
  values: [channelId, addressKind, template, priority],
  last: 'fallback_jobs',
  tables: (channel, kind, templateChannel, priorityName) => `fallbacks as (
    insert into deliveries (occurrence_id, organization_id, notification_id, channel_id, user_id, address_id, gate, status,
                            fallback_of, template_channel_id, lot, repetition)
    select d.occurrence_id, d.organization_id, d.notification_id, ${channel}::int, d.user_id, a.id, g.gate,
           (case when g.gate is null then 'pending' else 'skipped' end)::delivery_status, d.id, ${templateChannel}::int, ${LOT}, d.repetition
    from done d
    join input i using (id)
    left join lateral (
      select id from addresses where user_id = d.user_id and name = ${kind}::text order by ${FIRST_ADDRESS} limit 1
    ) a on true
    cross join lateral (select case when ${kind}::text is not null and a.id is null then 'no_address' end::gate gate) g
    where d.status = 'dead' and i.falls_back
    -- A dead delivery over the fallback gets another chance, and one that was sent is repeated with the delivery whose place it takes.
    on conflict (occurrence_id, notification_id, channel_id, user_id) do update
      set status = 'pending', attempts_before = deliveries.attempts, lot = excluded.lot, pending_since = now(), reason = null,
          repetition = excluded.repetition, devices = case when deliveries.repetition = excluded.repetition then deliveries.devices end
      where deliveries.fallback_of = excluded.fallback_of
        and (deliveries.status = 'dead' or deliveries.status = 'sent' and deliveries.repetition < excluded.repetition)
    returning id, fallback_of, occurrence_id, organization_id, notification_id, channel_id, user_id, status, lot
  ), ${isLimited ? TAKE_OVER : ''}fallback_jobs as (${insertDeliverJobs(
    {
      ...JOB_OF_GROUP,
      occurrence: 'occurrence_id',
      template: `${templateChannel}::int`,
      priority: `${priorityName}::text`,
    },
    'organization_id',
    `from fallbacks where status = 'pending' group by occurrence_id, organization_id, notification_id, channel_id, lot returning id`,
  )})`,
});

/** A message that may have arrived keeps its place within a limit, whatever becomes of it. */
export const keepPlaces: Addition = {
  name: 'keep-places',
  concerns: ({ mayHaveArrived }) => mayHaveArrived === true,
  values: [],
  fromResults: (results) => results.filter(({ mayHaveArrived }) => mayHaveArrived).map(({ id }) => id),
  last: 'kept_places',
  tables: (ids) => `kept_places as (
    update message_places p set is_kept = true from done d where p.delivery_id = d.id and d.id = any(${ids}::bigint[]) returning p.delivery_id
  )`,
};

/** Adds in-app messages to their inboxes, and notifies the streams that show them. */
export const addToInbox: Addition = {
  name: 'add-to-inbox',
  concerns: ({ inbox }) => inbox,
  values: [],
  last: 'notified',
  tables: () => addedToInbox(false),
  richTables: () => addedToInbox(true),
};

const addedToInbox = (hasRich: boolean) => `added as (
    insert into inbox_messages (organization_id, user_id, delivery_id, application_id, occurrence_id, event_id, category_id, subject, text, html${hasRich ? ', rich' : ''})
    select d.organization_id, d.user_id, d.id, e.application_id, o.id, e.id, e.category_id, i.subject, i.text, i.html${hasRich ? ', i.rich' : ''}
    from done d join input i using (id) join occurrences o on o.id = d.occurrence_id join events e on e.id = o.event_id
    where i.inbox and exists (select from users u where u.id = d.user_id)
    on conflict (delivery_id) do nothing
    returning organization_id, user_id, id
  ), notified as (
    -- One NOTIFY for all messages, and none without a message: NOTIFY serialises commits over the whole server. 8,000 bytes hold 200 messages.
    select pg_notify('${Notice.Inbox}', json_agg(json_build_array(organization_id, user_id, id))::text) from added having count(*) > 0
  )`;

const OWN_VALUES = 19;

/**
 * Writes results in one statement. A row is updated only if nobody has changed it since its attempt began: a slow worker whose jobs
 * were recovered overwrites nothing. A delivery that was canceled in flight still gets its outcome. Three values may follow the own ones: with `hasIds`
 * the ids of providers, with `hasRich` what messages have besides their texts, with `hasDevices` what became of them on devices.
 */
export function writeOutcomes(
  additions: Addition[],
  {
    hasIds = false,
    hasRich = false,
    hasDevices = false,
  }: { hasIds?: boolean; hasRich?: boolean; hasDevices?: boolean } = {},
): { name: string; text: string } {
  let last = OWN_VALUES;
  const ids = hasIds ? `, $${++last}::text[]` : '';
  const rich = hasRich ? `, $${++last}::jsonb[]` : '';
  const devices = hasDevices ? `, $${++last}::jsonb[]` : '';
  const tables = additions.map(({ values, fromResults, tables, richTables }) => {
    const places = [...values, ...(fromResults ? [fromResults] : [])].map(() => `$${++last}`);
    return `, ${hasRich && richTables ? richTables() : tables(...places)}`;
  });
  const counts = additions.map((addition) => `, (select count(*) from ${addition.last})`);
  const text = `
  with input as (
    select * from unnest($1::bigint[], $2::int[], $3::text[], $4::timestamptz[], $5::text[], $6::text[], $7::timestamptz[], $8::int[],
                         $9::text[], $10::text[], $11::text[], $12::text[], $13::text[], $14::text[], $15::bool[], $16::bool[], $17::bool[],
                         $18::jsonb[], $19::jsonb[]${ids}${rich}${devices})
      i(id, attempts, status, next_attempt_at, gate, reason, at, duration_ms, outcome, answer, recipient, subject, text, html, inbox, falls_back, uncounted, sender, language${hasIds ? ', provider_id' : ''}${hasRich ? ', rich' : ''}${hasDevices ? ', devices' : ''})
  ), done as (
    update deliveries d
    set status = case when d.gate = 'canceled' and i.status = 'pending' then d.status else i.status::delivery_status end,
        gate = case when d.gate = 'canceled' and i.status = 'pending' then d.gate else i.gate::gate end,
        next_attempt_at = case when d.gate = 'canceled' then null else i.next_attempt_at end,
        waits_for = null, waits_until = null, attempts = d.attempts + (i.outcome is not null)::int, attempts_before = d.attempts_before + i.uncounted::int, reason = i.reason${hasDevices ? ', devices = coalesce(i.devices, d.devices)' : ''}
    from input i
    where d.id = i.id and d.attempts = i.attempts and (d.status = 'pending' or d.gate = 'canceled'
           -- The provider reported it before its answer was stored.
           or d.status = 'sent' and i.status = 'sent' and d.report is not null)
    returning d.*
  ), new_attempts as (
    insert into attempts (delivery_id, number, at, duration_ms, outcome, answer${hasIds ? ', channel_id, provider_id' : ''})
    select d.id, d.attempts, i.at, i.duration_ms, i.outcome::attempt_outcome, i.answer${hasIds ? ', case when i.provider_id is not null then d.channel_id end, i.provider_id' : ''}
    from done d join input i using (id) where i.outcome is not null
  ), new_messages as (
    insert into messages (delivery_id, recipient, subject, text, html, sender, language${hasRich ? ', rich' : ''})
    select d.id, i.recipient, i.subject, i.text, i.html, i.sender, i.language${hasRich ? ', i.rich' : ''}
    from done d join input i using (id) where i.subject is not null and d.status in ('sent', 'dead')
    on conflict (delivery_id) do update
      set recipient = excluded.recipient, subject = excluded.subject, text = excluded.text, html = excluded.html, sender = excluded.sender,
          language = excluded.language, rich = ${hasRich ? 'excluded.rich' : 'null'}
  )${tables.join('')}
  select (select count(*) from done)${counts.join('')}`;
  return {
    name: [
      'write-outcomes',
      ...(hasIds ? ['ids'] : []),
      ...(hasRich ? ['rich'] : []),
      ...(hasDevices ? ['devices'] : []),
      ...additions.map(({ name }) => name),
    ].join('-'),
    text,
  };
}
