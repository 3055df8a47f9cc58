import type { Database } from '../../prisma/database.js';

/** Failed attempts in a row that open the circuit of a channel. */
export const FAILURES_TO_OPEN = 10;

// The wait for the next probe equals the time that the channel has been failing: 5 s at first, then twice as long each time, up to a
// minute. It does not depend on the number of failures, because fifty messages in flight may fail at once.
const UNTIL_PROBE = `least(greatest(now() - f.failing_since, interval '5 seconds'), interval '1 minute')`;

/** $1: channel, $2: failures in a row, $3: whether a message was sent before them. */
const NOTE_FAILURES = `
  insert into channel_states as s (channel_id, failures, failing_since, probe_at)
  select $1, f.failures, f.failing_since, case when f.failures >= ${FAILURES_TO_OPEN} then now() + ${UNTIL_PROBE} end
  from (select $2::int failures, now() failing_since) f
  on conflict (channel_id) do update
    set (failures, failing_since, probe_at) = (
      select f.failures, f.failing_since, case when f.failures >= ${FAILURES_TO_OPEN} then now() + ${UNTIL_PROBE} end
      from (select case when $3::bool then 0 else s.failures end + $2::int failures,
                   case when $3::bool then now() else coalesce(s.failing_since, now()) end failing_since) f)`;

const CLOSE = `
  update channel_states set failures = 0, failing_since = null, probe_at = null
  where channel_id = $1 and failures > 0`;

/** Only one worker gets the probe. */
const CLAIM_PROBE = `
  update channel_states f set probe_at = now() + ${UNTIL_PROBE}
  where channel_id = $1 and probe_at <= now()`;

/** The failures of a channel, shared by all workers. */
export interface CircuitState {
  failures: number;
  /** While the circuit is open: time until the next probe, by the database's clock; negative when it is due. */
  restMs: number | null;
  failingSince: Date | null;
}

/**
 * The circuit of a channel opens when its provider keeps failing: messages wait without using up attempts, and only one message at a
 * time is tried, until one is sent. This is the view of one chunk; it starts from the shared state.
 */
export class Circuit {
  private failuresInRow = 0;
  private sent = false;

  constructor(
    private readonly database: Database,
    private readonly channelId: number,
    private readonly known: CircuitState,
  ) {}

  get restMs(): number | null {
    return this.known.restMs;
  }

  /** Why a message was given up after a long wait for the channel. */
  get reason(): string {
    return `given up: the channel has been failing since ${this.known.failingSince?.toISOString() ?? 'an unknown time'}`;
  }

  /** Whether this chunk may try one message while the circuit is open. */
  async claimProbe(): Promise<boolean> {
    const { rowCount } = await this.database.query('claim-probe', CLAIM_PROBE, [this.channelId]);
    return rowCount === 1;
  }

  /** Whether this chunk may send more. */
  get maySend(): boolean {
    return this.failuresInRow < FAILURES_TO_OPEN;
  }

  succeeded(): void {
    this.failuresInRow = 0;
    this.sent = true;
  }

  failed(): void {
    this.failuresInRow++;
  }

  /** Shares the failures of this chunk with the other workers. Usually there are none, and nothing is written. */
  async save(): Promise<void> {
    if (this.failuresInRow > 0)
      await this.database.query('note-failures', NOTE_FAILURES, [this.channelId, this.failuresInRow, this.sent]);
    else if (this.sent && this.known.failures > 0) await this.database.query('close-circuit', CLOSE, [this.channelId]);
  }
}
