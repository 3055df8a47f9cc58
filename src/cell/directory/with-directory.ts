import { createPool } from '../../platform/database/connection/open-session.js';
import { Directory } from './directory.js';

/** For a command: opens the directory while `work` runs. */
export async function withDirectory<Result>(
  connectionString: string,
  work: (directory: Directory) => Promise<Result>,
): Promise<Result> {
  const pool = createPool(connectionString, 1, { kind: 'request', name: 'carillon command' });
  pool.on('error', () => undefined);
  try {
    return await work(new Directory(pool));
  } finally {
    await pool.end();
  }
}
