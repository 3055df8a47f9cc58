/** Failed attempts in a row that open the circuit of a channel. */
export const FAILURES_TO_OPEN = 10;

// The wait for the next probe equals the time that the channel has been failing: 5 s at first, then twice as long each time, up to a
// minute. It does not depend on the number of failures, because fifty messages in flight may fail at once.
const UNTIL_PROBE = `least(greatest(now() - f.failing_since, interval '5 seconds'), interval '1 minute')`;

const PROBE_AT = `case when f.failures >= ${FAILURES_TO_OPEN} then now() + ${UNTIL_PROBE} end`;

/**
 * Returns whether these failures opened the circuit. $1: channel, $2: failures in a row, $3: whether a message was sent before them, $4:
 * hashes of the recipients that failed besides. A recipient that has failed since the last success does not count again.
 */
export const NOTE_FAILURES = `
  insert into channel_states as s (channel_id, failures, failing_since, probe_at, refused)
  select $1, f.failures, f.failing_since, ${PROBE_AT}, $4::int[]
  from (select $2::int + cardinality($4::int[]) failures, now() failing_since) f
  on conflict (channel_id) do update
    set (failures, failing_since, probe_at, refused) = (
      select f.failures, f.failing_since, ${PROBE_AT}, f.refused
      from (select b.failures + $2::int + cardinality(added) failures, coalesce(b.failing_since, now()) failing_since,
                   (b.refused || added)[:${FAILURES_TO_OPEN}] refused
            from (select case when $3::bool then 0 else s.failures end failures,
                         case when not $3::bool then s.failing_since end failing_since,
                         case when $3::bool then '{}'::int[] else s.refused end refused) b,
                 lateral (select array(select unnest($4::int[]) except select unnest(b.refused)) added) n) f)
  returning failures >= ${FAILURES_TO_OPEN} and ($3::bool or coalesce((
    select b.failures from channel_states b where b.channel_id = $1), 0) < ${FAILURES_TO_OPEN}) opened`;

export const CLOSE = `
  update channel_states set failures = 0, failing_since = null, probe_at = null, refused = '{}'
  where channel_id = $1 and failures > 0`;

/** Only one worker gets the probe. */
export const CLAIM_PROBE = `
  update channel_states f set probe_at = now() + ${UNTIL_PROBE}
  where channel_id = $1 and probe_at <= now()`;

/** A channel may make up for unused time of the last 50 ms; more would be a burst. */
const CATCH_UP = `interval '50 milliseconds'`;
/** A chunk that would have to wait longer leaves its slot to others. */
export const MAX_WAIT_MS = 2000;

// All workers share one bucket, stored as the time at which it allows the next message. Only PostgreSQL's clock counts.
export const RESERVE = `
  insert into channel_states as s (channel_id, next_send_at) values ($1, clock_timestamp() + $2 * interval '1 second' / $3)
  on conflict (channel_id) do update
    set next_send_at = greatest(s.next_send_at, clock_timestamp() - ${CATCH_UP}) + $2 * interval '1 second' / $3
    where s.next_send_at is null or s.next_send_at < clock_timestamp() + ${MAX_WAIT_MS} * interval '1 millisecond'
  returning extract(epoch from next_send_at - clock_timestamp())::float8 * 1000 "untilEndMs"`;
