import { RANGE_FROM_PARAMETERS, inChunk } from '../../platform/queue/deliver-job.js';
import { CHOICE_COLUMNS } from '../../rules/ruleset/choices.js';
import { RECIPIENTS } from '../../rules/ruleset/choices.sql.js';
import { NAMES, RECIPIENT_COLUMNS } from '../../rules/ruleset/message.sql.js';
import { rulesetOf } from '../../rules/ruleset/rule.sql.js';
import { OFF } from '../../rules/ruleset/switch.sql.js';
import { gatherDue } from '../digest/gather.sql.js';
import { recheck } from './recheck.sql.js';

/** An occurrence, its event and the event's parents, and a rule and a channel, given as SQL. */
const fromOccurrence = (notification: string, channel: string) => `
  from occurrences o
  join events e on e.id = o.event_id
  join applications a on a.id = e.application_id
  join projects p on p.id = a.project_id
  left join channels c on c.id = ${channel} and c.organization_id = o.organization_id
  left join notifications n on n.id = ${notification} and n.organization_id = o.organization_id`;

/** Columns of the fallback `f` and the state `s` of a channel. */
export const CHANNEL_STATE = `
         case when f.enabled then jsonb_build_object('id', f.id, 'slug', f.slug, 'type', f.type, 'config', f.config) end fallback,
         coalesce(s.failures, 0) failures, s.failing_since "failingSince",
         extract(epoch from s.probe_at - now())::float8 * 1000 "restMs"`;

/** The status webhook `w` of an application `a`. */
export const STATUS_WEBHOOK = `
         case when w.enabled then json_build_object('application', a.id, 'outcomes', w.outcomes) end "statusWebhook"`;

/** Loads what all messages of a chunk share, what is switched off, and the state of the channel. $1 to $3: `targetValues`. */
export const LOAD_SHARED = `
  select o.status, o.context, o.options, o.digest, o.created_at "createdAt", o.event_id "eventId", r.rules, ${NAMES}, ${RECIPIENTS}, ${OFF} off,
         c.slug, c.name, c.type, c.config, c.project_id "projectId", o.organization_id "organizationId",
         ${CHANNEL_STATE}, ${STATUS_WEBHOOK}
  ${fromOccurrence('$2', '$3')}
  join ${rulesetOf('o.ruleset_id')}
  join organizations g on g.id = o.organization_id
  left join channels f on f.id = c.fallback_id
  left join channel_states s on s.channel_id = c.id
  left join status_webhooks w on w.application_id = a.id
  where o.id = $1`;

/**
 * The chunks that must stop: their occurrence was canceled or deleted, something is switched off, or their channel was deleted. $1: JSON
 * with occurrence, notification and channel of each.
 *
 * JSON, because PostgreSQL knows the length of an array and plans the statement anew for each, which takes ten times as long as to run it.
 * `limit 1` keeps it from joining whole tables: it always looks up each chunk.
 */
export const MUST_STOP = `
  select t.place::int
  from rows from (jsonb_to_recordset($1::jsonb) as (occurrence uuid, notification int, channel int))
    with ordinality t(occurrence, notification, channel, place)
  left join lateral (
    select o.status, c.id channel_id, ${OFF} off
    ${fromOccurrence('t.notification', 't.channel')}
    where o.id = t.occurrence
    limit 1
  ) now on true
  where coalesce(status = 'canceled', true) or channel_id is null or off is not null`;

/** The pending deliveries `d` of a chunk. $1 to $7: `rangeValues`. */
const IN_CHUNK = inChunk('d', RANGE_FROM_PARAMETERS);

const isDueAt = (time: string) => `(d.next_attempt_at is null or d.next_attempt_at <= ${time})`;

/** Users loaded, and messages rendered, at a time: the custom fields of a user may be large. */
export const USERS_AT_ONCE = 50;

/**
 * The next users of a chunk whose message was due when preferences were last checked. A message that becomes due later is not checked yet, and
 * waits for the next run of the job. $8: how many, $9: the time of that check, or null for now.
 */
export const LOAD_USERS = `
  select d.id, d.attempts, d.attempts_before "attemptsBefore", d.pending_since "pendingSince", d.user_id "userId", d.devices "deviceResults", d.repetition, ${RECIPIENT_COLUMNS}
  from deliveries d
  left join users u on u.id = d.user_id
  left join addresses a on a.id = d.address_id
  where ${IN_CHUNK} and ${isDueAt('coalesce($9::timestamptz, now())')}
  order by d.user_id limit $8`;

/**
 * Checks the preferences of the users of a chunk again whose message is due. Returns how many messages were skipped, and its time. $8: `Choices`.
 */
export const RECHECK_PREFERENCES = `
  with ${recheck({
    from: `deliveries d cross join jsonb_to_record($8::jsonb) t(${CHOICE_COLUMNS})`,
    where: `${IN_CHUNK} and ${isDueAt('now()')}`,
    choices: '$8::jsonb',
  })}
  select count(gate)::int skipped, now()::text "checkedAt" from written`;

/** Gathers the messages whose time has come into their digests. Returns its time. $8: `Choices`. */
export const GATHER_DUE = gatherDue(`${IN_CHUNK} and ${isDueAt('now()')}`);

/** Skips every pending message of the chunk: its channel was deleted, or the occurrence was canceled. $8: gate. */
export const SKIP_CHUNK = `
  update deliveries d set status = 'skipped', gate = $8::gate, next_attempt_at = null
  where ${IN_CHUNK}`;

/** Marks every pending message of the chunk as dead: its job has failed for the last time. $8: reason. */
export const GIVE_UP_CHUNK = `
  update deliveries d set status = 'dead', reason = $8, next_attempt_at = null
  where ${IN_CHUNK}
  returning (select type from channels c where c.id = d.channel_id)`;

/**
 * When the rest of some deliveries `d` is due: with the first of them; slightly later, so that retries that are due together are sent
 * together; and not before `wait` milliseconds have passed.
 */
export const dueAt = (wait: string) => `greatest(
    greatest(min(coalesce(d.next_attempt_at, now())), now())
      + coalesce(greatest(max(d.next_attempt_at) filter (where d.waits_for is null) - now(), interval '0') * 0.05, interval '0'),
    now() + ${wait} * interval '1 millisecond')`;

/** Milliseconds until the rest of the chunk is due; no row when nothing is left. $8: the least. */
export const REST_OF_CHUNK = `
  select extract(epoch from ${dueAt('$8')} - now())::float8 * 1000 "waitMs" from deliveries d where ${IN_CHUNK} having count(*) > 0`;
