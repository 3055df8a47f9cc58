import type { ClientBase, Pool } from 'pg';
import type { Migration } from './migration-file.js';

const CREATE = `
  create table if not exists _carillon_migrations (
    id varchar(36) primary key not null,
    checksum varchar(64) not null,
    finished_at timestamptz,
    migration_name varchar(255) not null,
    logs text,
    rolled_back_at timestamptz,
    started_at timestamptz not null default now(),
    applied_steps_count integer not null default 0,
    needs varchar(255)
  )`;

const HAS_TABLE = 'select to_regclass($1) is not null "isThere"';

const READ = `
  select migration_name name, checksum, finished_at is not null "isFinished", needs
  from _carillon_migrations where rolled_back_at is null`;

/** The last version whose migrations the baseline replaces, as the operator finds it. */
const LAST_BEFORE_BASELINE = 'version 0.1.0 (commit 77cf65f)';

interface Applied {
  name: string;
  checksum: string;
  /** False while indexes are being built, after the transaction of the migration. */
  isFinished: boolean;
  needs: string | null;
}

interface State {
  /** Migrations of this release that are not finished, in order. */
  pending: Migration[];
  /** Those of them whose transaction is committed. */
  begun: Set<string>;
  /** Whether the baseline is pending, and the migrations that it replaces have been applied: it is only recorded then. */
  isBaselineInPlace: boolean;
  /** Migrations of newer releases, on which this release can run. */
  newer: string[];
}

type Db = Pick<Pool | ClientBase, 'query'>;

/** This release cannot run on the database. */
export class UnfitSchema extends Error {}

export async function createHistory(db: Db): Promise<void> {
  if (!(await hasTable(db, '_carillon_migrations'))) await db.query(CREATE);
}

/** Throws `UnfitSchema` if this release cannot run on the database. */
export async function readState(db: Db, migrations: Migration[]): Promise<State> {
  const applied = (await hasTable(db, '_carillon_migrations')) ? (await db.query<Applied>(READ)).rows : [];
  const byName = new Map(applied.map((each) => [each.name, each]));
  const baseline = migrations.find(({ replaces }) => replaces !== null);
  const isBaselinePending = baseline !== undefined && !byName.has(baseline.name);
  const isBaselineInPlace = isBaselinePending && byName.get(baseline.replaces!)?.isFinished === true;
  if (isBaselinePending && !isBaselineInPlace) await refuseOlder(db, baseline);
  const known = new Set(migrations.map(({ name }) => name));
  const unknown = applied.filter(({ name }) => !known.has(name) && !(name <= (baseline?.replaces ?? '')));
  refuseNewer(unknown, known);
  refuseChanged(migrations, byName);
  return {
    pending: migrations.filter(({ name }) => !byName.get(name)?.isFinished),
    begun: new Set(byName.keys()),
    isBaselineInPlace,
    newer: unknown.map(({ name }) => name).sort(),
  };
}

async function hasTable(db: Db, name: string): Promise<boolean> {
  return (await db.query<{ isThere: boolean }>(HAS_TABLE, [name])).rows[0]!.isThere;
}

/** Versions before the baseline recorded their first migrations in the table of Prisma. */
async function refuseOlder(db: Db, baseline: Migration): Promise<void> {
  if (!(await hasTable(db, '_prisma_migrations'))) return;
  if ((await db.query('select from _prisma_migrations limit 1')).rowCount === 0) return;
  throw new UnfitSchema(
    `the database belongs to an older version of Carillon, and lacks its migration ${baseline.replaces}. ` +
      `Run \`carillon migrate\` of ${LAST_BEFORE_BASELINE} first: see docs/upgrades.md`,
  );
}

function refuseNewer(unknown: Applied[], known: Set<string>): void {
  const refused = unknown
    .filter(({ needs }) => needs !== null && !known.has(needs))
    .sort((a, b) => a.name.localeCompare(b.name))
    .at(-1);
  if (!refused) return;
  throw new UnfitSchema(
    `the database belongs to a newer release of Carillon: it has the migration ${refused.name}, which needs a release with ${refused.needs}. ` +
      'Start that release, or restore a backup from before its upgrade',
  );
}

function refuseChanged(migrations: Migration[], byName: Map<string, Applied>): void {
  for (const { name, checksum } of migrations) {
    if (byName.has(name) && byName.get(name)!.checksum !== checksum) {
      throw new UnfitSchema(
        `migration ${name} was changed after it had been applied to this database: restore its file`,
      );
    }
  }
}

/**
 * Records a migration in the transaction that applies it. It is finished once its steps outside of the transaction are. A baseline that made
 * the schema needs a release that knows it: an older one would apply the migrations that it replaces.
 */
export function record(db: Db, migration: Migration): Promise<void> {
  return insert(db, migration, migration.replaces === null ? migration.needs : migration.name);
}

/** Records a baseline whose schema is in place. The release before it can run on this database. */
export function recordInPlace(db: Db, baseline: Migration): Promise<void> {
  return insert(db, baseline, null);
}

async function insert(db: Db, { name, checksum, steps }: Migration, needs: string | null): Promise<void> {
  const finished = steps.length === 0 ? 'clock_timestamp()' : 'null';
  await db.query(
    `insert into _carillon_migrations (id, checksum, migration_name, needs, finished_at, applied_steps_count)
     values (gen_random_uuid(), $1, $2, $3, ${finished}, 1)`,
    [checksum, name, needs],
  );
}

export async function recordEnd(db: Db, { name }: Migration): Promise<void> {
  await db.query(
    `update _carillon_migrations set finished_at = clock_timestamp()
     where migration_name = $1 and finished_at is null and rolled_back_at is null`,
    [name],
  );
}
