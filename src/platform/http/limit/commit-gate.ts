import { unavailable } from '../problem.js';

const WHY =
  'The database waits for a synchronous standby, so changes are not confirmed at the moment. ' +
  'A change that is under way may still be stored: send a trigger again with the same Idempotency-Key.';
const RETRY_AFTER_SECONDS = 5;

/**
 * Closed while commits do not return, because a synchronous standby is missing. New changes are then refused before they reach the
 * database, where each would occupy a connection. Changes under way are answered, but their statements go on waiting: to cancel such a
 * wait would make PostgreSQL report success for a row that the standby does not have.
 */
export class CommitGate {
  private readonly onClose = new Set<() => void>();
  private closed = false;

  get isClosed(): boolean {
    return this.closed;
  }

  close(): void {
    if (this.closed) return;
    this.closed = true;
    for (const tell of [...this.onClose]) tell();
  }

  open(): void {
    this.closed = false;
  }

  /** Calls `tell` whenever the gate closes. */
  whenClosed(tell: () => void): void {
    this.onClose.add(tell);
  }

  refusal(): Error {
    return unavailable(WHY, RETRY_AFTER_SECONDS);
  }

  /** Runs a change. Rejects as soon as the gate is closed, although the change may still be stored. */
  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.closed) throw this.refusal();
    let tell = (): void => undefined;
    const closed = new Promise<never>((_, reject) => (tell = () => reject(this.refusal())));
    this.onClose.add(tell);
    try {
      return await Promise.race([work(), closed]);
    } finally {
      this.onClose.delete(tell);
    }
  }
}
