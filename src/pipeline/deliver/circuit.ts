import type { Database } from '../../prisma/database.js';

/** So many attempts in a row fail before a channel rests. */
export const FAILURES_TO_OPEN = 10;

// As long as it has failed already: the first probe after 5 s, the next ones after twice as long, at most a minute. Not by the
// number of failures: fifty messages in flight fail at once.
const UNTIL_PROBE = `least(greatest(now() - f.failing_since, interval '5 seconds'), interval '1 minute')`;

/** $1 channel, $2 failures in a row, $3 whether something was sent before them. */
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

/** Only one worker gets to try. */
const CLAIM_PROBE = `
  update channel_states f set probe_at = now() + ${UNTIL_PROBE}
  where channel_id = $1 and probe_at <= now()`;

/** What the workers know together of a channel's failures. */
export interface CircuitState {
  failures: number;
  /** While the channel rests: for so long yet, by the database's clock; below zero when a probe is due. */
  restMs: number | null;
  failingSince: Date | null;
}

/**
 * A channel whose provider fails again and again rests: its messages wait, without an attempt spent on them, and only one at a
 * time is tried until one gets through. This is the view of one chunk; it starts from what all workers know.
 */
export class Circuit {
  private inRow = 0;
  private sent = false;

  constructor(
    private readonly database: Database,
    private readonly channelId: number,
    private readonly known: CircuitState,
  ) {}

  get restMs(): number | null {
    return this.known.restMs;
  }

  /** Why a message that has waited too long for it is given up. */
  get reason(): string {
    return `given up: the channel has failed since ${this.known.failingSince?.toISOString() ?? 'long ago'}`;
  }

  /** Whether this chunk may try one message on a channel that rests. */
  async claimProbe(): Promise<boolean> {
    const { rowCount } = await this.database.query('claim-probe', CLAIM_PROBE, [this.channelId]);
    return rowCount === 1;
  }

  /** Whether more may be sent. */
  get holds(): boolean {
    return this.inRow < FAILURES_TO_OPEN;
  }

  succeeded(): void {
    this.inRow = 0;
    this.sent = true;
  }

  failed(): void {
    this.inRow++;
  }

  /** Tells the other workers what this chunk found; nothing when all is well, as nearly always. */
  async tell(): Promise<void> {
    if (this.inRow > 0)
      await this.database.query('note-failures', NOTE_FAILURES, [this.channelId, this.inRow, this.sent]);
    else if (this.sent && this.known.failures > 0) await this.database.query('close-circuit', CLOSE, [this.channelId]);
  }
}
