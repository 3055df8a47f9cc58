import { execFile } from 'node:child_process';
import { appendFileSync, chownSync, realpathSync, writeFileSync } from 'node:fs';
import { cp, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { tryPort } from '../../../src/platform/config/try-port.js';
import {
  postgresAccount,
  postgresBinaries,
  runPostgres,
} from '../../../src/platform/database/embedded/postgres-binaries.js';
import { Cluster } from '../../../src/platform/database/embedded/postgres-cluster.js';
import { until } from '../until.js';
import { withClient } from '../world/crowd.js';

const STANDBY = 'synchronous_standby_names';

// The standby gets the log over its connection. The others are of the running server.
const LEFT_OUT =
  /postmaster\.(pid|opts)$|postgres\.log$|pg_internal\.init|pg_wal[/\\][0-9A-F]{24}|pgsql_tmp|pg_replslot[/\\]/;

/** One server of the pair. */
export interface Node {
  port: number;
  url: string;
  folder: string;
}

/**
 * A primary and a synchronous standby of the PostgreSQL from npm, which has no `pg_basebackup`: a standby is made by a copy of the files
 * between `pg_backup_start` and `pg_backup_stop`.
 */
export class ReplicatedPostgres {
  private made = 0;
  standby: Node | undefined;

  private constructor(
    private readonly home: string,
    private readonly bin: string,
    public primary: Node,
  ) {}

  static async start(home: string): Promise<ReplicatedPostgres> {
    const first = join(home, 'first');
    const cluster = await Cluster.at(first, 50);
    // It starts the server once to create the database.
    await cluster.start();
    const { url } = cluster;
    await cluster.stop();
    const bin = join(await postgresBinaries(postgresAccount()), 'bin');
    const folder = realpathSync(join(first, 'postgres'));
    const pair = new ReplicatedPostgres(home, bin, { port: 0, url, folder });
    pair.primary = await pair.startAt(folder, url);
    return pair;
  }

  /** Makes a standby of the primary, and lets every commit wait for it. */
  async addStandby(): Promise<void> {
    const folder = join(this.home, `copy-${++this.made}`);
    await this.copyTo(folder);
    writeAs(join(folder, 'standby.signal'), '');
    const { username, password } = new URL(this.primary.url);
    const source = `host=127.0.0.1 port=${this.primary.port} user=${username} password=${password}`;
    // Nobody waits for a standby of the standby, once it is promoted.
    const settings = `\nprimary_conninfo = '${source} application_name=standby'\n${STANDBY} = ''\n`;
    appendFileSync(join(folder, 'postgresql.auto.conf'), settings);
    this.standby = await this.startAt(folder, this.primary.url);
    await this.waitForStandby();
  }

  /** Stops the standby without the primary's knowledge of when it will be back. */
  async loseStandby(): Promise<void> {
    await this.control('stop', this.standby!, '-m', 'immediate');
  }

  async restoreStandby(): Promise<void> {
    await this.run(this.standby!);
  }

  /** Ends the primary as a crash does, or with a proper shutdown that sends the standby everything. */
  async stopPrimary(mode: 'immediate' | 'fast'): Promise<void> {
    await this.control('stop', this.primary, '-m', mode);
  }

  /** Makes the standby the primary. The old one is stopped before, so that there are never two. */
  async promote(): Promise<Node> {
    const promoted = this.standby!;
    await this.control('promote', promoted, '-w', '-t', '60');
    const old = this.primary.folder;
    this.primary = promoted;
    this.standby = undefined;
    await rm(old, { recursive: true, force: true });
    return promoted;
  }

  async stop(): Promise<void> {
    for (const node of [this.standby, this.primary])
      if (node) await this.control('stop', node, '-m', 'immediate').catch(() => undefined);
    await rm(this.primary.folder, { recursive: true, force: true });
  }

  private async waitForStandby(): Promise<void> {
    await withClient(this.primary.url, async (client) => {
      await client.query(`alter system set ${STANDBY} = '*'`);
      await client.query('select pg_reload_conf()');
      const synced = `select from pg_stat_replication where sync_state = 'sync' and state = 'streaming'`;
      await until(60_000, async () => (await client.query(synced)).rowCount);
    });
  }

  private async copyTo(folder: string): Promise<void> {
    await withClient(this.primary.url, async (client) => {
      await client.query(`select pg_backup_start('standby', true)`);
      await this.copyFiles(folder);
      const { rows } = await client.query<{ label: string }>('select labelfile label from pg_backup_stop(false)');
      writeFileSync(join(folder, 'backup_label'), rows[0]!.label);
    });
    const account = postgresAccount();
    if (account) await promisify(execFile)('chown', ['-R', `${account.uid}:${account.gid}`, folder]);
  }

  /** Copies again if a file was deleted in the middle: PostgreSQL runs on. */
  private async copyFiles(folder: string): Promise<void> {
    for (let tries = 1; ; tries++) {
      try {
        await mkdir(folder, { mode: 0o700 });
        await cp(this.primary.folder, folder, { recursive: true, filter: (path) => !LEFT_OUT.test(path) });
        return;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || tries === 5) throw error;
        await rm(folder, { recursive: true, force: true });
      }
    }
  }

  /** Chooses a port. Another program may take it first: then it chooses another. */
  private async startAt(folder: string, url: string): Promise<Node> {
    for (let tries = 1; ; tries++) {
      const port = await tryPort(0, '127.0.0.1');
      const node = { port, folder, url: Object.assign(new URL(url), { port: String(port) }).href };
      try {
        await this.run(node);
        return node;
      } catch (error) {
        if (tries === 3) throw error;
      }
    }
  }

  private async run(node: Node): Promise<void> {
    const address = `-p ${node.port} -c listen_addresses=127.0.0.1 -c unix_socket_directories=''`;
    // The machine does not crash in a test, only PostgreSQL does.
    const settings = '-c fsync=off -c full_page_writes=off -c max_connections=60 -c wal_keep_size=512MB';
    const log = join(node.folder, 'postgres.log');
    await this.control('start', node, '-l', log, '-o', `${address} ${settings}`);
  }

  private async control(verb: string, node: Node, ...args: string[]): Promise<void> {
    const all = [verb, '-s', '-w', '-t', '60', '-D', node.folder, ...args];
    await runPostgres(join(this.bin, 'pg_ctl'), all, postgresAccount());
  }
}

function writeAs(file: string, text: string): void {
  writeFileSync(file, text);
  const account = postgresAccount();
  if (account) chownSync(file, account.uid, account.gid);
}
