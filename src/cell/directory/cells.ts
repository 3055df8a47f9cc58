import { Inject, Injectable, Logger } from '@nestjs/common';
import type { OnApplicationShutdown } from '@nestjs/common';
import type { Pool } from 'pg';
import { CONFIG } from '../../platform/config/config.js';
import type { CellSettings, Config } from '../../platform/config/config.js';
import { alreadyExists, unavailable } from '../../platform/http/problem.js';
import { createPool } from '../../platform/database/connection/open-session.js';
import { surviveLostConnections } from '../../platform/database/survive-lost-connections.js';
import { Directory } from './directory.js';

const CONNECT_MS = 2000;
const CONNECTIONS = 2;

/** The slugs of organizations, which are unique among all cells. */
@Injectable()
export class Cells implements OnApplicationShutdown {
  private readonly logger = new Logger('Cells');
  private pool: Pool | undefined;
  private open: Directory | undefined;
  /** Whether a change of this cell has not reached the directory. `DirectoryReplica` looks for it. */
  isBehind = false;
  readonly settings: CellSettings;

  constructor(@Inject(CONFIG) { cell }: Config) {
    if (!cell) throw new Error('there is no directory: DIRECTORY_URL is not set');
    this.settings = cell;
  }

  /** Connects at its first use. */
  get directory(): Directory {
    return (this.open ??= this.connect());
  }

  private connect(): Directory {
    this.pool = createPool(this.settings.directoryUrl, CONNECTIONS, {
      kind: 'directory',
      name: `carillon cell ${this.settings.number}`,
      connectMs: CONNECT_MS,
    });
    surviveLostConnections(this.pool, this.logger);
    return new Directory(this.pool);
  }

  /** Reserves the slug of an organization that is about to be created in this cell. Refuses a slug that another cell has. */
  async claim(slug: string): Promise<void> {
    if (!(await this.ask(() => this.directory.claim(slug, this.settings.number)))) throw alreadyExists('organization');
  }

  /** Tells the directory that the organization was created. If that fails, it is told later. */
  created(slug: string, organizationId: number): Promise<void> {
    return this.tell(slug, () => this.directory.setCreated(slug, organizationId, this.settings.number));
  }

  removed(slug: string, organizationId: number): Promise<void> {
    return this.tell(slug, () => this.directory.setGone(slug, organizationId, this.settings.number));
  }

  private async tell(slug: string, change: () => Promise<boolean>): Promise<void> {
    try {
      await change();
    } catch (error) {
      this.isBehind = true;
      this.logger.warn({ message: 'the directory is told later', slug, error: (error as Error).message });
    }
  }

  private async ask<Answer>(question: () => Promise<Answer>): Promise<Answer> {
    try {
      return await question();
    } catch (error) {
      this.logger.warn({ message: 'the directory does not answer', error: (error as Error).message });
      throw unavailable('The directory of the cells does not answer. Try again later.', 5);
    }
  }

  async onApplicationShutdown(): Promise<void> {
    await this.pool?.end();
  }
}
