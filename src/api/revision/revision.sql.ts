import { shownSteps } from '../notification/step/step-to.sql.js';
import { withinBytes } from '../../platform/database/next-rows.js';

/** A version of a rule as a notification shows it. Lists and channels have the names of today; those that were deleted have none. */
const SHOWN = `
  json_build_object(
    'name', v.rule->'name', 'enabled', v.rule->'enabled', 'when', v.rule->'when', 'audience', v.rule->'audience', 'to', v.rule->'to',
    'window', v.rule->'window', 'digest', v.rule->'digest', 'limit', v.rule->'limit', 'acknowledge', v.rule->'acknowledge', 'thread', v.rule->'thread', 'steps', ${shownSteps(`v.rule->'steps'`)},
    'distribution_lists', array(
      select l.name from jsonb_array_elements_text(v.rule->'lists') x(id) join distribution_lists l on l.id = x.id::int order by l.id),
    'templates', (
      select coalesce(json_agg(json_build_object(
        'channel', (select c.slug from channels c where c.id = (t.value->>'channel')::int), 'subject', t.value#>'{parts,subject}',
        'text', t.value#>'{parts,text}', 'html', t.value#>'{parts,html}', 'markdown', t.value#>'{parts,markdown}', 'mjml', null,
        'from', t.value#>'{parts,from}', 'reply_to', t.value#>'{parts,reply_to}', 'headers', t.value#>'{parts,headers}',
        'url', t.value#>'{parts,url}', 'image', t.value#>'{parts,image}', 'actions', t.value#>'{parts,actions}', 'data', t.value#>'{parts,data}', 'template', t.value#>'{parts,template}',
        'layout', t.value#>'{parts,layout}', 'translations', t.value#>'{parts,translations}',
        'per', coalesce(t.value->>'per', 'person'))), '[]')
      from jsonb_array_elements(v.rule->'templates') t))`;

/** Versions that are in the second array and not in the first. */
const versionsOnly = (before: string, after: string) =>
  `(select * from rule_versions where id = any(${after}) and id <> all(${before}))`;

/**
 * The rulesets of an event, newest first, each with what differs from the stored one before it. The audit entries of a change have the time
 * of its transaction, as the ruleset has. $1: event, $2: below this id, $3: how many, $4: organization, or null: nobody is named,
 * $5: the path of the event and a slash.
 */
export const LIST_REVISIONS = `
  select r.id, r.created_at "createdAt", r.superseded_at "supersededAt", r."isCut",
    (select a.actor from audit_entries a
     where a.organization_id = $4 and a.at = r.created_at and starts_with(a.name, $5) order by a.id limit 1) actor,
    coalesce((
      select json_agg(json_build_object(
        'notification', coalesce(v.rule->'id', w.rule->'id'), 'name', coalesce(v.rule->'name', w.rule->'name'),
        'change', case when w.id is null then 'created' when v.id is null then 'deleted' else 'updated' end,
        'rule', case when v.id is not null then ${SHOWN} end) order by coalesce(v.rule->'id', w.rule->'id'))
      from ${versionsOnly('r.before', 'r.versions')} v full join ${versionsOnly('r.versions', 'r.before')} w on w.rule->'id' = v.rule->'id'
    ), '[]') changes
  from (${withinBytes(`
    select r.*, (select coalesce(sum(v.bytes), 0) from rule_versions v where v.id = any(r.versions) and v.id <> all(r.before)) bytes
    from (
      select *, coalesce(lead(versions) over (order by id desc), '{}') before from (
        select * from rulesets where event_id = $1 and id < $2 order by event_id desc, id desc limit $3 + 1) r
    ) r
    order by id desc limit $3`)}) r
  order by r.id desc`;
