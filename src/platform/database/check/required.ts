import type { Client } from 'pg';
import { createSession } from '../connection/open-session.js';
import type { Check } from './check.js';

const LOOK = `select pg_backend_pid() pid, current_setting('server_encoding') encoding`;

interface Look {
  pid: number;
  encoding: string;
}

/** Throws if the database can never work for Carillon. Called before anything is written to it, or locked in it. */
export async function requireUsable(client: Client, connectionString: string): Promise<void> {
  const failed = (await requiredChecks(client, connectionString)).find(({ ok }) => !ok);
  if (failed) throw new Error(`${failed.detail}: ${failed.advice}`);
}

/** `client` is connected to `connectionString`; a second connection is opened for a moment. */
export async function requiredChecks(client: Client, connectionString: string): Promise<Check[]> {
  const { isPooled, encoding } = await withSecondClient(connectionString, (second) => look(client, second));
  return [
    {
      name: 'pooler',
      ok: !isPooled,
      detail: isPooled
        ? 'DATABASE_URL leads to a pooler in transaction mode, which gives sessions of PostgreSQL to several connections'
        : 'each connection has its own session',
      advice:
        'use pool_mode = session in PgBouncer for this database, or the address of PostgreSQL itself as DATABASE_URL',
    },
    {
      name: 'encoding',
      ok: encoding === 'UTF8',
      detail:
        encoding === 'UTF8' ? 'UTF8' : `the database has the encoding ${encoding}, which cannot store every character`,
      advice: `create one with: create database carillon encoding 'UTF8' locale 'C' template template0`,
    },
  ];
}

/**
 * Two connections at the same time have the same session, or one connection has two: no direct connection and no session pool does
 * that. The order matters. PgBouncer gives the session that was used last (found by the second look), or with `server_round_robin` the one
 * that was used first (found by the fourth look, also if there are two).
 */
async function look(first: Client, second: Client): Promise<{ isPooled: boolean; encoding: string }> {
  const seen = new Map<Client, Set<number>>([
    [first, new Set()],
    [second, new Set()],
  ]);
  let encoding = '';
  for (const client of [first, second, first, first, second]) {
    const { rows } = await client.query<Look>(LOOK);
    seen.get(client)!.add(rows[0]!.pid);
    ({ encoding } = rows[0]!);
  }
  const sessions = [...seen.values()].flatMap((pids) => [...pids]);
  return { isPooled: sessions.length > 2 || new Set(sessions).size < 2, encoding };
}

async function withSecondClient<Result>(
  connectionString: string,
  work: (client: Client) => Promise<Result>,
): Promise<Result> {
  const options = { kind: 'signal', name: 'carillon check', connectMs: 10_000 } as const;
  const client = await createSession(connectionString, options).open();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
