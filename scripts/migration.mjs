// `npm run migration -- add the color of a channel` writes the SQL that turns the committed schema.prisma into the one on disk
// to prisma/migrations/<stamp>_add_the_color_of_a_channel/migration.sql. Read it before you commit it.
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EmbeddedPostgres } from '../dist/platform/database/embedded/embedded-postgres.js';
import { schemaSql } from './schema-sql.mjs';

const name = process.argv.slice(2).join('_').replace(/\W+/g, '_').toLowerCase();
if (!name) {
  console.error('usage: npm run migration -- <what the migration does, in words>');
  process.exit(2);
}
const { status, stdout } = spawnSync('git', ['show', 'HEAD:prisma/schema.prisma'], { encoding: 'utf8' });
const folder = mkdtempSync(join(tmpdir(), 'carillon-migration-'));
chmodSync(folder, 0o755); // PostgreSQL runs under another account when we are root
const postgres = await EmbeddedPostgres.open(folder, 'command');
try {
  const sql = await schemaSql(postgres.url, status === 0 ? stdout : null, readFileSync('prisma/schema.prisma', 'utf8'));
  if (/^-- This is an empty migration/.test(sql.trim()) || !sql.trim()) {
    console.log('schema.prisma has not changed');
  } else {
    const now = new Date().toISOString().replace(/\D/g, '').slice(0, 14);
    const last = readdirSync(join('prisma', 'migrations'))
      .filter((each) => /^\d{14}_/.test(each))
      .sort()
      .at(-1);
    // Migrations are applied in the order of their names: a new one comes last, whatever the clock says.
    const stamp = last && last >= now ? String(Number(last.slice(0, 14)) + 100) : now;
    const home = join('prisma', 'migrations', `${stamp}_${name}`);
    mkdirSync(home, { recursive: true });
    writeFileSync(join(home, 'migration.sql'), sql);
    console.log(join(home, 'migration.sql'));
  }
} finally {
  await postgres.close();
  rmSync(folder, { recursive: true, force: true });
}
