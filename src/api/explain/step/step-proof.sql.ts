import { PROVEN, USED, inboxFor } from '../../../engine/step/step.sql.js';
import type { Evidence, Rule } from '../../../rules/ruleset/rule.js';
import type { Decision } from '../../../rules/ruleset/decide.js';
import { laterSteps } from '../../../rules/step/later-steps.js';
import type { LaterStep } from '../../../rules/step/later-steps.js';

/** When the first message over some channels was created; no row: there is none. $1: occurrence, $2: notification, $3: channels. */
export const FIRST_OF_CHANNELS = `
  select min(d.pending_since) as at from deliveries d
  where d.occurrence_id = $1 and d.notification_id = $2 and d.channel_id = any($3::int[]) and d.user_id > 0 having count(*) > 0`;

/** A message before a step with its own users that makes it unnecessary. */
export interface StepProof {
  /** The e-mail; null: the user was deleted. */
  user: string | null;
  slug: string | null;
}

/** The first message with this evidence. $1: occurrence, $2: notification, $3: channels of this and later steps. */
export const findProof = (unless: Evidence) => `
  with ${USED}
  select u.email "user", c.slug
  from used cross join lateral (
    select r.user_id, r.channel_id from deliveries r${inboxFor(unless)}
    where r.occurrence_id = $1 and r.notification_id = $2 and r.channel_id = used.channel and r.channel_id <> all($3::int[]) and (${PROVEN[unless]})
    order by r.user_id limit 1
  ) r
  left join users u on u.id = r.user_id
  left join channels c on c.id = r.channel_id
  limit 1`;

/** The parameters of `findProof`. */
export const proofValues = (
  occurrence: string,
  { number }: LaterStep,
  { rule, decision }: { rule: Rule; decision: Decision },
) => [
  ...[occurrence, rule.id],
  laterSteps(rule, decision)
    .filter((each) => each.number >= number)
    .flatMap(({ channels }) => channels),
];
