import { afterAll, beforeAll } from '@jest/globals';
import { Client } from 'pg';
import { RemoteKeys } from '../../../src/cell/forwarding/remote-keys.js';
import { becomeCell } from '../../../src/cell/directory/become-cell.js';
import { Cells } from '../../../src/cell/directory/cells.js';
import type { Directory } from '../../../src/cell/directory/directory.js';
import { DirectoryReplica } from '../../../src/cell/directory/directory-replica.js';
import { TestApp } from './app.js';
import { createDatabase } from './database.js';
import type { TestDatabase } from './database.js';

export const CELL_SECRET = 'the secret between the cells of a test';

/** Several cells with a database each, in this process. The directory is in the database of the first one, unless it is named. */
export class TestCells {
  private constructor(
    readonly apps: TestApp[],
    readonly directory: Directory,
  ) {}

  static async start(
    env: Record<string, string> = {},
    { count = 2, directoryUrl }: { count?: number; directoryUrl?: string } = {},
  ): Promise<TestCells> {
    const databases = await Promise.all(Array.from({ length: count }, (_, cell) => cellDatabase(cell)));
    const apps: TestApp[] = [];
    for (const [cell, database] of databases.entries())
      apps.push(await startCell(cell, directoryUrl ?? databases[0]!.url, database, env));
    const cells = new TestCells(apps, apps[0]!.app.get(Cells).directory);
    // Twice: the first to tell their URL did not hear those of the others.
    await cells.settle();
    await cells.settle();
    return cells;
  }

  /** Every cell knows what the directory knows, and has checked its copies of keys. */
  async settle(): Promise<void> {
    for (const { app } of this.apps) await app.get(DirectoryReplica).reread();
    for (const { app } of this.apps) await app.get(RemoteKeys).refresh();
  }

  async stop(): Promise<void> {
    // The last one first: the directory is with the first.
    for (const app of [...this.apps].reverse()) await app.stop();
  }
}

export async function cellDatabase(cell: number): Promise<TestDatabase> {
  const database = await createDatabase();
  const client = new Client({ connectionString: database.url });
  await client.connect();
  await becomeCell(client, cell);
  await client.end();
  return database;
}

export async function startCell(
  cell: number,
  directoryUrl: string,
  database: TestDatabase,
  env: Record<string, string> = {},
): Promise<TestApp> {
  const settings = { CELL: String(cell), CELL_URL: 'http://127.0.0.1:9', CELL_SECRET, DIRECTORY_URL: directoryUrl };
  const app = await TestApp.start({ ...settings, ...env }, database);
  // The system chooses the port only now.
  app.app.get(Cells).settings.url = app.url;
  await app.app.get(DirectoryReplica).reread();
  return app;
}

/** Two cells for all tests of a file. */
export function useCells(given: (cells: TestCells) => unknown, env: Record<string, string> = {}): void {
  let cells: TestCells | undefined;
  beforeAll(async () => {
    cells = await TestCells.start(env);
    await given(cells);
  });
  afterAll(() => cells?.stop());
}
