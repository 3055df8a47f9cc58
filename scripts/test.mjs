// Runs Jest against a real PostgreSQL: one embedded cluster for the whole run, a migrated template database in it,
// and a clone of that template for every test file. Arguments go to Jest: `npm test -- test/api/user.spec.ts`.
import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { EmbeddedPostgres } from '../dist/prisma/embedded/embedded-postgres.js';
import { migrate } from '../dist/prisma/migrate.js';

const folder = mkdtempSync(join(tmpdir(), 'carillon-test-'));
chmodSync(folder, 0o755); // PostgreSQL runs under another account when we are root
const postgres = await EmbeddedPostgres.open(folder, 'command');
process.on('SIGINT', () => undefined); // Jest gets it too and ends; then we stop PostgreSQL

async function prepareTemplate() {
  const client = new Client({ connectionString: postgres.url });
  await client.connect();
  // Nothing in a test run needs to survive a power cut.
  for (const setting of ['fsync', 'synchronous_commit', 'full_page_writes'])
    await client.query(`alter system set ${setting} = off`);
  await client.query('select pg_reload_conf()');
  await client.query('create database template_carillon');
  await client.end();
  await migrate(postgres.url.replace(/\/carillon$/, '/template_carillon'));
}

async function jest() {
  const bin = createRequire(import.meta.url).resolve('jest/bin/jest');
  const env = { ...process.env, TEST_POSTGRES_URL: postgres.url, NODE_ENV: 'test' };
  const flags = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'];
  // Each test file loads Prisma's WebAssembly anew: compiling it for speed as well takes longer than it saves.
  if (process.env.TEST_LONG !== '1') flags.push('--liftoff-only');
  const child = spawn(process.execPath, [...flags, bin, ...process.argv.slice(2)], { stdio: 'inherit', env });
  return new Promise((done) => child.on('exit', (code) => done(code ?? 1)));
}

let code = 1;
try {
  await prepareTemplate();
  code = await jest();
} finally {
  await postgres.close();
  rmSync(folder, { recursive: true, force: true });
}
process.exitCode = code;
