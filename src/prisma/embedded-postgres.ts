import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { chown, mkdtemp, rename } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { keep } from '../config/keep.js';
import {
  EmbeddedPostgresError,
  SHARED_HOME,
  postgresAccount,
  postgresBinaries,
  reaches,
  runPostgres,
} from './postgres-binaries.js';
import type { Account } from './postgres-binaries.js';

const DATABASE = 'carillon';
const OPEN_TIMEOUT_MS = 60_000;

// Session advisory locks say who uses the cluster. They vanish with their process, however it ends, so there is no pid
// file to go stale: a server found dead leaves its PostgreSQL running, and the next start simply adopts it.
const SERVER_LOCK = 7_261_001;
const IN_USE_LOCK = 7_261_002;

/**
 * The PostgreSQL that runs when no `DATABASE_URL` is set: a real one, from npm, under the data folder. It is a process of
 * its own, shared by the server and every command on the same folder; the last one to leave stops it.
 */
export class EmbeddedPostgres {
  private closing = false;
  private recovering: Promise<void> | undefined;

  private constructor(
    private readonly cluster: Cluster,
    private lock: Client,
    private readonly as: 'server' | 'command',
  ) {
    this.watch();
  }

  get url(): string {
    return this.cluster.url;
  }

  static async open(dataDir: string, as: 'server' | 'command'): Promise<EmbeddedPostgres> {
    const cluster = await Cluster.at(dataDir);
    const lock = await enter(cluster, as, dataDir);
    return new EmbeddedPostgres(cluster, lock, as);
  }

  /** Leaves the cluster, and stops it when nobody else is in. */
  async close(): Promise<void> {
    this.closing = true;
    await this.recovering;
    await this.lock.end().catch(() => undefined);
    await stopIfDeserted(this.cluster);
  }

  /** A PostgreSQL that fell over is started again, and the locks are taken anew. */
  private watch(): void {
    this.lock.once('end', () => (this.recovering = this.recover()));
  }

  private async recover(): Promise<void> {
    while (!this.closing) {
      try {
        this.lock = await enter(this.cluster, this.as, this.cluster.home);
        return this.watch();
      } catch {
        await sleep(1000);
      }
    }
  }
}

