import {
  appendFileSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  writeFileSync,
} from 'node:fs';
import { chown, copyFile, mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { postgresAccount } from '../../../src/platform/database/embedded/postgres-binaries.js';
import { Cluster } from '../../../src/platform/database/embedded/postgres-cluster.js';
import { until } from '../until.js';

const CONNECTIONS = 60;
/** Not copied: PostgreSQL says that a base backup need not have them (docs: "Making a Base Backup Using the Low Level API"). */
const LEFT_OUT = new Set(['postmaster.pid', 'postmaster.opts', 'postgres.log', 'pg_wal', 'pg_replslot', 'pg_stat_tmp']);

/** A PostgreSQL that archives its WAL, so that it can be restored to any point in time. */
export class ArchivedPostgres {
  private constructor(
    private readonly home: string,
    private readonly archive: string,
    private readonly cluster: Cluster,
  ) {}

  get url(): string {
    return this.cluster.url;
  }

  static async start(home: string): Promise<ArchivedPostgres> {
    const archive = join(home, 'archive');
    const cluster = await Cluster.at(home, CONNECTIONS);
    await makeFolder(archive);
    configure(join(home, 'postgres'), {
      archive_mode: 'on',
      archive_command: `cp "%p" "${archive}/%f.part" && mv "${archive}/%f.part" "${archive}/%f"`,
      fsync: 'off', // a power cut is not what the drill is about
    });
    await cluster.start();
    return new ArchivedPostgres(home, archive, cluster);
  }

  /** Copies the data folder while PostgreSQL writes to it, as `pg_basebackup` does, which npm's PostgreSQL lacks. */
  async backUp(folder: string): Promise<void> {
    await this.asOneSession(async (client) => {
      await client.query(`select pg_backup_start('drill', true)`);
      await copyFolder(realpathSync(join(this.home, 'postgres')), folder);
      const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop(true)');
      writeFileSync(join(folder, 'backup_label'), rows[0]!.labelfile);
    });
    for (const missing of ['pg_wal', 'pg_replslot', 'pg_stat_tmp']) await makeFolder(join(folder, missing));
  }

  /** Names this moment, and waits until the archive reaches it. */
  async markPoint(name: string): Promise<void> {
    await this.asOneSession(async (client) => {
      await client.query('select pg_create_restore_point($1)', [name]);
      const { rows } = await client.query<{ wal: string }>('select pg_walfile_name(pg_switch_wal()) wal');
      await until(60_000, () => readdirSync(this.archive).includes(rows[0]!.wal));
    });
  }

  /** Ends it as a lost machine would. */
  async crash(): Promise<void> {
    const file = join(realpathSync(join(this.home, 'postgres')), 'postmaster.pid');
    process.kill(Number(readFileSync(file, 'utf8').split('\n')[0]), 'SIGQUIT');
    await until(60_000, () => !readdirSync(realpathSync(join(this.home, 'postgres'))).includes('postmaster.pid'));
  }

  /** Starts a new PostgreSQL from a base backup and the archive, as of the point with this name. */
  async restore(backup: string, point: string): Promise<ArchivedPostgres> {
    const home = `${this.home}-restored`;
    mkdirSync(home, { mode: 0o755 });
    copyFileSync(join(this.home, 'postgres-password'), join(home, 'postgres-password'));
    const folder = join(home, 'postgres');
    await copyFolder(backup, folder);
    configure(folder, {
      archive_mode: 'off',
      restore_command: `cp "${this.archive}/%f" "%p"`,
      recovery_target_name: point,
      recovery_target_action: 'promote',
    });
    await own(join(folder, 'recovery.signal'), (file) => writeFile(file, ''));
    const cluster = await Cluster.at(home, CONNECTIONS);
    await cluster.start();
    const restored = new ArchivedPostgres(home, this.archive, cluster);
    await until(60_000, () => restored.asOneSession(isPrimary));
    return restored;
  }

  async stop(): Promise<void> {
    await this.cluster.stop().catch(() => undefined); // it may have crashed
  }

  private async asOneSession<T>(work: (client: Client) => Promise<T>): Promise<T> {
    const client = new Client({ connectionString: this.url });
    client.on('error', () => undefined);
    await client.connect();
    try {
      return await work(client);
    } finally {
      await client.end();
    }
  }
}

async function isPrimary(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ primary: boolean }>('select not pg_is_in_recovery() as primary');
  return rows[0]!.primary;
}

/** Later lines win. */
function configure(folder: string, settings: Record<string, string>): void {
  const lines = Object.entries(settings).map(([name, value]) => `${name} = '${value}'\n`);
  appendFileSync(join(folder, 'postgresql.conf'), lines.join(''));
}

/** Makes something that belongs to the account of PostgreSQL. */
async function own(path: string, make: (path: string) => Promise<unknown>): Promise<void> {
  await make(path);
  const account = postgresAccount();
  if (account) await chown(path, account.uid, account.gid);
}

const makeFolder = (folder: string) => own(folder, (path) => mkdir(path, { recursive: true, mode: 0o700 }));

/** Copies step by step, so that the load goes on. A file that vanishes meanwhile was deleted by PostgreSQL, and the WAL says so. */
async function copyFolder(from: string, to: string): Promise<void> {
  await makeFolder(to);
  const entries = await readdir(from, { withFileTypes: true });
  const isRunning = entries.some(({ name }) => name === 'postmaster.pid'); // a copy of the copy is whole
  for (const entry of entries) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (isRunning && LEFT_OUT.has(entry.name)) continue;
    if (entry.isDirectory()) await copyFolder(source, target);
    else if (entry.isFile()) await own(target, (path) => copyFile(source, path)).catch(unlessGone);
  }
}

function unlessGone(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error;
}
