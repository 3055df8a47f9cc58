import { Pool } from 'pg';
import { CONNECT_MS, SETTINGS, onConnect } from '../prisma/on-connect.js';
import { Directory } from './directory.js';

/** For a command: opens the directory while `work` runs. */
export async function withDirectory<Result>(
  connectionString: string,
  work: (directory: Directory) => Promise<Result>,
): Promise<Result> {
  const pool = new Pool({
    connectionString,
    connectionTimeoutMillis: CONNECT_MS,
    application_name: 'carillon command',
    max: 1,
    onConnect: onConnect(SETTINGS),
  });
  pool.on('error', () => undefined);
  try {
    return await work(new Directory(pool));
  } finally {
    await pool.end();
  }
}
