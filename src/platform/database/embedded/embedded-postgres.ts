import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import { createSession } from '../connection/open-session.js';
import { EmbeddedPostgresError } from './postgres-binaries.js';
import { Cluster } from './postgres-cluster.js';

const OPEN_TIMEOUT_MS = 60_000;
const GRACE_MS = 300;

// Session advisory locks show which processes use the cluster. PostgreSQL releases the locks of a process that ends, even if it was killed.
// So there is no pid file to go stale: a killed server leaves its PostgreSQL running, and the next start uses that one.
const SERVER_LOCK = 7_261_001;
const IN_USE_LOCK = 7_261_002;

/**
 * The PostgreSQL that runs when `DATABASE_URL` is not set. Its binaries come from npm, its data is in the data folder. It is a separate
 * process that the server and all commands with the same data folder share. The last of them stops it.
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

  static async open(dataDir: string, as: 'server' | 'command', maxConnections = 100): Promise<EmbeddedPostgres> {
    const cluster = await Cluster.at(dataDir, maxConnections);
    const lock = await acquire(cluster, as, dataDir);
    return new EmbeddedPostgres(cluster, lock, as);
  }

  /** Releases the cluster, and stops it if no other process uses it. */
  async close(): Promise<void> {
    this.closing = true;
    await this.recovering;
    await this.lock.end().catch(() => undefined);
    await stopIfUnused(this.cluster);
  }

  /** Restarts a crashed PostgreSQL and takes the locks again. */
  private watch(): void {
    this.lock.once('end', () => (this.recovering = this.recover()));
  }

  private async recover(): Promise<void> {
    while (!this.closing) {
      try {
        this.lock = await acquire(this.cluster, this.as, this.cluster.home);
        return this.watch();
      } catch {
        await sleep(1000);
      }
    }
  }
}

async function stopIfUnused(cluster: Cluster): Promise<void> {
  const client = createSession(cluster.url, { kind: 'signal', name: '' });
  try {
    await client.open();
  } catch {
    return; // PostgreSQL does not run
  }
  try {
    const { rows } = await client.query<{ unused: boolean }>('select pg_try_advisory_lock($1) unused', [IN_USE_LOCK]);
    // Another process may have lost its session and be reconnecting. It then waits for this lock, so give it time to appear.
    if (rows[0]?.unused && !(await othersConnect(client))) await cluster.stop();
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function othersConnect(client: Client): Promise<boolean> {
  await sleep(GRACE_MS);
  const { rowCount } = await client.query(
    `select 1 from pg_stat_activity
     where datname = current_database() and application_name like 'carillon%' and pid <> pg_backend_pid()`,
  );
  return Boolean(rowCount);
}

/** Starts PostgreSQL if necessary, connects, and takes this process's locks. */
async function acquire(cluster: Cluster, as: 'server' | 'command', dataDir: string): Promise<Client> {
  const deadline = Date.now() + OPEN_TIMEOUT_MS;
  for (;;) {
    let client: Client | undefined;
    try {
      client = await connect(cluster);
      if (as === 'server') await claim(client, dataDir);
      await client.query('select pg_advisory_lock_shared($1)', [IN_USE_LOCK]);
      return client;
    } catch (error) {
      await client?.end().catch(() => undefined);
      // The last user may be stopping PostgreSQL right now: try again, unless the error is final.
      if (error instanceof EmbeddedPostgresError || Date.now() > deadline) throw error;
      await sleep(200);
    }
  }
}

async function connect(cluster: Cluster): Promise<Client> {
  await cluster.start();
  return createSession(cluster.url, { kind: 'signal', name: `carillon ${process.pid}` }).open();
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
