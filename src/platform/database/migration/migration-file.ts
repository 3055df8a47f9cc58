import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from '../../config/root.js';
import { stepOf } from './step.js';
import type { Step } from './step.js';
import { statementsOf } from './statements.js';

const MIGRATIONS = join(root, 'prisma', 'migrations');

export interface Migration {
  name: string;
  sql: string;
  checksum: string;
  /** The statements of `concurrently.sql`: they run after the transaction, each on its own. */
  steps: Step[];
  /**
   * The migration that a release must know to run on a database with this one. Null: every release runs on it, because this
   * migration only adds. See docs/upgrades.md.
   */
  needs: string | null;
  /** Of a baseline: the last of the migrations that it replaces. A database that has it has the schema of the baseline. */
  replaces: string | null;
}

/** The migrations in the order of their names. */
export async function readMigrations(folder = MIGRATIONS): Promise<Migration[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  return Promise.all(
    names.sort().map(async (name) => {
      const [sql, later] = await Promise.all([
        readFile(join(folder, name, 'migration.sql'), 'utf8'),
        readFile(join(folder, name, 'concurrently.sql'), 'utf8').catch(withoutFile),
      ]);
      const checksum = createHash('sha256')
        .update(sql + later)
        .digest('hex');
      return {
        name,
        sql,
        checksum,
        steps: statementsOf(later).map(stepOf),
        needs: namedBy(NEEDS, sql),
        replaces: namedBy(REPLACES, sql),
      };
    }),
  );
}

function withoutFile(error: NodeJS.ErrnoException): string {
  if (error.code !== 'ENOENT') throw error;
  return '';
}

const NEEDS = /^-- contract: needs (\w+)$/m;
const REPLACES = /^-- baseline: replaces (\w+)$/m;

const namedBy = (pattern: RegExp, sql: string): string | null => pattern.exec(sql)?.[1] ?? null;
