import {
  CHOICE_GATES,
  CLOCK,
  CLOCK_OF,
  MAY_WAIT_A_MINUTE,
  UNTIL,
  choiceFrom,
  clocks,
} from '../../rules/ruleset/choices.sql.js';
import { evidenceOf } from '../../rules/ruleset/evidence.sql.js';

/** SQL for deliveries that are about to be sent. */
interface RecheckSql {
  /** Deliveries `d`, and `t` with the columns of `Choices`. */
  from: string;
  where: string;
  /** `Choices` of a delivery `d` as JSON. */
  choices: string;
}

/**
 * How many older messages to a user `j` have waited for the same clock and are about to be sent. One that has been due for longer than a minute is
 * held up by something else: nobody waits for it.
 */
const AHEAD = `
    left join lateral (
      select count(*) messages from deliveries o
      where j.has_waited and o.user_id = j.user_id and o.waits_for is not null and o.waits_for <> 'digest' and o.status = 'pending' and o.id < j.id
        and o.next_attempt_at between now() - interval '1 minute' and now() + interval '30 seconds'
    ) ahead on true`;

/** Long enough for one message to be sent. */
const TURN = `interval '0.4 seconds'`;

/**
 * Table expressions that check preferences again before messages are sent: their users may have opted out, their address may have been
 * suppressed, and it may be night where they live now. After a wait, the messages to one user leave one after another, in their order. A message
 * that begins to wait before its first attempt gives back its place within a limit. `judged` has all deliveries, `changed` those that are
 * not sent now.
 */
export const recheck = ({ from, where, choices }: RecheckSql) => `
  judged as materialized (
    select d.id, d.occurrence_id, d.notification_id, d.channel_id, d.user_id, d.address_id, d.pending_since, d.attempts,
           d.waits_for is not null has_waited, (case when false then null ${CHOICE_GATES} end)::gate gate, ${CLOCK}
    from ${from}
    join users u on u.id = d.user_id
    left join addresses a on a.id = d.address_id
    ${choiceFrom({ organization: 'd.organization_id', user: 'd.user_id', addressKind: 'a.name', address: 'a.value' })}
    where ${where}
  ), clocks as materialized (${clocks('judged')}
  ), changed as materialized (
    select j.*, k.free_at, k.waits_for, coalesce(${UNTIL}, now() + least(ahead.messages, 60) * ${TURN}) until
    from judged j ${CLOCK_OF} and j.gate is null ${AHEAD}
    where j.gate is not null or k.free_at is not null or (ahead.messages > 0 and ${MAY_WAIT_A_MINUTE})
  ), given_back as (
    delete from message_places p using changed c where p.delivery_id = c.id and c.gate is null and c.attempts = 0
  ), written as (
    update deliveries d
    set status = (case when c.gate is null then 'pending' else 'skipped' end)::delivery_status, gate = c.gate,
        next_attempt_at = case when c.gate is null then c.until end,
        waits_for = case when c.gate is null then coalesce(c.waits_for, d.waits_for) end,
        waits_until = case when c.gate is null then coalesce(c.free_at, d.waits_until) end,
        evidence = ${evidenceOf('c.gate', { organization: 'd.organization_id', user: 'd.user_id', address: 'd.address_id', choices })}
    from changed c where d.id = c.id and d.status = 'pending'
    returning d.gate
  )`;
