import type { Client } from 'pg';

// Tables of the history are left out: a new database has no rows of migrations that the baseline replaces.
const OF_THE_SCHEMA = `relnamespace = 'public'::regnamespace and relname !~ '^_(prisma|carillon)_migrations'`;

const LINES = `
  with tables as (select oid, relname from pg_class where relkind = 'r' and ${OF_THE_SCHEMA})
  select format('type %s %s', typname, string_agg(enumlabel, ' ' order by enumsortorder)) line
  from pg_type t join pg_enum e on e.enumtypid = t.oid group by typname
  union all
  select format('%s %s %s %s %s', relkind, relname, relpersistence, reloptions, relacl) from pg_class where ${OF_THE_SCHEMA}
  union all
  select format('column %s %s %s %s %s %s', relname, rank() over (partition by t.oid order by attnum), attname,
    format_type(atttypid, atttypmod), attnotnull, concat_ws(' ', pg_get_expr(adbin, adrelid), attidentity, attgenerated, attstorage,
      attcompression, attstattarget, attcollation, attoptions))
  from tables t join pg_attribute on attrelid = t.oid left join pg_attrdef on adrelid = attrelid and adnum = attnum
  where attnum > 0 and not attisdropped
  union all
  select format('constraint %s %s %s %s', relname, conname, pg_get_constraintdef(c.oid), convalidated)
  from tables t join pg_constraint c on conrelid = t.oid
  union all
  -- PostgreSQL runs the triggers of foreign keys in the order of their creation.
  select format('key %s %s', rank() over (order by c.oid), conname) from tables t join pg_constraint c on conrelid = t.oid where contype = 'f'
  union all
  select format('index %s %s', pg_get_indexdef(indexrelid), indisvalid) from tables t join pg_index on indrelid = t.oid
  union all
  select format('trigger %s %s', pg_get_triggerdef(g.oid), tgenabled) from tables t join pg_trigger g on tgrelid = t.oid where not tgisinternal
  union all
  select format('function %s %s', pg_get_functiondef(oid), proacl) from pg_proc where pronamespace = 'public'::regnamespace
  union all
  select format('sequence %s %s %s %s', s.relname, format_type(seqtypid, null), d.refobjid::regclass, d.refobjsubid)
  from pg_sequence join pg_class s on s.oid = seqrelid left join pg_depend d on d.objid = s.oid and d.deptype = 'a'
  union all
  select format('comment %s: %s', pg_describe_object(classoid, objoid, objsubid), description) from pg_description
  where objoid >= 16384
  order by 1`;

/** Everything that a database has besides rows, one object a line. */
export async function schemaText(client: Client): Promise<string[]> {
  return (await client.query<{ line: string }>(LINES)).rows.map(({ line }) => line);
}
