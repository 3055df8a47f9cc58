import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { chown, mkdtemp, rename } from 'node:fs/promises';
import { tmpdir, totalmem } from 'node:os';
import { dirname, join } from 'node:path';
import { createSession } from '../connection/open-session.js';
import { readOrCreate } from '../../config/read-or-create.js';
import { tryPort } from '../../config/try-port.js';
import { SHARED_HOME, postgresAccount, postgresBinaries, canEnter, runPostgres } from './postgres-binaries.js';
import type { Account } from './postgres-binaries.js';

const DATABASE = 'carillon';

/** The data folder and the process of one PostgreSQL server. */
export class Cluster {
  private constructor(
    readonly home: string,
    private readonly folder: string,
    private readonly bin: string,
    private readonly account: Account | undefined,
    private readonly password: string,
    private readonly maxConnections: number,
  ) {}

  static async at(dataDir: string, maxConnections: number): Promise<Cluster> {
    const account = postgresAccount();
    const bin = join(await postgresBinaries(account), 'bin');
    mkdirSync(dataDir, { recursive: true, mode: 0o755 });
    const password = readOrCreate(join(dataDir, 'postgres-password'), () => randomBytes(24).toString('hex'));
    const folder = await ensureFolder(
      join(dataDir, 'postgres'),
      (empty) => init(empty, bin, account, password),
      account,
    );
    return new Cluster(dataDir, folder, bin, account, password, maxConnections);
  }

  get url(): string {
    return `postgresql://carillon:${this.password}@127.0.0.1:${this.port()}/${DATABASE}`;
  }

  async start(): Promise<void> {
    if (await this.isReachable()) return;
    // Keep the port if possible, so that the connection pools of running processes survive a restart of PostgreSQL.
    const port = this.port() || (await freePort());
    const address = `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories=''`;
    const options = `${address} -c max_connections=${this.maxConnections} -c shared_buffers=${cacheMb()}MB`;
    const log = join(this.folder, 'postgres.log');
    try {
      await this.control('start', '-w', '-t', '60', '-l', log, '-o', options);
    } catch (error) {
      // While the old server is stopping, the next try uses the same port. Choose another port only if another program uses this one.
      const isStopping = existsSync(join(this.folder, 'postmaster.pid'));
      if (!isStopping && !(await isFree(port))) rmSync(this.portFile(), { force: true });
      if (await this.isReachable()) return;
      const logged = existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n').slice(-2).join(' ') : '';
      throw new Error(`PostgreSQL did not start: ${logged || (error as Error).message}`, { cause: error });
    }
    // Not again: on a full disk the file would lose what it says.
    if (port !== this.port()) writeFileSync(this.portFile(), String(port));
    await this.ensureDatabase();
  }

  async stop(): Promise<void> {
    await this.control('stop', '-m', 'fast', '-w', '-t', '30');
  }

  private async control(verb: string, ...args: string[]): Promise<void> {
    await runPostgres(join(this.bin, 'pg_ctl'), [verb, '-s', '-D', this.folder, ...args], this.account);
  }

  private portFile(): string {
    return join(this.home, 'postgres-port');
  }

  /** 0 if no port has been chosen yet. */
  private port(): number {
    return existsSync(this.portFile()) ? Number(readFileSync(this.portFile(), 'utf8')) : 0;
  }

  private async isReachable(): Promise<boolean> {
    if (!this.port()) return false;
    const client = createSession(this.url, { kind: 'signal', name: '' });
    try {
      await client.open();
      return true;
    } catch {
      return false;
    } finally {
      await client.end().catch(() => undefined);
    }
  }

  private async ensureDatabase(): Promise<void> {
    const url = this.url.replace(/\/carillon$/, '/postgres');
    const client = await createSession(url, { kind: 'background', name: '' }).open();
    try {
      const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [DATABASE]);
      if (!rowCount) await client.query(`create database ${DATABASE}`);
    } finally {
      await client.end();
    }
  }
}

/**
 * The size of PostgreSQL's cache: an eighth of the memory. PostgreSQL takes only the memory that it fills. With the default of 128 MB,
 * reading the members of a list takes 2.7 times as long among a million users as among five thousand; with this size 1.4 times.
 */
function cacheMb(): number {
  const total = process.constrainedMemory() || totalmem(); // without a limit it is 0, or more than the total memory
  return Math.max(128, Math.floor(Math.min(total, totalmem()) / 8 / 2 ** 20));
}

/** Creates the cluster's folder completely or not at all. For root it may be a symbolic link to a folder in SHARED_HOME. */
async function ensureFolder(
  folder: string,
  fill: (empty: string) => Promise<void>,
  account: Account | undefined,
): Promise<string> {
  if (existsSync(folder)) return realpathSync(folder);
  const elsewhere = !canEnter(account, folder);
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
    if (!existsSync(folder)) throw error; // otherwise another process has created it
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
  tryPort(port, '127.0.0.1').then(
    () => true,
    () => false,
  );

const freePort = () => tryPort(0, '127.0.0.1');
