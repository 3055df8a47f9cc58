import type { ClientBase } from 'pg';
import type { Prisma } from './generated/prisma/client.js';
import { NAME_ACTOR } from './actor.js';
import type { Actor } from './actor.js';
import { LONG_STATEMENTS } from './connection/kinds.js';
import { isDeadlock } from './database-error.js';

/** An open transaction. Use Prisma's methods for single rows, `$queryRawUnsafe` and `$executeRawUnsafe` for the statements of `*.sql.ts`. */
export type Transaction = Prisma.TransactionClient;

/** The part of a transaction that runs SQL texts. A short command has one without Prisma (`operate/cli/connection.ts`). */
export interface SqlTransaction {
  $queryRawUnsafe<Rows>(sql: string, ...values: unknown[]): Promise<Rows>;
  $executeRawUnsafe(sql: string, ...values: unknown[]): Promise<number>;
}

/** Runs `work` in a transaction of a connection of `pg`: all of it, or nothing. */
export async function inTransaction<Result>(
  client: Pick<ClientBase, 'query'>,
  work: () => Promise<Result>,
): Promise<Result> {
  await client.query('begin');
  try {
    const result = await work();
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback').catch(() => undefined); // the connection may be the reason
    throw error;
  }
}

const MAX_TRIES = 5;

/** Runs `work` in the name of `by`, in a transaction that `begin` opens. Runs it again if PostgreSQL ended it to break a deadlock. */
export async function runChange<Tx extends SqlTransaction, Result>(
  begin: (work: (tx: Tx) => Promise<Result>) => Promise<Result>,
  by: Actor,
  work: (tx: Tx) => Promise<Result>,
  { retry = true } = {},
): Promise<Result> {
  const named = async (tx: Tx) => {
    await tx.$queryRawUnsafe(NAME_ACTOR, JSON.stringify(by));
    return work(tx);
  };
  for (let tries = 1; ; tries++) {
    try {
      return await begin(named);
    } catch (error) {
      if (!retry || !isDeadlock(error) || tries === MAX_TRIES) throw error;
    }
  }
}

/** Removes the timeout of 30 s for each statement: for a transaction that may write a million rows in one statement. */
export const allowLongStatements = (tx: Transaction) => tx.$executeRawUnsafe(LONG_STATEMENTS);

type Table =
  | 'organizations'
  | 'projects'
  | 'applications'
  | 'events'
  | 'channels'
  | 'layouts'
  | 'partials'
  | 'distribution_lists'
  | 'addresses'
  | 'users'
  | 'categories';

/**
 * Locks rows until the end of the transaction, in the order of their ids. Returns the ids that exist. Prisma has no row locks.
 * `update` blocks changes and new foreign keys to the row, `no key update` blocks only changes, `share` blocks only
 * changes too but not others that share, `key share` blocks only deletion.
 */
export async function lockRows(
  tx: SqlTransaction,
  table: Table,
  ids: readonly number[],
  strength: 'update' | 'no key update' | 'share' | 'key share' = 'update',
): Promise<number[]> {
  const sql = `select id from ${table} where id = any($1) order by id for ${strength}`;
  return (await tx.$queryRawUnsafe<{ id: number }[]>(sql, ids)).map(({ id }) => id);
}

const PLAIN = /^(?!null$)[\w@.+-]+$/i;

/**
 * A column of many rows as one parameter of a raw statement (`$1::text[]`), in PostgreSQL's text format for arrays. Prisma accepts arrays
 * too, but checks every element: 5,000 rows of six columns take 32 to 57 ms of CPU that way, 18 ms as text and 12 ms through `pg`.
 */
export function sqlArray(values: readonly (string | number | boolean | null)[]): string {
  const element = (value: string | number | boolean | null) => {
    if (value === null) return 'null';
    if (typeof value !== 'string' || PLAIN.test(value)) return String(value);
    return `"${value.replace(/[\\"]/g, '\\$&')}"`;
  };
  return `{${values.map(element).join(',')}}`;
}
