import type { Config } from '../config/config.js';
import { EmbeddedPostgres } from './embedded/embedded-postgres.js';

export interface OpenDatabase {
  url: string;
  embedded: boolean;
  close(): Promise<void>;
}

/** The database that the configuration names, or else the embedded one, started if need be. */
export async function openDatabase(config: Config, as: 'server' | 'command'): Promise<OpenDatabase> {
  if (config.databaseUrl) return { url: config.databaseUrl, embedded: false, close: () => Promise.resolve() };
  const embedded = await EmbeddedPostgres.open(config.dataDir, as, connectionsOf(config));
  return { url: embedded.url, embedded: true, close: () => embedded.close() };
}

/** What all processes may open at once (docs/operations.md counts them), and some to spare for commands. */
function connectionsOf({ processes, databasePoolMax }: Config): number {
  return Math.max(100, processes * (Math.ceil(1.5 * databasePoolMax) + 7) + 20);
}
