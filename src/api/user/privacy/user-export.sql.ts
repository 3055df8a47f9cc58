import { jsonBytes, textBytes, withinBytes } from '../../../platform/database/next-rows.js';

/** A part of what is stored about a user: the kind of its lines, and the statement that reads the next ones. */
interface ExportPart {
  kind: string;
  /** Rows with `id`, `line` and `isCut`. $1: user, $2: organization, $3: after this id, $4: how many. */
  sql: string;
}

const part = (kind: string, line: string, bytes: string, from: string): ExportPart => ({
  kind,
  sql: withinBytes(`select x.id, ${line} line, ${bytes} bytes ${from}`),
});

const OWN = 'x.user_id = $1 and x.organization_id = $2 and x.id > $3';
const IN_ORDER = 'order by x.id limit $4';
/** Forces the index of the user: in the order of ids, PostgreSQL would read the primary key through the rows of everyone else. */
const SORTED = 'order by x.id + 0 limit $4';

/**
 * Everything that is stored about a user, in this order. Secrets of others, such as the settings of a channel, are not part of it. The context
 * of an occurrence belongs to the system that triggered it, and may hold data of other users: only the messages made from it are here.
 */
export const EXPORT_PARTS: readonly ExportPart[] = [
  part(
    'user',
    `json_build_object('email', x.email, 'first_name', x.first_name, 'last_name', x.last_name, 'locked', x.locked,
       'custom_fields', x.custom_fields, 'time_zone', x.time_zone, 'quiet_hours', x.quiet_hours, 'locale', x.locale, 'created_at', x.created_at)`,
    jsonBytes('x.custom_fields'),
    `from users x where x.id = $1 and x.organization_id = $2 and x.id > $3 ${IN_ORDER}`,
  ),
  part(
    'address',
    `json_build_object('name', x.name, 'value', x.value)`,
    textBytes('x.value'),
    `from addresses x where ${OWN} ${SORTED}`,
  ),
  part(
    'device',
    `json_build_object('app', x.app, 'device', x.device, 'platform', x.platform, 'environment', x.environment, 'address', json_build_object('name', a.name, 'value', a.value),
       'name', x.name, 'locale', x.locale, 'time_zone', x.time_zone, 'app_version', x.app_version, 'created_at', x.created_at,
       'last_seen_at', x.last_seen_at, 'problem', x.problem)`,
    textBytes('a.value', 'x.device', 'x.problem'),
    `from devices x join addresses a on a.id = x.address_id where ${OWN} ${SORTED}`,
  ),
  part(
    'membership',
    `json_build_object('project', p.slug, 'distribution_list', l.name, 'address', a.value, 'channel', c.slug, 'active', x.active)`,
    '200',
    `from members x join distribution_lists l on l.id = x.list_id join projects p on p.id = l.project_id
     join addresses a on a.id = x.address_id left join channels c on c.id = x.channel_id where ${OWN} ${SORTED}`,
  ),
  part(
    'preference',
    `json_build_object('project', coalesce(g.slug, p.slug), 'category', k.slug, 'event', a.slug || '/' || e.slug,
       'channel_type', nullif(x.channel_type, ''), 'choice', case when x.is_on then 'on' else 'off' end,
       'chosen_by', x.chosen_by, 'chosen_at', x.chosen_at)`,
    '200',
    `from preferences x left join categories k on k.id = x.category_id left join projects g on g.id = k.project_id
     left join events e on e.id = x.event_id left join applications a on a.id = e.application_id left join projects p on p.id = a.project_id
     where ${OWN} ${SORTED}`,
  ),
  part(
    'muted_thread',
    `json_build_object('project', p.slug, 'application', a.slug, 'thread', x.field, 'value', x.value, 'chosen_by', x.chosen_by,
       'chosen_at', x.chosen_at, 'ends_at', x.ends_at)`,
    '200',
    `from muted_threads x join applications a on a.id = x.application_id join projects p on p.id = a.project_id where ${OWN} ${SORTED}`,
  ),
  part(
    'suppression',
    `json_build_object('name', x.name, 'value', x.value, 'cause', x.cause, 'project', (select slug from projects where id = x.project_id),
       'evidence', x.evidence, 'created_at', x.created_at,
       'expires_at', x.expires_at)`,
    jsonBytes('x.evidence'),
    `from suppressions x where x.organization_id = $2 and x.id > $3 and exists (
       select from addresses a where a.user_id = $1 and a.name = x.name and x.value_key in (lower(a.value), suppression_key(a.value, x.project_id))) ${SORTED}`,
  ),
  part(
    'delivery',
    `json_build_object('id', x.id, 'occurrence', x.occurrence_id, 'event', e.slug, 'application', a.slug, 'project', p.slug,
       'channel', c.slug, 'status', x.status, 'gate', x.gate, 'reason', x.reason, 'triggered_at', o.created_at,
       'attempts', (select coalesce(json_agg(json_build_object('number', t.number, 'at', t.at, 'outcome', t.outcome, 'answer', t.answer)
                    order by t.number), '[]') from attempts t where t.delivery_id = x.id),
       'devices', (select json_agg(v - 'id') from jsonb_array_elements(x.devices) v),
       'message', case when m.delivery_id is not null then json_build_object('recipient', m.recipient, 'subject', m.subject,
                    'text', m.text, 'html', m.html, 'sender', m.sender, 'rich', m.rich, 'language', m.language) end)`,
    `${textBytes('m.subject', 'm.text', 'm.html')} + ${jsonBytes('m.sender')} + ${jsonBytes('m.rich')} + ${jsonBytes('x.devices')}`,
    `from deliveries x join occurrences o on o.id = x.occurrence_id join events e on e.id = o.event_id
     join applications a on a.id = e.application_id join projects p on p.id = a.project_id
     left join channels c on c.id = x.channel_id left join messages m on m.delivery_id = x.id where ${OWN} ${SORTED}`,
  ),
  part(
    'inbox_message',
    `json_build_object('id', x.id, 'subject', x.subject, 'text', x.text, 'html', x.html, 'created_at', x.created_at,
       'seen_at', x.seen_at, 'read_at', x.read_at, 'archived_at', case when x.snoozed_until is null then x.archived_at end,
       'snoozed_until', x.snoozed_until, 'occurrence', x.occurrence_id, 'event', e.slug, 'category', c.slug, 'rich', nullif(x.rich - 'acknowledge', '{}'))`,
    `${textBytes('x.subject', 'x.text', 'x.html')} + ${jsonBytes('x.rich')}`,
    `from inbox_messages x left join events e on e.id = x.event_id left join categories c on c.id = x.category_id where ${OWN} ${SORTED}`,
  ),
  part(
    'acknowledgement',
    `json_build_object('occurrence', x.occurrence_id, 'at', x.at, 'way', x.way, 'step', x.step, 'note', x.note)`,
    textBytes('x.note'),
    `from acknowledgements x where ${OWN} ${SORTED}`,
  ),
  part(
    'audit_entry',
    `json_build_object('id', x.id, 'at', x.at, 'actor', x.actor, 'verb', x.verb, 'noun', x.noun, 'name', x.name, 'changes', x.changes)`,
    jsonBytes('x.changes'),
    `from audit_entries x where ${OWN} ${SORTED}`,
  ),
];
