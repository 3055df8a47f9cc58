import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { EmbeddedPostgres } from '../../../src/platform/database/embedded/embedded-postgres.js';

/** A PostgreSQL of its own that a test may pull down; it comes back by itself at the same address. */
export class RestartablePostgres {
  private constructor(
    private readonly postgres: EmbeddedPostgres,
    private readonly cluster: string,
  ) {}

  static async start(folder: string): Promise<RestartablePostgres> {
    const postgres = await EmbeddedPostgres.open(folder, 'command');
    return new RestartablePostgres(postgres, realpathSync(join(folder, 'postgres')));
  }

  get url(): string {
    return this.postgres.url;
  }

  /** Ends it without a chance to say goodbye, and waits until it runs again. */
  async restart(): Promise<void> {
    const before = this.pid()!;
    process.kill(before, 'SIGQUIT');
    while (this.pid() === before || this.pid() === null) await new Promise((resolve) => setTimeout(resolve, 20));
  }

  stop(): Promise<void> {
    return this.postgres.close();
  }

  private pid(): number | null {
    const file = join(this.cluster, 'postmaster.pid');
    return existsSync(file) ? Number(readFileSync(file, 'utf8').split('\n')[0]) : null;
  }
}
