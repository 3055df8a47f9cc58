import type { Command } from 'commander';
import { CommandError } from '../print/print.js';
import type { RemoteService } from './client.js';
import { findProfile, readProfiles } from './profile/profile-file.js';

/** How a command is told to use the HTTP API. */
export interface RemoteOptions {
  url?: string;
  key?: string;
  profile?: string;
  /** Use the database although a service is configured. */
  database?: boolean;
}

/** For a command that works only over HTTP. */
export const withServiceOptions = (command: Command) =>
  command
    .option('--url <url>', 'address of the service (CARILLON_URL)')
    .option('--key <key>', 'API key; better in CARILLON_KEY or a profile: other users of the machine can see arguments')
    .option('--profile <name>', 'use the address and the key of this profile (CARILLON_PROFILE)');

/** For a command that works over HTTP, or on the database of the operator. */
export const withRemoteOptions = (command: Command) =>
  withServiceOptions(command).option('--database', 'work on the database, even if a service is configured');

type Env = NodeJS.ProcessEnv;

/**
 * The service to use; null: the database. Options come before environment variables, and these before the current profile. DATABASE_URL
 * means the database, unless the command or the environment names a service.
 */
export function remoteService(options: RemoteOptions, env: Env = process.env): RemoteService | null {
  if (options.database) {
    const other = (['url', 'key', 'profile'] as const).find((name) => options[name] !== undefined);
    if (other) throw new CommandError(`use either --database or --${other}, not both`);
    return null;
  }
  return namedService(options, env) ?? (env.DATABASE_URL ? null : currentProfile(env));
}

/** The service of a command that works only over HTTP. */
export function requireService(options: RemoteOptions, env: Env = process.env): RemoteService {
  const service = namedService(options, env) ?? currentProfile(env);
  if (service) return service;
  throw new CommandError(
    'which service? Add --url and set CARILLON_KEY, or store both once: carillon profile add NAME --url URL',
  );
}

function namedService(options: RemoteOptions, env: Env): RemoteService | null {
  if (options.profile !== undefined && options.url !== undefined)
    throw new CommandError('use either --profile or --url, not both');
  const profile = options.profile ?? (options.url === undefined && !env.CARILLON_URL ? env.CARILLON_PROFILE : '');
  if (profile) return { ...findProfile(readProfiles(env), profile), ...(options.key && { key: options.key }) };
  const url = options.url ?? env.CARILLON_URL;
  if (url) return { url: checkUrl(url), key: checkKey(options.key ?? env.CARILLON_KEY) };
  if (options.key) throw new CommandError('--key needs --url, or CARILLON_URL');
  return null;
}

function currentProfile(env: Env): RemoteService | null {
  const profiles = readProfiles(env);
  return profiles.current === null ? null : findProfile(profiles, profiles.current);
}

export function checkUrl(url: string): string {
  if (URL.canParse(url) && new URL(url).username)
    throw new CommandError('the address must not contain a user or a password');
  if (!URL.canParse(url) || !/^https?:/.test(url))
    throw new CommandError(`${url} is not the address of a service, such as https://carillon.example.com`);
  return url;
}

/** The key is not part of the message: it must not get into logs. */
export function checkKey(key: string | undefined): string {
  if (!key) throw new CommandError('an API key is required: set CARILLON_KEY, or use --key');
  // Anything else cannot be sent in a header.
  if (!/^[\x21-\x7e]+$/.test(key))
    throw new CommandError('the API key contains spaces or other characters that no key has');
  return key;
}
