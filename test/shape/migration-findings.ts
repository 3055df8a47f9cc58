import type { Client } from 'pg';
import type { Migration } from '../../src/platform/database/migration/migration-file.js';
import { statementsOf } from '../../src/platform/database/migration/statements.js';

/** A migration that changes more rows than this in its transaction would lock many rows of a large table. */
const FEW_ROWS = 100;

// Locks that conflict with writes, the strongest last.
const STRONG = ['ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock'];

const TABLES = `
  select c.oid::int, c.relname "name", pg_relation_filenode(c.oid)::int file, coalesce(s.seq_scan, 0)::int scans,
         coalesce(s.n_tup_ins + s.n_tup_upd + s.n_tup_del, 0)::int changes,
         (select mode from pg_locks l where l.relation = c.oid and l.pid = pg_backend_pid() and mode = any ($1)
          order by array_position($1, mode) desc limit 1) lock
  from pg_class c left join pg_stat_xact_all_tables s on s.relid = c.oid
  where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace and c.relname !~ '_migrations$'`;

const COLUMNS = `
  select attrelid::int "table", attname "name", format_type(atttypid, atttypmod) type, attnotnull "isRequired",
         atthasdef or attidentity <> '' "hasDefault"
  from pg_attribute join pg_class c on c.oid = attrelid
  where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace and attnum > 0 and not attisdropped`;

const UNIQUE = `
  select indrelid::int "table", 'unique index ' || c.relname "name"
  from pg_index join pg_class c on c.oid = indexrelid where indisunique and c.relnamespace = 'public'::regnamespace`;

const NAMES = `
  select 'function ' || proname || '(' || pg_get_function_identity_arguments(p.oid) || ')' "name"
  from pg_proc p where pronamespace = 'public'::regnamespace
  union all
  select 'value ' || enumlabel || ' of ' || typname from pg_enum join pg_type t on t.oid = enumtypid`;

interface Table {
  oid: number;
  name: string;
  file: number;
  scans: number;
  changes: number;
  lock: string | null;
}
interface Column {
  table: number;
  name: string;
  type: string;
  isRequired: boolean;
  hasDefault: boolean;
}
interface Unique {
  table: number;
  name: string;
}

async function look(client: Client) {
  const rows = async <Row extends object>(sql: string, values: unknown[] = []) =>
    (await client.query<Row>(sql, values)).rows;
  const tables = await rows<Table>(TABLES, [STRONG]);
  const columns = await rows<Column>(COLUMNS);
  const rules = await rows<Unique>(UNIQUE);
  const names = (await rows<{ name: string }>(NAMES)).map(({ name }) => name);
  return { tables, columns, rules, names };
}
type Look = Awaited<ReturnType<typeof look>>;

interface Options {
  /** Commits the migration instead of rolling it back. */
  keep?: boolean;
  /** The tables of the previous release. Others are new, and empty during the upgrade. */
  tables?: string[];
}

/** Applies the transaction of a migration, and looks at what it did to existing tables. Returns why it must not be released. */
export async function findingsOf(
  client: Client,
  { sql, needs }: Pick<Migration, 'sql' | 'needs'>,
  { keep, tables }: Options = {},
): Promise<string[]> {
  await client.query('begin');
  try {
    const before = await look(client);
    if (tables) before.tables = before.tables.filter(({ name }) => tables.includes(name));
    for (const statement of statementsOf(sql)) await client.query(statement);
    const after = await look(client);
    if (keep) await client.query('commit');
    return [...lockFindings(before, after, sql), ...(needs === null ? breakFindings(before, after) : [])];
  } finally {
    await client.query('rollback');
  }
}

/** Which tables nobody can write to for longer than a moment. */
function lockFindings(before: Look, after: Look, sql: string): string[] {
  const explicit = statementsOf(sql)
    .filter((statement) => /^lock\b/i.test(statement))
    .map((statement) => `${statement}: do not lock tables yourself`);
  const observed = before.tables.flatMap((old) => {
    const table = after.tables.find(({ oid }) => oid === old.oid);
    if (!table) return [];
    const findings: string[] = [];
    if (table.file !== old.file) findings.push(`rewrites ${old.name}`);
    else if (table.lock && table.scans > old.scans) findings.push(`reads all of ${old.name} under ${table.lock}`);
    if (table.changes - old.changes > FEW_ROWS)
      findings.push(`changes ${table.changes - old.changes} rows of ${old.name} in one transaction`);
    return findings;
  });
  return [...explicit, ...observed];
}

/** What the previous release misses, or can no longer write. */
function breakFindings(before: Look, after: Look): string[] {
  const nameOf = new Map(before.tables.map(({ oid, name }) => [oid, name]));
  const tables = before.tables.flatMap((old) => {
    const table = after.tables.find(({ oid }) => oid === old.oid);
    if (!table) return [`drops table ${old.name}`];
    return table.name === old.name ? [] : [`renames table ${old.name}`];
  });
  const isGone = (oid: number) => !after.tables.some((table) => table.oid === oid);
  const same = (a: Column, b: Column) => a.table === b.table && a.name === b.name;
  const columns = before.columns
    .filter(({ table }) => nameOf.has(table) && !isGone(table))
    .flatMap((old) => {
      const column = after.columns.find((each) => same(each, old));
      const name = `${nameOf.get(old.table)}.${old.name}`;
      if (!column) return [`drops or renames column ${name}`];
      return [
        ...(column.type === old.type ? [] : [`changes the type of ${name}`]),
        ...(column.isRequired && !old.isRequired ? [`makes ${name} required`] : []),
        ...(old.hasDefault && !column.hasDefault ? [`drops the default of ${name}`] : []),
      ];
    });
  const added = after.columns
    .filter((column) => nameOf.has(column.table) && !before.columns.some((old) => same(old, column)))
    .filter(({ isRequired, hasDefault }) => isRequired && !hasDefault)
    .map((column) => `adds ${nameOf.get(column.table)}.${column.name}, required and without a default`);
  const has = (rules: Unique[], rule: Unique) =>
    rules.some((each) => each.table === rule.table && each.name === rule.name);
  const dropped = before.rules
    .filter((rule) => nameOf.has(rule.table) && !isGone(rule.table))
    .filter((rule) => !has(after.rules, rule))
    .map((rule) => `drops ${rule.name} of ${nameOf.get(rule.table)}`);
  const names = before.names.filter((name) => !after.names.includes(name)).map((name) => `drops ${name}`);
  return [...tables, ...columns, ...added, ...dropped, ...names];
}
