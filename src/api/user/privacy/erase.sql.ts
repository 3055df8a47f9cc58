import { insertJobs } from '../../../platform/queue/job.sql.js';
import { LAST_JOB_PRIORITY } from '../../../platform/queue/priority.js';
import { Task } from '../../../platform/queue/task.js';
import { allKeysOf } from '../../../platform/field/email.js';

/** $1: user, $2: organization. */
export const ADDRESSES_OF = `select name, value from addresses where user_id = $1 and organization_id = $2 order by id`;

/** $1: organization. The key is random: two UUIDs have 244 random bits. */
export const MAKE_ERASURE_KEY = `
  insert into erasure_keys (organization_id, key) values ($1, uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()))
  on conflict do nothing`;

/** The suppressions of addresses that nobody else has become digests. $1: organization, $2: user, $3: kinds, $4: addresses. */
export const ERASE_SUPPRESSIONS = `
  with own as (
    select i.name, i.value from unnest($3::text[], $4::text[]) i(name, value)
    where not exists (select from addresses a where a.organization_id = $1 and a.user_id <> $2 and a.name = i.name and address_key(a.value) = address_key(i.value))
  ), failures as (
    delete from soft_failures f using own where f.organization_id = $1 and f.name = own.name and f.value_key = any(${allKeysOf('own.value', '$1')})
  ), gone as (
    delete from suppressions s using own where s.organization_id = $1 and s.name = own.name and s.value_key = any(${allKeysOf('own.value', '$1')})
    returning s.project_id, s.name, own.value, s.cause, s.created_at, s.expires_at
  )
  insert into erased_suppressions (organization_id, name, digest, cause, created_at, expires_at)
  select $1, name, erased_digest((select key from erasure_keys where organization_id = $1), name, value) || coalesce('/' || project_id, ''), cause, created_at, expires_at from gone
  on conflict do nothing`;

/** The audit log forgets the addresses of suppressions. $1: organization, $2: kinds and addresses, such as `email/ann@example.com`. */
export const REDACT_SUPPRESSIONS = `
  update audit_entries e set name = left(e.name, -length(i.value)) || '[erased]', changes = audit_redacted_changes(e.changes), salt = null
  from unnest($2::text[], $3::text[]) i(label, value)
  where e.organization_id = $1 and e.noun = 'suppression' and right(lower(e.name), length(i.label)) = lower(i.label)`;

/** $1: organization, $2: the payload. */
export const INSERT_ERASE_JOB = insertJobs(
  { task: Task.Erase, organization: '$1::int', lane: `'erase'`, priority: LAST_JOB_PRIORITY, payload: '$2::jsonb' },
  '',
);

/** $1: organization, $2: the name of the user in the audit log. */
export const NOTE_ERASURE = `select audit_note_as('erase', 'user', $1, $2, 1)`;

/** Nobody is told of channels that fail, under the name of a user who is gone. $1: organization, $2: user. */
export const FORGET_IN_ALERTS = `
  update organizations o set alerts = jsonb_set(alerts, '{users}', (
    select coalesce(jsonb_agg(n.value), '[]') from jsonb_array_elements(o.alerts->'users') n where lower(n.value #>> '{}') <> lower(u.email)))
  from users u
  where o.id = $1 and u.id = $2 and u.organization_id = o.id
    and exists (select from jsonb_array_elements_text(o.alerts->'users') n where lower(n.value) = lower(u.email))`;
