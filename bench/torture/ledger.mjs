/**
 * What was answered to the load. It lies outside of the service, so no fault touches it.
 * @typedef {{ organization: string, people: number, dueAt: number, acceptedAt: number }} Accepted
 */
export class Ledger {
  /** @type {Map<string, Accepted>} triggers that were answered with 201, by occurrence */
  accepted = new Map();
  /** @type {Map<string, string>} the occurrence of each idempotency key */
  keys = new Map();
  /** @type {Map<string, number>} when a cancel was answered, by occurrence */
  canceled = new Map();
  /** @type {Set<string>} occurrences that somebody tried to cancel; without an answer, both is right */
  cancelTried = new Set();
  /** Keys that were answered with two occurrences. */
  splitKeys = 0;
  /** Triggers that were sent again with their key, after a 201 or without an answer. */
  resent = 0;
  /** Retries by hand that were answered. */
  retried = 0;
  /** Requests without an answer. */
  unanswered = 0;
  /** Requests that were answered with 503. */
  refused = 0;
  /** Triggers that were left out because too much was waiting, or no process ran. */
  leftOut = 0;
  /** @type {Record<string, number>} other answers */
  unexpected = {};

  /** A 201. */
  accept(key, occurrence, trigger) {
    const known = this.keys.get(key);
    if (known !== undefined && known !== occurrence) this.splitKeys++;
    this.keys.set(key, occurrence);
    if (!this.accepted.has(occurrence)) this.accepted.set(occurrence, trigger);
  }

  /** An answer that is no success; null: there was none. */
  fail(what, answer) {
    if (answer === null) this.unanswered++;
    else if (answer.statusCode === 503) this.refused++;
    else {
      const text = `${what}: ${answer.statusCode} ${answer.body?.detail ?? ''}`.trim();
      this.unexpected[text] = (this.unexpected[text] ?? 0) + 1;
    }
  }
}
