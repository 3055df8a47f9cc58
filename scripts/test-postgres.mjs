// One embedded PostgreSQL for a whole run of tests, with a migrated template database that every test file clones.
import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { EmbeddedPostgres } from '../dist/platform/database/embedded/embedded-postgres.js';
import { migrate } from '../dist/platform/database/migration/migrate.js';

/** Calls `work` with the address of the server, and stops the server at the end. */
export async function withPostgres(work) {
  const folder = mkdtempSync(join(tmpdir(), 'carillon-test-'));
  chmodSync(folder, 0o755); // PostgreSQL runs under another account when we are root
  const postgres = await EmbeddedPostgres.open(folder, 'command');
  try {
    await prepareTemplate(postgres.url);
    return await work(postgres.url);
  } finally {
    await postgres.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function prepareTemplate(url) {
  const client = new Client({ connectionString: url });
  await client.connect();
  // Nothing in a test run needs to survive a power cut.
  for (const setting of ['fsync', 'synchronous_commit', 'full_page_writes'])
    await client.query(`alter system set ${setting} = off`);
  await client.query('select pg_reload_conf()');
  await client.query('create database template_carillon');
  await client.end();
  await migrate(url.replace(/\/carillon$/, '/template_carillon'));
}

/** Starts Jest as a process of its own. */
export function spawnJest(url, args, { env = {}, ...options } = {}) {
  const bin = createRequire(import.meta.url).resolve('jest/bin/jest');
  // To compile Prisma's WebAssembly for speed as well takes longer than it saves in a short run.
  const flags = process.env.TEST_LONG === '1' ? [] : ['--liftoff-only'];
  return spawn(process.execPath, [...flags, bin, ...args], {
    ...options,
    env: { ...process.env, TEST_POSTGRES_URL: url, NODE_ENV: 'test', ...env },
  });
}
