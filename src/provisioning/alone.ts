import type { ClientBase } from 'pg';
import { NAME_ACTOR, commandLine } from '../prisma/actor.js';

const LOCK = 7_261_004;

/** For a transaction that changes many rows: it may take longer than a request, and two would wait for each other row by row. */
export async function workAlone(client: ClientBase, command: string): Promise<void> {
  await client.query(NAME_ACTOR, [JSON.stringify(commandLine(command))]);
  await client.query('set local statement_timeout = 0');
  await client.query('select pg_advisory_xact_lock($1)', [LOCK]);
}
