import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { EmbeddedPostgres } from '../../dist/platform/database/embedded/embedded-postgres.js';
import { migrate } from '../../dist/platform/database/migration/migrate.js';

const TEMPLATE = 'template_carillon';

/** A PostgreSQL for the benchmark only, with production settings: committed data is on disk. */
export class Postgres {
  #embedded;

  /**
   * @param {string} folder for logs of other processes
   * @param {string} dataDir
   */
  constructor(embedded, folder, dataDir) {
    this.#embedded = embedded;
    this.folder = folder;
    this.dataDir = dataDir;
  }

  /** @param {string} [dataDir] where the data is; it stays there after the end */
  static async start(dataDir) {
    const folder = mkdtempSync(join(tmpdir(), 'carillon-bench-'));
    chmodSync(folder, 0o755); // PostgreSQL runs under another account when we are root
    const embedded = await EmbeddedPostgres.open(dataDir ?? folder, 'command').catch((error) => {
      rmSync(folder, { recursive: true, force: true });
      throw error;
    });
    const postgres = new Postgres(embedded, folder, dataDir ?? folder);
    try {
      await postgres.admin(`create database ${TEMPLATE}`);
      await migrate(postgres.urlOf(TEMPLATE));
      return postgres;
    } catch (error) {
      await postgres.stop();
      throw error;
    }
  }

  /** The id of the main process, the parent of all other PostgreSQL processes; NaN while PostgreSQL does not run. */
  get pid() {
    const file = join(this.dataDir, 'postgres', 'postmaster.pid');
    return existsSync(file) ? Number.parseInt(readFileSync(file, 'utf8'), 10) : NaN;
  }

  urlOf(database) {
    return this.#embedded.url.replace(/\/carillon$/, `/${database}`);
  }

  /** Runs one statement in the default database. */
  async admin(sql) {
    const client = new Client({ connectionString: this.#embedded.url });
    await client.connect();
    try {
      return (await client.query(sql)).rows;
    } finally {
      await client.end();
    }
  }

  /** Creates a migrated database. */
  async create(name) {
    await this.admin(`create database ${name} template ${TEMPLATE}`);
    return this.urlOf(name);
  }

  drop(name) {
    return this.admin(`drop database if exists ${name} with (force)`);
  }

  async stop() {
    try {
      await this.#embedded.close();
    } finally {
      rmSync(this.folder, { recursive: true, force: true });
    }
  }
}
