import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { EmbeddedPostgresError } from './postgres-binaries.js';
import { Cluster } from './postgres-cluster.js';

const OPEN_TIMEOUT_MS = 60_000;
const GRACE_MS = 300;

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

  static async open(dataDir: string, as: 'server' | 'command', maxConnections = 100): Promise<EmbeddedPostgres> {
    const cluster = await Cluster.at(dataDir, maxConnections);
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
    // Someone may have lost their session, and be on their way back to it: whoever comes now waits for our lock.
    if (rows[0]?.alone && !(await othersCome(client))) await cluster.stop();
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function othersCome(client: Client): Promise<boolean> {
  await sleep(GRACE_MS);
  const { rowCount } = await client.query(
    `select 1 from pg_stat_activity
     where datname = current_database() and application_name like 'carillon%' and pid <> pg_backend_pid()`,
  );
  return Boolean(rowCount);
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
