import type { Scope } from '../../auth/scope.js';
import { Prisma } from '../../platform/database/generated/prisma/client.js';
import { OFF_ABOVE } from '../../rules/ruleset/switch.sql.js';
import { BYTES, FIRST, LAST, columns } from './delivery.sql.js';

export const NEWEST_DELIVERY = 'select coalesce(max(id), 0)::float8 id from deliveries';

/** Whether a key that is bound to a project or an application sees the delivery. */
const inBranch = ({ projectId, applicationId }: Scope['key']) => Prisma.sql`
  exists (select from occurrences o join events e on e.id = o.event_id join applications a on a.id = e.application_id
          where o.id = d.occurrence_id and a.project_id = ${projectId} and (${applicationId}::int is null or a.id = ${applicationId}))`;

/** `ListedFacts` of a delivery. */
const factsOf = (delivery: string) =>
  Prisma.raw(`(
    select json_build_object(
      'id', x.id::text, 'notification', x.notification_id, 'channel', x.channel_id, 'slug', c.slug, 'type', c.type, 'config', c.config,
      'enabled', c.enabled, 'notificationEnabled', n.enabled, 'isRoom', false, 'status', x.status, 'gate', x.gate, 'evidence', x.evidence, 'attempts', x.attempts,
      'addressId', x.address_id, 'nextAttemptAt', x.next_attempt_at, 'reason', x.reason, 'fallbackOf', x.fallback_of::text,
      'report', x.report, 'reportAt', w.at, 'reportDetail', w.detail,
      'attempt', t.number, 'attemptAt', t.at, 'answer', t.answer, 'failingSince', s.failing_since, 'probeAt', s.probe_at,
      'waitsFor', x.waits_for, 'waitsUntil', x.waits_until, 'digestDueAt', g.due_at, 'digestItems', g.items, 'digestFrequency', g.settings->'digest'->>'frequency',
      'carrier', (select json_build_object('id', k.id::text, 'occurrence', k.occurrence_id, 'items', (y.digest->>'count')::int)
                  from deliveries k join occurrences y on y.id = k.occurrence_id where k.id = x.carried_by),
      'inPlaceOf', (select coalesce(b.slug, 'a deleted channel') from deliveries f left join channels b on b.id = f.channel_id where f.id = x.fallback_of),
      'trigger', json_build_object('id', o.id, 'status', o.status, 'expiresAt', o.options->'expires_at', 'canceledAt', o.canceled_at, 'off', ${OFF_ABOVE}))
    from deliveries x
    join occurrences o on o.id = x.occurrence_id
    join events e on e.id = o.event_id join applications a on a.id = e.application_id join projects p on p.id = a.project_id
    left join channels c on c.id = x.channel_id
    left join notifications n on n.id = x.notification_id
    left join channel_states s on s.channel_id = c.id
    left join digests g on g.id = x.digest_id
    left join lateral (select number, at, answer from attempts where delivery_id = x.id order by number desc limit 1) t on true
    left join lateral (select at, detail from delivery_reports where delivery_id = x.id and state = x.report order by at desc limit 1) w on true
    where x.id = ${delivery})`);

/** The delivery of the digest that carries `d`, or the fallback of it that got furthest. */
const BEST_CARRIER = `(
    with recursive carriers as (
      select k.id, k.status from deliveries k where k.id = d.carried_by
      union all
      select f.id, f.status from carriers k join deliveries f on f.fallback_of = k.id
    )
    select id from carriers order by array_position(array['sent', 'pending', 'dead', 'skipped'], status::text), id limit 1)`;

const LISTED_USER = Prisma.sql`
  (select json_build_object('id', u.id, 'email', u.email, 'firstName', u.first_name, 'lastName', u.last_name, 'timeZone', u.time_zone,
                            'createdAt', u.created_at, 'organizationTimeZone', g.time_zone)
   from users u join organizations g on g.id = u.organization_id where u.id = d.user_id)`;

/** The ids to look through: above `after`, and at most `last`. */
interface DeliveryIdRange {
  after: number;
  last: number;
}

/**
 * The deliveries to a user among those with certain ids, newest first. An index of bloom filters leads to the pages that may hold some
 * (decision 17): it has no order, so a search looks through a few of the newest ids first. `+ 0`: for a user with many deliveries long ago,
 * PostgreSQL would read the primary key backwards through those of everyone else.
 */
export const listUserDeliveries = (
  { userId, organizationId, key }: Scope,
  { after, last }: DeliveryIdRange,
  conditions: Prisma.Sql[],
  limit: number,
) => Prisma.sql`
  select ${columns(Prisma.sql`d.occurrence_id`)}, d."isCut", d.occurrence_id "occurrenceId",
         (select json_build_object('at', o.created_at, 'event', e.slug, 'application', a.slug, 'project', p.slug)
          from occurrences o join events e on e.id = o.event_id join applications a on a.id = e.application_id
          join projects p on p.id = a.project_id where o.id = d.occurrence_id) trigger,
         ${LISTED_USER} recipient, ${factsOf('d.id')} facts, ${factsOf(BEST_CARRIER)} "carrierFacts"
  from (${FIRST}
    select d.*, ${BYTES} bytes
    from deliveries d
    where ${Prisma.join(
      [
        Prisma.sql`d.user_id = ${userId} and d.organization_id = ${organizationId} and d.id > ${after} and d.id <= ${last}`,
        ...(key.projectId === null ? [] : [inBranch(key)]),
        ...conditions,
      ],
      ' and ',
    )}
    order by d.id + 0 desc
    limit ${limit}${LAST}
  ) d
  order by d.id desc`;
