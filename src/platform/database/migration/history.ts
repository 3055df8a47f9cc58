import type { ClientBase, Pool } from 'pg';
import type { Migration } from './migration-file.js';

/**
 * The last migration that is recorded in Prisma's own table. The release that ends with it refuses a database with any other migration in
 * that table, although it can run on it. Later migrations therefore have a table of their own. Both tables together are the history.
 */
const LAST_OF_PRISMA = '20261120030000_recipients_in_a_browser';

const COLUMNS = `
  id varchar(36) primary key not null,
  checksum varchar(64) not null,
  finished_at timestamptz,
  migration_name varchar(255) not null,
  logs text,
  rolled_back_at timestamptz,
  started_at timestamptz not null default now(),
  applied_steps_count integer not null default 0`;

const CREATE = `
  create table if not exists _prisma_migrations (${COLUMNS});
  create table if not exists _carillon_migrations (${COLUMNS},
    needs varchar(255)
  )`;

const HAS_TABLES = `
  select to_regclass('_prisma_migrations') is not null old, to_regclass('_carillon_migrations') is not null new`;

const READ_OLD = `
  select migration_name name, checksum, true "isFinished", true "isOld", null needs
  from _prisma_migrations where finished_at is not null and rolled_back_at is null`;

const READ_NEW = `
  select migration_name name, checksum, finished_at is not null "isFinished", false "isOld", needs
  from _carillon_migrations where rolled_back_at is null`;

interface Applied {
  name: string;
  checksum: string;
  /** False while indexes are being built, after the transaction of the migration. */
  isFinished: boolean;
  isOld: boolean;
  needs: string | null;
}

export interface State {
  /** Migrations of this release that are not finished, in order. */
  pending: Migration[];
  /** Those of them whose transaction is committed. */
  begun: Set<string>;
  /** Migrations of newer releases, on which this release can run. */
  newer: string[];
}

type Db = Pick<Pool | ClientBase, 'query'>;

/** This release cannot run on the database. */
export class UnfitSchema extends Error {}

export async function createHistory(db: Db): Promise<void> {
  const { rows } = await db.query<{ old: boolean; new: boolean }>(HAS_TABLES);
  if (!rows[0]!.old || !rows[0]!.new) await db.query(CREATE);
}

/** Throws `UnfitSchema` if this release cannot run on the database. */
export async function readState(db: Db, migrations: Migration[]): Promise<State> {
  const applied = await readApplied(db);
  const known = new Set(migrations.map(({ name }) => name));
  const unknown = applied.filter(({ name }) => !known.has(name));
  refuseNewer(unknown, known);
  const byName = new Map(applied.map((each) => [each.name, each]));
  for (const { name, checksum } of migrations) {
    if (byName.has(name) && byName.get(name)!.checksum !== checksum) {
      throw new UnfitSchema(
        `migration ${name} was changed after it had been applied to this database: restore its file`,
      );
    }
  }
  return {
    pending: migrations.filter(({ name }) => !byName.get(name)?.isFinished),
    begun: new Set(byName.keys()),
    newer: unknown.map(({ name }) => name).sort(),
  };
}

async function readApplied(db: Db): Promise<Applied[]> {
  const { rows } = await db.query<{ old: boolean; new: boolean }>(HAS_TABLES);
  const reads = [...(rows[0]!.old ? [READ_OLD] : []), ...(rows[0]!.new ? [READ_NEW] : [])];
  return reads.length === 0 ? [] : (await db.query<Applied>(reads.join(' union all '))).rows;
}

function refuseNewer(unknown: Applied[], known: Set<string>): void {
  const refused = unknown
    .filter(({ isOld, needs }) => isOld || (needs !== null && !known.has(needs)))
    .sort((a, b) => a.name.localeCompare(b.name))
    .at(-1);
  if (!refused) return;
  const { name, needs } = refused;
  throw new UnfitSchema(
    `the database belongs to a newer release of Carillon: it has the migration ${name}${needs ? `, which needs a release with ${needs}` : ''}. ` +
      'Start that release, or restore a backup from before its upgrade',
  );
}

/** Records a migration in the transaction that applies it. It is finished once its steps outside of the transaction are. */
export async function record(db: Db, { name, checksum, steps, needs }: Migration): Promise<void> {
  const finished = steps.length === 0 ? 'clock_timestamp()' : 'null';
  if (name <= LAST_OF_PRISMA) {
    await db.query(
      `insert into _prisma_migrations (id, checksum, migration_name, finished_at, applied_steps_count)
       values (gen_random_uuid(), $1, $2, ${finished}, 1)`,
      [checksum, name],
    );
  } else {
    await db.query(
      `insert into _carillon_migrations (id, checksum, migration_name, needs, finished_at, applied_steps_count)
       values (gen_random_uuid(), $1, $2, $3, ${finished}, 1)`,
      [checksum, name, needs],
    );
  }
}

export async function recordEnd(db: Db, { name }: Migration): Promise<void> {
  await db.query(
    `update _carillon_migrations set finished_at = clock_timestamp()
     where migration_name = $1 and finished_at is null and rolled_back_at is null`,
    [name],
  );
}
