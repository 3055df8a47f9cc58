import type { Side } from './side.js';

interface Column {
  name: string;
  type: string;
}

/** A table as PostgreSQL describes it. */
export interface CatalogTable {
  name: string;
  columns: Column[];
  /** The columns of the primary key. */
  key: Column[];
  /** Foreign keys of one column. */
  parents: { column: string; table: string }[];
}

const TABLES = `
  select c.relname "name",
    (select json_agg(json_build_object('name', a.attname, 'type', format_type(a.atttypid, a.atttypmod)) order by a.attnum)
     from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped) "columns",
    (select json_agg(json_build_object('name', a.attname, 'type', format_type(a.atttypid, null)) order by k.place)
     from pg_constraint p cross join unnest(p.conkey) with ordinality k(number, place)
     join pg_attribute a on a.attrelid = c.oid and a.attnum = k.number where p.conrelid = c.oid and p.contype = 'p') "key",
    coalesce((select json_agg(json_build_object('column', a.attname, 'table', p.confrelid::regclass::text) order by a.attnum)
     from pg_constraint p join pg_attribute a on a.attrelid = c.oid and a.attnum = p.conkey[1]
     where p.conrelid = c.oid and p.contype = 'f' and cardinality(p.conkey) = 1), '[]') "parents"
  from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') order by 1`;

/** Every table of the schema. */
export async function readCatalog(side: Side): Promise<CatalogTable[]> {
  return side.rows<CatalogTable>(TABLES);
}
