import { createHash } from 'node:crypto';
import type { Database } from '../../platform/database/database.js';
import type { FailureLog, LogContext } from '../../platform/telemetry/failure-log.js';
import { CLAIM_PROBE, CLOSE, FAILURES_TO_OPEN, NOTE_FAILURES } from './channel-state.sql.js';

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
  /** The recipients among these failures that count once each, as hashes. */
  private readonly refusedRecipients = new Set<number>();
  private sent = false;
  private lastAnswer = '';

  constructor(
    private readonly database: Database,
    private readonly channelId: number,
    private readonly known: CircuitState,
    private readonly place: LogContext,
    private readonly log: FailureLog,
  ) {}

  get restMs(): number | null {
    return this.known.restMs;
  }

  get failingSince(): Date | null {
    return this.known.failingSince;
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
    return this.failuresInRow + this.refusedRecipients.size < FAILURES_TO_OPEN;
  }

  succeeded(): void {
    this.failuresInRow = 0;
    this.refusedRecipients.clear();
    this.sent = true;
  }

  failed(answer: string): void {
    this.failuresInRow++;
    this.lastAnswer = answer;
  }

  /** The provider refuses the channel itself: one answer is enough. */
  refused(answer: string): void {
    this.failuresInRow += FAILURES_TO_OPEN;
    this.lastAnswer = answer;
  }

  /** The fault may be the recipient's. Several refusals of one recipient count as one failure. */
  refusedRecipient(recipient: string, answer: string): void {
    this.refusedRecipients.add(hashOf(recipient));
    this.lastAnswer = answer;
  }

  /** Shares the failures of this chunk with the other workers. Usually there are none, and nothing is written. */
  async save(): Promise<void> {
    const { database, channelId, failuresInRow, refusedRecipients: refused, sent, known, place, log } = this;
    if (failuresInRow + refused.size > 0) {
      const values = [channelId, failuresInRow, sent, [...refused]];
      const { rows } = await database.query<{ opened: boolean }>('note-failures', NOTE_FAILURES, values);
      if (rows[0]?.opened) log.failing(place, this.lastAnswer);
    } else if (sent && known.failures > 0) {
      const { rowCount } = await database.query('close-circuit', CLOSE, [channelId]);
      if (rowCount === 1 && known.restMs !== null) log.recovered(place);
    }
  }
}

/** 31 bits tell ten recipients apart. */
const hashOf = (recipient: string): number =>
  createHash('sha256').update(recipient).digest().readInt32BE() & 0x7fffffff;
