import type { ClientBase } from 'pg';

// Statements count on it: one that waited for a row sees the row as it is then. With the serializable isolation that a database may
// have as its default, requests at the same time would fail.
const ISOLATION = `set default_transaction_isolation = 'read committed'`;

/**
 * Sets up a new session: `settings` are `set` statements. They are sent as one statement after the connection is made, because PgBouncer
 * refuses startup parameters such as `statement_timeout`.
 */
export const setUpSession = (client: ClientBase, settings: string) => client.query(`${ISOLATION}; ${settings}`);

/** For the `onConnect` of a pool: sets up the session of each new connection. */
export const onConnect =
  (settings: string) =>
  // The pool waits for the returned promise, although the type of `onConnect` says void.
  (client: ClientBase): void =>
    setUpSession(client, settings) as unknown as void;
