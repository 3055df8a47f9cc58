import type { Command } from 'commander';
import { CommandError } from '../print/print.js';
import type { RemoteService } from './client.js';

/** How a command is told to use the HTTP API. */
export interface RemoteOptions {
  url?: string;
  key?: string;
}

export const withRemoteOptions = (command: Command) =>
  command
    .option('--url <url>', 'use the HTTP API of the service at this address instead of the database (CARILLON_URL)')
    .option('--key <key>', 'with --url: the API key (CARILLON_KEY)');

/** The service to use; null: the database. An option comes before its environment variable. */
export function remoteService(options: RemoteOptions, env = process.env): RemoteService | null {
  const url = options.url ?? env.CARILLON_URL;
  const key = options.key ?? env.CARILLON_KEY;
  if (!url) {
    if (options.key) throw new CommandError('--key needs --url, or CARILLON_URL');
    return null;
  }
  if (!URL.canParse(url) || !/^https?:/.test(url))
    throw new CommandError(`${url} is not the address of a service, such as https://carillon.example.com`);
  if (!key) throw new CommandError('an API key is required: set CARILLON_KEY, or use --key');
  return { url, key };
}
