import { jobPriority } from '../queue/priority.js';
import { Task, jobKey } from '../queue/task.js';

/** Everything an expansion needs to know of an occurrence. */
export const LOAD_OCCURRENCE = `
  select o.id, o.organization_id "organizationId", o.context, o.options, o.status, o.checkpoint, o.decisions, r.rules,
         (select jsonb_object_agg(c.id, jsonb_build_object('id', c.id, 'slug', c.slug, 'type', c.type, 'enabled', c.enabled))
          from channels c where c.organization_id = o.organization_id and c.id in (
            select (template->>'channel')::int
            from jsonb_array_elements(r.rules) rule, jsonb_array_elements(rule->'templates') template)) channels
  from occurrences o left join rulesets r on r.id = o.ruleset_id
  where o.id = $1`;

export const SAVE_DECISIONS = `update occurrences set status = 'expanding', decisions = $2 where id = $1`;

export const FINISH = `update occurrences set status = 'expanded', checkpoint = null where id = $1`;

/** Each of these occurrences gets a job of its own. */
export const EXPAND_LATER = `
  select graphile_worker.add_job('${Task.Expand}', json_build_object('occurrences', json_build_array(id)),
    priority => case options->>'priority' when 'critical' then ${jobPriority('critical')} when 'bulk' then ${jobPriority('bulk')} else ${jobPriority()} end)
  from occurrences where id = any($1::uuid[])`;

/** The users that `limit_to` names. */
export const FIND_USERS = `select id from users where organization_id = $1 and email_key = any($2)`;

/**
 * The next people of one target, in order of their ids: their deliveries, the job that sends them and the checkpoint, in one
 * statement and so in one transaction. A crash resumes after the last checkpoint; a chunk that is made twice makes nothing.
 *
 * $1 occurrence, $2 organization, $3 notification, $4 channel, $5 the kind of address it needs, $6 lists, $7 after this user,
 * $8 how many, $9 only these users, $10 why the rule failed, $11 the target's number, $12 job priority, $13... the audience.
 */
export function expandChunk(audience: string | null): string {
  return `
  with people as (
    select user_id, bool_or(by_audience) by_audience
    from (
      select m.user_id, false by_audience
      from unnest($6::int[]) list(id), lateral (
        select distinct user_id from members
        where list_id = list.id and user_id > $7 and (channel_id is null or channel_id = $4)
          and ($9::int[] is null or user_id = any($9))
        order by user_id limit $8
      ) m
      ${audience === null ? '' : `union all (${audiencePeople(audience)})`}
    ) candidates
    group by user_id order by user_id limit $8
  ), judged as (
    select p.user_id, a.id address_id,
           case when not (p.by_audience or coalesce(m.active, false)) then 'inactive'
                when u.locked then 'locked'
                when $5::text is not null and a.id is null then 'no_address' end::gate gate
    from people p
    join users u on u.id = p.user_id
    left join lateral (
      select bool_or(active) active, array_agg(address_id) addresses from members
      where list_id = any($6) and user_id = p.user_id and (channel_id is null or channel_id = $4)
    ) m on true
    left join lateral (
      select id from addresses where user_id = p.user_id and name = $5
      order by coalesce(id = any(m.addresses), false) desc, id limit 1
    ) a on true
  ), made as (
    insert into deliveries (occurrence_id, organization_id, notification_id, channel_id, user_id, address_id, gate, status, reason)
    select $1, $2, $3, $4, user_id, address_id, gate,
           (case when gate is not null then 'skipped' when $10::text is not null then 'dead' else 'pending' end)::delivery_status,
           case when gate is null then $10::text end
    from judged
    on conflict (occurrence_id, notification_id, channel_id, user_id) do nothing
    returning status
  ), edge as (
    select max(user_id) last, count(*)::int people from people
  ), job as (
    select graphile_worker.add_job('${Task.Deliver}', priority => $12::int, job_key => ${jobKey('$1::uuid', '$3::int', '$4::int', '$7::int', 'last')}, payload => json_build_object(
      'occurrence', $1::uuid, 'notification', $3::int, 'channel', $4::int, 'after', $7::int, 'last', last))
    from edge where exists (select from made where status = 'pending')
  ), mark as (
    update occurrences set checkpoint = jsonb_build_object('target', $11::int, 'after', last) from edge where id = $1 and last is not null
  )
  select last, people, (select count(*) from job)::int jobs from edge`;
}

const audiencePeople = (condition: string) => `
  select u.id, true from users u
  where u.organization_id = $2 and u.id > $7 and ($9::int[] is null or u.id = any($9)) and (${condition})
  order by u.id limit $8`;

export const FIRST_AUDIENCE_PARAMETER = 13;
