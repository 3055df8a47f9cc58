import type { Client } from 'pg';
import type { Config } from '../../platform/config/config.js';
import { createSession } from '../../platform/database/connection/open-session.js';
import { migrate } from '../../platform/database/migration/migrate.js';
import { inTransaction } from '../../platform/database/transaction.js';
import { idRange, usedPart } from './id-range.js';

/** Processes that start at once give the sequences their ranges one after the other. */
const LOCK = 'select pg_advisory_xact_lock(7261019)';

const OWN_CELL = 'select number from own_cell';

/** `last_value` is null while the sequence has given out nothing. */
const SEQUENCES = `
  select format('%I', sequencename) name, data_type::text "type", min_value::text "min", max_value::text "max", last_value::text "last"
  from pg_sequences where schemaname = current_schema() and data_type::text in ('integer', 'bigint') order by 1`;

interface Sequence {
  name: string;
  type: 'integer' | 'bigint';
  min: string;
  max: string;
  last: string | null;
}

/** A database that belongs to another cell, or that cannot become this one. */
class WrongCell extends Error {}

/** Migrates the database, and gives its ids the range of its cell. Without cells it only migrates. Returns the applied migrations. */
export async function prepareDatabase(
  connectionString: string,
  { cell }: Pick<Config, 'cell'>,
  onWait?: (reason: string) => void,
): Promise<string[]> {
  const applied = await migrate(connectionString, onWait);
  const client = await createSession(connectionString, { kind: 'migration', name: 'carillon migrate' }).open();
  try {
    if (cell) await becomeCell(client, cell.number);
    else await requireNoCell(client);
  } finally {
    await client.end();
  }
  return applied;
}

async function requireNoCell(client: Client): Promise<void> {
  const number = await ownCell(client);
  if (number === null) return;
  throw new WrongCell(
    `the database is cell ${number}: set CELL=${number} with CELL_URL, CELL_SECRET and DIRECTORY_URL (docs/cells.md)`,
  );
}

async function ownCell(client: Client): Promise<number | null> {
  return (await client.query<{ number: number }>(OWN_CELL)).rows[0]?.number ?? null;
}

/** Gives every sequence the range of the cell, also those that a migration has added since. */
export function becomeCell(client: Client, cell: number): Promise<void> {
  return inTransaction(client, async () => {
    await client.query(LOCK);
    const own = await ownCell(client);
    if (own !== null && own !== cell)
      throw new WrongCell(`the database is cell ${own}, not ${cell}: set CELL=${own}, or another DATABASE_URL`);
    const { rows } = await client.query<Sequence>(SEQUENCES);
    for (const sequence of rows) await setRange(client, sequence, cell);
    if (own === null) await client.query('insert into own_cell (number) values ($1)', [cell]);
  });
}

async function setRange(client: Client, { name, type, ...now }: Sequence, cell: number): Promise<void> {
  const { min, max } = idRange(cell, type);
  if (BigInt(now.min) === min && BigInt(now.max) === max) return;
  const last = now.last === null ? null : BigInt(now.last);
  if (last !== null && (last < min || last > max))
    throw new WrongCell(
      `the database cannot become cell ${cell}: ${name} has given out the id ${last}, outside of ${min} to ${max}. Use an empty database, or CELL=0 for the database that you have`,
    );
  const start = last === null ? `start ${min} restart ${min}` : '';
  await client.query(`alter sequence ${name} minvalue ${min} maxvalue ${max} ${start}`);
}

/** The sequence that has used up the largest part of its range. */
export async function fullestSequence(client: Pick<Client, 'query'>, cell: number) {
  const { rows } = await client.query<Sequence>(SEQUENCES);
  const used = rows.map(({ name, type, last }) => ({
    name,
    part: usedPart(idRange(cell, type), last === null ? null : BigInt(last)),
  }));
  return used.sort((a, b) => b.part - a.part)[0] ?? { name: '', part: 0 };
}