async function stopIfDeserted(cluster: Cluster): Promise<void> {
  const client = new Client({ connectionString: cluster.url });
  client.on('error', () => undefined);
  try {
    await client.connect();
  } catch {
    return; // it does not run
  }
  try {
    const { rows } = await client.query<{ alone: boolean }>('select pg_try_advisory_lock($1) alone', [IN_USE_LOCK]);
    if (rows[0]?.alone) await cluster.stop();
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Connects, starting PostgreSQL if need be, and takes this process's locks. */
async function enter(cluster: Cluster, as: 'server' | 'command', dataDir: string): Promise<Client> {
  const deadline = Date.now() + OPEN_TIMEOUT_MS;
  for (;;) {
    try {
      const client = await connect(cluster);
      if (as === 'server') await claim(client, dataDir);
      await client.query('select pg_advisory_lock_shared($1)', [IN_USE_LOCK]);
      return client;
    } catch (error) {
      // Whoever left last may be stopping it this very moment: start over, unless the answer is final.
      if (error instanceof EmbeddedPostgresError || Date.now() > deadline) throw error;
      await sleep(200);
    }
  }
}

async function connect(cluster: Cluster): Promise<Client> {
  await cluster.start();
  const client = new Client({ connectionString: cluster.url, application_name: `carillon ${process.pid}` });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

async function claim(client: Client, dataDir: string): Promise<void> {
  const { rows } = await client.query<{ free: boolean }>('select pg_try_advisory_lock($1) free', [SERVER_LOCK]);
  if (rows[0]?.free) return;
  const other = await client.query<{ name: string }>(
    `select application_name name from pg_stat_activity join pg_locks using (pid)
     where locktype = 'advisory' and classid = 0 and objid = $1 and granted`,
    [SERVER_LOCK],
  );
  await client.end();
  const pid = other.rows[0]?.name.split(' ')[1] ?? 'unknown';
  throw new EmbeddedPostgresError(
    `another Carillon (process ${pid}) already runs on ${dataDir}: stop it, or set DATA_DIR to another folder`,
  );
}

/** The files and the process of one PostgreSQL. */
class Cluster {
  private constructor(
    readonly home: string,
    private readonly folder: string,
    private readonly bin: string,
    private readonly account: Account | undefined,
    private readonly password: string,
  ) {}

  static async at(dataDir: string): Promise<Cluster> {
    const account = postgresAccount();
    const bin = join(await postgresBinaries(account), 'bin');
    mkdirSync(dataDir, { recursive: true, mode: 0o755 });
    const password = keep(join(dataDir, 'postgres-password'), () => randomBytes(24).toString('hex'));
    const folder = await ensureFolder(
      join(dataDir, 'postgres'),
      (empty) => init(empty, bin, account, password),
      account,
    );
    return new Cluster(dataDir, folder, bin, account, password);
  }

  get url(): string {
    return `postgresql://carillon:${this.password}@127.0.0.1:${this.port()}/${DATABASE}`;
  }

  async start(): Promise<void> {
    if (await this.answers()) return;
    // A port once chosen is kept while it can be: connection pools of a running server survive a restart of PostgreSQL.
    const port = this.port() || (await freePort());
    const options = `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories=''`;
    const log = join(this.folder, 'postgres.log');
    try {
      await this.control('start', '-w', '-t', '60', '-l', log, '-o', options);
    } catch (error) {
      // While the old one is still going down, try again at the same port; another is taken only where a stranger sits on it.
      const goingDown = existsSync(join(this.folder, 'postmaster.pid'));
      if (!goingDown && !(await isFree(port))) rmSync(this.portFile(), { force: true });
      if (await this.answers()) return;
      const words = existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n').slice(-2).join(' ') : '';
      throw new Error(`PostgreSQL did not start: ${words || (error as Error).message}`, { cause: error });
    }
    writeFileSync(this.portFile(), String(port));
    await this.ensureDatabase();
  }

  async stop(): Promise<void> {
    await this.control('stop', '-m', 'fast', '-w', '-t', '60');
  }

  private async control(verb: string, ...args: string[]): Promise<void> {
    await runPostgres(join(this.bin, 'pg_ctl'), [verb, '-s', '-D', this.folder, ...args], this.account);
  }

  private portFile(): string {
    return join(this.home, 'postgres-port');
  }

  /** 0 when none was chosen yet. */
  private port(): number {
    return existsSync(this.portFile()) ? Number(readFileSync(this.portFile(), 'utf8')) : 0;
  }

  private async answers(): Promise<boolean> {
    if (!this.port()) return false;
    const client = new Client({ connectionString: this.url, connectionTimeoutMillis: 5000 });
    client.on('error', () => undefined);
    try {
      await client.connect();
      return true;
    } catch {
      return false;
    } finally {
      await client.end().catch(() => undefined);
    }
  }

  private async ensureDatabase(): Promise<void> {
    const client = new Client({ connectionString: this.url.replace(/\/carillon$/, '/postgres') });
    client.on('error', () => undefined);
    await client.connect();
    try {
      const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [DATABASE]);
      if (!rowCount) await client.query(`create database ${DATABASE}`);
    } finally {
      await client.end();
    }
  }
}

/** Makes the cluster's folder whole or not at all; for root it may lie elsewhere, behind a symbolic link. */
async function ensureFolder(
  folder: string,
  fill: (empty: string) => Promise<void>,
  account: Account | undefined,
): Promise<string> {
  if (existsSync(folder)) return realpathSync(folder);
  const elsewhere = !reaches(account, folder);
  const parent = elsewhere ? SHARED_HOME : dirname(folder);
  mkdirSync(parent, { recursive: true, mode: 0o755 });
  const draft = await mkdtemp(join(parent, 'cluster-'));
  try {
    if (account) await chown(draft, account.uid, account.gid);
    await fill(draft);
    if (elsewhere) symlinkSync(draft, folder);
    else await rename(draft, folder);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    if (!existsSync(folder)) throw error; // else another process made it meanwhile
  }
  return realpathSync(folder);
}

async function init(folder: string, bin: string, account: Account | undefined, password: string): Promise<void> {
  const secret = join(await mkdtemp(join(tmpdir(), 'carillon-')), 'password');
  try {
    writeFileSync(secret, password, { mode: 0o600 });
    if (account) {
      await chown(secret, account.uid, account.gid);
      await chown(dirname(secret), account.uid, account.gid);
    }
    const locale = ['--encoding=UTF8', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C'];
    const access = ['--username=carillon', '--auth=scram-sha-256', `--pwfile=${secret}`];
    await runPostgres(join(bin, 'initdb'), ['-D', folder, ...locale, ...access], account);
  } finally {
    rmSync(dirname(secret), { recursive: true, force: true });
  }
}

const isFree = (port: number) =>
  listenOn(port).then(
    () => true,
    () => false,
  );

const freePort = () => listenOn(0);

/** Takes the port and leaves it again; 0 takes any. */
function listenOn(wanted: number): Promise<number> {
  return new Promise((done, fail) => {
    const server = createServer();
    server.once('error', fail);
    server.listen(wanted, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => done(port));
    });
  });
}
