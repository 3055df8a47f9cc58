import type { Config } from '../config/config.js';
import { EmbeddedPostgres } from './embedded/embedded-postgres.js';

export interface OpenDatabase {
  url: string;
  embedded: boolean;
  close(): Promise<void>;
}

/** Opens the database of the configuration, or starts the embedded one. */
export async function openDatabase(config: Config, as: 'server' | 'command'): Promise<OpenDatabase> {
  if (config.databaseUrl) return { url: config.databaseUrl, embedded: false, close: () => Promise.resolve() };
  const embedded = await EmbeddedPostgres.open(config.dataDir, as, connectionsOf(config));
  return { url: embedded.url, embedded: true, close: () => embedded.close() };
}

/** The connections that all processes may open at once (see docs/operations.md), plus spare ones for commands. */
function connectionsOf({ processes, databasePoolMax }: Config): number {
  return Math.max(100, processes * (Math.ceil(1.5 * databasePoolMax) + 8) + 20);
}
