import type { ClientBase } from 'pg';

/** For the `onConnect` of a pool: runs a `set` statement on each new connection. PgBouncer refuses connection options, so it is a
 * statement. */
export const onConnect =
  (setting: string) =>
  // The pool waits for the returned promise, although the type of `onConnect` says void.
  (client: ClientBase): void =>
    client.query(setting) as unknown as void;
