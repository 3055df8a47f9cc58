// Computes the SQL that turns one Prisma schema into another, with the WebAssembly build of Prisma's schema engine. The native
// build comes from a download host that not every machine can reach.
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { PrismaPg } from '@prisma/adapter-pg';
import { bindMigrationAwareSqlAdapterFactory } from '@prisma/driver-adapter-utils';
import { Pool } from 'pg';
import * as bindings from '@prisma/schema-engine-wasm/schema_engine_bg';

let engineClass;

async function load() {
  if (engineClass) return engineClass;
  const folder = dirname(createRequire(import.meta.url).resolve('@prisma/schema-engine-wasm'));
  const wasm = await readFile(join(folder, 'schema_engine_bg.wasm'));
  const { instance } = await WebAssembly.instantiate(wasm, { './schema_engine_bg.js': bindings });
  bindings.__wbg_set_wasm(instance.exports);
  instance.exports.__wbindgen_start();
  engineClass = bindings.SchemaEngine;
  return engineClass;
}

/**
 * `from` and `to` are the texts of schema files; no `from` means an empty database. The engine reads the PostgreSQL version
 * from the database at `databaseUrl`.
 */
export async function schemaSql(databaseUrl, from, to) {
  const SchemaEngine = await load();
  const pool = new Pool({ connectionString: databaseUrl });
  const adapter = bindMigrationAwareSqlAdapterFactory(new PrismaPg(pool));
  const engine = await SchemaEngine.new({ datamodels: [['schema.prisma', to]] }, () => undefined, adapter);
  const side = (content) =>
    content ? { tag: 'schemaDatamodel', files: [{ path: 'schema.prisma', content }] } : { tag: 'empty' };
  try {
    const { stdout } = await engine.diff({
      from: side(from),
      to: side(to),
      script: true,
      shadowDatabaseUrl: null,
      exitCode: null,
      filters: { externalTables: [], externalEnums: [] },
    });
    return stdout ?? '';
  } finally {
    engine.free();
    await pool.end();
  }
}
