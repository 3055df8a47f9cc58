import type { SoftFailures } from '../../platform/config/config.js';
import type { Addition } from './outcomes.sql.js';
import type { Result } from './result.js';

/** Names the author of the new rows to the audit log. The trigger runs at the end of the statement, so any part of it may do this. */
export const AS_BOUNCE = `(select set_config('carillon.by', '{"actor": "answer of a provider"}', true)) author`;

/** The attempt that an address is suppressed for. */
const EVIDENCE = `jsonb_build_object('delivery', d.id, 'occurrence', d.occurrence_id, 'answer', i.answer, 'at', i.at,
                       'channels', jsonb_build_array(c.slug))`;

/** The address of a delivery `d`, and its channel, whose owner the suppression belongs to. */
const ADDRESS_AND_CHANNEL = `join addresses a on a.id = d.address_id
    join channels c on c.id = d.channel_id`;

/** Inserts `rows`. They are in order, because two statements that insert the same addresses would wait for each other. An expired one begins anew. */
export const insertSuppressions = (rows: string) => `
    insert into suppressions (organization_id, project_id, name, value, value_key, cause, evidence) ${rows}
    on conflict (organization_id, name, value_key, cause) do update
      set evidence = excluded.evidence, created_at = now(), expires_at = null
      where suppressions.expires_at <= now()
    returning id`;

/** Suppresses addresses that a provider has refused forever. */
export const suppress: Addition = {
  name: 'suppress',
  concerns: ({ suppresses }) => suppresses !== undefined,
  values: [],
  fromResults: (results) =>
    JSON.stringify(results.flatMap(({ id, suppresses }) => (suppresses ? [{ id, cause: suppresses }] : []))),
  last: 'suppressed',
  tables: (causes) => `suppressed as (${insertSuppressions(`
    select distinct on (1, 3, 5, 6) d.organization_id, c.project_id, a.name, i.recipient, suppression_key(i.recipient, c.project_id), s.cause,
           ${EVIDENCE}
    from done d
    join input i using (id)
    join jsonb_to_recordset(${causes}::jsonb) s(id bigint, cause suppression_cause) using (id)
    ${ADDRESS_AND_CHANNEL}
    cross join ${AS_BOUNCE}
    where i.recipient <> ''
    order by 1, 3, 5, 6, d.id`)}
  )`,
};

/**
 * Suppresses an address after so many messages to it were refused or given up within so many days, for a reason that lies with the
 * recipient. A provider that was down says nothing about an address.
 */
export const suppressAfter = ({ count, days }: SoftFailures): Addition => ({
  name: 'suppress-after',
  concerns: isAboutRecipient,
  values: [count, days],
  fromResults: (results) => JSON.stringify(results.filter(isAboutRecipient).map(({ id }) => ({ id }))),
  last: 'suppressed_later',
  tables: (most, within, ids) => `given_up as (
    select d.organization_id, c.project_id, a.name, i.recipient, suppression_key(i.recipient, c.project_id) value_key, ${EVIDENCE} evidence, d.id
    from done d join input i using (id) join jsonb_to_recordset(${ids}::jsonb) r(id bigint) using (id) ${ADDRESS_AND_CHANNEL}
    where d.status = 'dead' and i.recipient <> ''
  ), failures as (
    insert into soft_failures as f (organization_id, name, value_key, failures)
    select organization_id, name, value_key, count(*) from given_up group by 1, 2, 3 order by 1, 2, 3
    on conflict (organization_id, name, value_key) do update
      -- Counts from the beginning when the days are over, and after a suppression, which may have been lifted.
      set failures = excluded.failures + case when f.failures < ${most}::int and f.since > now() - make_interval(days => ${within}::int)
                                              then f.failures else 0 end,
          since = case when f.failures < ${most}::int and f.since > now() - make_interval(days => ${within}::int) then f.since else now() end
    returning *
  ), suppressed_later as (${insertSuppressions(`
    select distinct on (1, 3, 5) g.organization_id, g.project_id, g.name, g.recipient, g.value_key, 'hard_bounce'::suppression_cause,
           g.evidence || jsonb_build_object('failures', f.failures, 'since', f.since)
    from given_up g join failures f using (organization_id, name, value_key) cross join ${AS_BOUNCE}
    where f.failures >= ${most}::int
    order by 1, 3, 5, g.id desc`)}
  )`,
});

const isAboutRecipient = ({ status, isAboutRecipient }: Result): boolean =>
  status === 'dead' && isAboutRecipient === true;
