import type { ClientBase } from 'pg';

const RULES = `
  select coalesce(jsonb_agg(jsonb_build_object(
    'id', n.id, 'name', n.name, 'enabled', n.enabled, 'when', n."when", 'audience', n.audience,
    'lists', (select coalesce(jsonb_agg(list_id order by list_id), '[]') from notification_lists where notification_id = n.id),
    'templates', (
      select coalesce(jsonb_agg(jsonb_build_object('channel', t.channel_id, 'parts', jsonb_strip_nulls(jsonb_build_object(
        'subject', t.subject, 'text', t.text, 'html', t.html, 'markdown', t.markdown))) order by t.channel_id), '[]')
      from templates t where t.notification_id = n.id)
  ) order by n.id), '[]')
  from notifications n where n.event_id = $1`;

/** Keeps the event's rules as they stand now, for occurrences to pin, if they differ from those kept last. */
export async function renewRuleset(client: ClientBase, eventId: number): Promise<void> {
  await client.query(
    `with fresh as (
       insert into rulesets (organization_id, event_id, rules)
       select e.organization_id, e.id, (${RULES})
       from events e left join rulesets r on r.id = e.ruleset_id
       where e.id = $1 and (${RULES}) is distinct from coalesce(r.rules, '[]')
       returning id
     )
     update events set ruleset_id = fresh.id from fresh where events.id = $1`,
    [eventId],
  );
}
