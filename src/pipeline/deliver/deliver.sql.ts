import { addDeliverJob } from '../../queue/task.js';
import { NAMES, PERSON } from '../../ruleset/message.sql.js';
import { OFF } from '../../ruleset/switch.sql.js';

/** An occurrence with all that stands above it, and beside it the rule and the channel of a chunk. $1 occurrence, $2 channel, $3 notification. */
const FROM_OCCURRENCE = `
  from occurrences o
  join events e on e.id = o.event_id
  join applications a on a.id = e.application_id
  join projects p on p.id = a.project_id
  left join channels c on c.id = $2 and c.organization_id = o.organization_id
  left join notifications n on n.id = $3 and n.organization_id = o.organization_id`;

/** What all messages of a chunk share, what of it is switched off, and whether its channel works. */
export const LOAD_SHARED = `
  select o.status, o.context, o.options, o.created_at "createdAt", r.rules, ${NAMES}, ${OFF} off,
         c.slug, c.name, c.type, c.config, c.project_id "projectId", o.organization_id "organizationId",
         case when f.enabled then jsonb_build_object('id', f.id, 'slug', f.slug, 'type', f.type, 'config', f.config) end fallback,
         case when w.enabled then json_build_object('application', a.id, 'outcomes', w.outcomes) end "statusWebhook",
         coalesce(s.failures, 0) failures, s.failing_since "failingSince",
         extract(epoch from s.probe_at - now())::float8 * 1000 "restMs"
  ${FROM_OCCURRENCE}
  join rulesets r on r.id = o.ruleset_id
  join organizations g on g.id = o.organization_id
  left join channels f on f.id = c.fallback_id
  left join channel_states s on s.channel_id = c.id
  left join status_webhooks w on w.application_id = a.id
  where o.id = $1`;

/** Whether a chunk that is being sent may go on: nobody has canceled it, or switched it off, or deleted its channel. */
export const MAY_GO_ON = `
  select from (select o.status, c.id channel, ${OFF} off ${FROM_OCCURRENCE} where o.id = $1) now
  where status <> 'canceled' and channel is not null and off is null`;

const CHUNK_COLUMNS = ['occurrence_id', 'notification_id', 'channel_id', 'user_id'];
const inChunk = (table: string) => {
  const [occurrence, notification, channel, user] = CHUNK_COLUMNS.map((column) => `${table}.${column}`);
  return `${occurrence} = $1 and ${notification} = $2 and ${channel} = $3 and ${user} > $4 and ${user} <= $5
    and ${table}.template_channel_id is not distinct from $6::int and ${table}.lot is not distinct from $7::bigint
    and ${table}.status = 'pending'`;
};

/** People that are loaded, and messages that are rendered, at a time: what is known of a person may be large. */
export const PEOPLE_AT_ONCE = 50;

/** The next people of a chunk whose message is due. $8 how many. */
export const LOAD_PEOPLE = `
  select d.id, d.attempts, d.attempts_before "attemptsBefore", d.pending_since "pendingSince", d.user_id "userId", ${PERSON}
  from deliveries d
  left join users u on u.id = d.user_id
  left join addresses a on a.id = d.address_id
  where ${inChunk('d')} and (d.next_attempt_at is null or d.next_attempt_at <= now())
  order by d.user_id limit $8`;

/** Every message of the chunk that has not left stays unsent: its channel was deleted, or it was canceled. $8 gate. */
export const SKIP_CHUNK = `
  update deliveries d set status = 'skipped', gate = $8::gate, next_attempt_at = null
  where ${inChunk('d')}`;

/** Its job has failed for the last time. $8 why. */
export const GIVE_UP_CHUNK = `
  update deliveries d set status = 'dead', reason = $8, next_attempt_at = null
  where ${inChunk('d')}
  returning (select type from channels c where c.id = d.channel_id)`;

/**
 * What is left of the chunk, if anything, gets a job when its first messages are due; a little later, so that messages which
 * wait together are sent together, and not before $9 milliseconds are over. $8 priority.
 */
export const COME_BACK = `
  select ${addDeliverJob(
    {
      occurrence: '$1::uuid',
      notification: '$2::int',
      channel: '$3::int',
      after: '$4::int',
      last: '$5::int',
      template: '$6::int',
      lot: '$7::bigint',
      priority: '$8::text',
    },
    `greatest(
      greatest(min(coalesce(d.next_attempt_at, now())), now()) + greatest(max(d.next_attempt_at) - now(), interval '0') * 0.05,
      now() + $9 * interval '1 millisecond')`,
  )}
  from deliveries d where ${inChunk('d')}
  having count(*) > 0`;
