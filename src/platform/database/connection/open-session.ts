import { Pool } from 'pg';
import type { ClientBase } from 'pg';
import type { Kind } from './kinds.js';
import { SessionClient } from './session-client.js';
import { watched } from './sockets.js';

/**
 * How long to wait for a new or a free connection. For the lock of a worker this is less than other workers give it after a failover:
 * `GRACE_MS` of the worker, and the time until they have looked twice.
 */
export const CONNECT_MS = 5000;

interface SessionOptions {
  kind: Kind;
  /** PostgreSQL shows it as `application_name`. */
  name: string;
  /** More `set` statements for the session. */
  settings?: string;
  connectMs?: number;
}

/** A session of its own. Call `open` to connect it. */
export function createSession(url: string, options: SessionOptions): SessionClient {
  const client = new SessionClient(configOf(url, options));
  // An `error` event without a listener ends the process. Statements fail anyway.
  client.on('error', () => undefined);
  return client;
}

/** A pool of sessions, each of them set up. */
export function createPool(url: string, max: number, options: SessionOptions): Pool {
  return new Pool({
    ...configOf(url, options),
    max,
    Client: SessionClient as unknown as new () => ClientBase,
    // The pool waits for the returned promise, although the type of `onConnect` says void.
    onConnect: (client) => (client as SessionClient).setUp() as unknown as void,
  });
}

const configOf = (url: string, { kind, name, settings, connectMs = CONNECT_MS }: SessionOptions) => ({
  ...watched(url),
  connectionString: url,
  kind,
  settings,
  application_name: name,
  connectionTimeoutMillis: connectMs,
});
