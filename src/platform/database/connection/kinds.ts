/**
 * The kinds of sessions. `answerMs` is how long the answer to a statement may take before its connection is destroyed. PostgreSQL ends a
 * statement before that (`statement_timeout`): the deadline is for answers that never come, because a proxy or a firewall has lost them.
 * What became of the statement is unknown then.
 */
export const KINDS = {
  /** Requests, and the work of a worker that shares their pool. A request that waits for a lock holds a connection that others need. */
  request: { answerMs: 35_000, settings: timeouts('30s', '5s', '60s') },
  /** Statements that take and end jobs. Less than the 15 s after which `FREE_UNKNOWN` frees a job that its worker does not know. */
  queue: { answerMs: 12_000, settings: timeouts('10s', '5s', '10s') },
  /** Sessions that hold a lock or listen, and small questions. */
  signal: { answerMs: 10_000, settings: timeouts('8s', '8s', '10s') },
  /** The directory of the cells. A directory that takes longer counts as one that does not answer. */
  directory: { answerMs: 5000, settings: timeouts('4s', '4s', '10s') },
  /** Statements over whole tables that nobody waits for. */
  background: { answerMs: 610_000, settings: timeouts('10min', '5s', '60s') },
  /** A statement takes as long as it takes. */
  move: { answerMs: 6 * 3_600_000, settings: timeouts('0', '30s', '1h') },
  /** The statements around those of the migrations, which have no limit (`SessionClient.unhurried`). */
  migration: { answerMs: 35_000, settings: timeouts('0', '0', '1h') },
} as const;

export type Kind = keyof typeof KINDS;

function timeouts(statement: string, lock: string, idleInTransaction: string): string {
  return `set statement_timeout = '${statement}'; set lock_timeout = '${lock}'; set idle_in_transaction_session_timeout = '${idleInTransaction}'`;
}

/** How long the answer to a statement of a transaction may take that has run `LONG_STATEMENTS`. */
export const LONG_ANSWER_MS = 3_600_000;

/** Lifts the timeouts of a transaction that may write a million rows in one statement, or waits for a slow upload or reader. */
export const LONG_STATEMENTS = `
  select set_config('statement_timeout', '0', true), set_config('idle_in_transaction_session_timeout', '10min', true)`;

// Statements count on it: one that waited for a row sees the row as it is then. With the serializable isolation that a database may
// have as its default, requests at the same time would fail.
const ISOLATION = `set default_transaction_isolation = 'read committed'`;

// A machine that vanishes does not close its connections. PostgreSQL then keeps their locks and transactions until TCP gives up: after
// 944 seconds or two hours by default, after 21 seconds with these settings (tried).
const KEEPALIVES = `set tcp_keepalives_idle = 5; set tcp_keepalives_interval = 3; set tcp_keepalives_count = 3; set tcp_user_timeout = 14000`;

/** What every session begins with: one message, because each costs a round trip. */
export const settingsOf = (kind: Kind, more = '') =>
  `${ISOLATION}; ${KEEPALIVES}; ${KINDS[kind].settings}${more && `; ${more}`}`;
