import type { ClientBase } from 'pg';

/** For the `onConnect` of a pool: a setting for each of its connections. As a statement, for PgBouncer refuses options of a connection. */
export const onConnect =
  (setting: string) =>
  // The pool waits for what this answers, whatever its type says.
  (client: ClientBase): void =>
    client.query(setting) as unknown as void;
