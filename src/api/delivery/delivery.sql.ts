import type { Scope } from '../../auth/scope.js';
import { emailKey } from '../../platform/field/email.js';
import { Prisma } from '../../platform/database/generated/prisma/client.js';
import { aroundRows, textBytes } from '../../platform/database/next-rows.js';

export const ofOccurrence = ({ occurrenceId, organizationId }: Scope) =>
  Prisma.sql`d.occurrence_id = ${occurrenceId}::uuid and d.organization_id = ${organizationId}`;

// Subqueries instead of joins: PostgreSQL would hash a join of a million rows, lose the order of the index, and sort all rows before
// the first one is returned. For deliveries of one occurrence, the names of the notifications are one object that is built once.
export const columns = (occurrence: Prisma.Sql) => Prisma.sql`
  d.id, d.notification_id "notificationId", d.channel_id "channelId", d.user_id "userId",
  (select jsonb_object_agg(rule->>'notification', rule->'name')
   from occurrences o, jsonb_array_elements(o.decisions) rule where o.id = ${occurrence}) ->> d.notification_id::text notification,
  (select c.slug from channels c where c.id = d.channel_id) channel,
  (select u.email from users u where u.id = d.user_id) "user",
  d.status, d.gate, d.reason, d.waits_for "waitsFor", d.fallback_of "fallbackOf", d.repetition, d.report,
  coalesce(d.next_attempt_at, (select g.due_at from digests g where g.id = d.digest_id)) "nextAttemptAt",
  (select json_build_object('occurrence', k.occurrence_id, 'delivery', k.id) from deliveries k where k.id = d.carried_by) "carriedBy",
  coalesce((
    select json_agg(json_build_object('number', a.number, 'at', a.at, 'duration_ms', a.duration_ms,
                                      'outcome', a.outcome, 'answer', a.answer) order by a.number)
    from attempts a where a.delivery_id = d.id), '[]') attempts`;

export const overChannel = ({ organizationId }: Scope, slug: string) =>
  Prisma.sql`d.channel_id = any(array(select id from channels where organization_id = ${organizationId} and slug = ${slug}))`;

export const toUser = ({ organizationId }: Scope, username: string) =>
  Prisma.sql`d.user_id = (select id from users where organization_id = ${organizationId} and email_key = ${emailKey(username)})`;

export const [FIRST, LAST] = aroundRows().map(Prisma.raw) as [Prisma.Sql, Prisma.Sql];
export const BYTES = Prisma.raw(
  `${textBytes('d.reason')} + (select coalesce(sum(octet_length(a.answer)), 0) from attempts a where a.delivery_id = d.id)`,
);

const ofScope = ({ occurrenceId }: Scope) => columns(Prisma.sql`${occurrenceId}::uuid`);

export const listDeliveries = (scope: Scope, conditions: Prisma.Sql[], limit: number) => Prisma.sql`
  select ${ofScope(scope)}, d."isCut"
  from (${FIRST}
    select d.*, ${BYTES} bytes
    from deliveries d
    where ${Prisma.join(conditions, ' and ')}
    order by d.notification_id, d.channel_id, d.user_id
    limit ${limit}${LAST}
  ) d
  order by d.notification_id, d.channel_id, d.user_id`;

export const getDelivery = (scope: Scope, id: number) => Prisma.sql`
  select ${ofScope(scope)},
         (select json_build_object('recipient', m.recipient, 'subject', m.subject, 'text', m.text, 'html', m.html,
                                   'from', m.sender->'from', 'reply_to', m.sender->'reply_to', 'headers', m.sender->'headers', 'rich', m.rich, 'language', m.language)
          from messages m where m.delivery_id = d.id) message,
         coalesce((select json_agg(json_build_object('state', r.state, 'at', r.at, 'by', r.by, 'detail', r.detail) order by r.at, r.event)
                   from (select * from delivery_reports where delivery_id = d.id order by at, event limit 100) r), '[]') reports,
         d.devices
  from deliveries d
  where ${ofOccurrence(scope)} and d.id = ${id}`;
