import { Resolver } from 'node:dns';
import { existsSync } from 'node:fs';
import { isIP, isIPv4, isIPv6 } from 'node:net';
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { parseAllow } from '../field/subnet.js';
import { readSystemMail } from './mail/system-mail.js';
import type { SystemMail } from './mail/system-mail.js';
import { QUOTAS, QUOTA_NAMES, quotaSetting } from './quota.js';
import type { Quotas } from './quota.js';
import { severalHosts } from './single-host.js';

/** Every setting. Only this file reads `process.env`; `.env.example` describes each setting. */
export interface Config {
  production: boolean;
  role: 'all' | 'api' | 'worker';
  /** Number of processes. All listen on the same port. */
  processes: number;
  host: string;
  port: number;
  /** Public address of the service, used in links. Null: links in answers use the host of the request. */
  publicUrl: string | null;
  /**
   * The address in messages: `publicUrl`, or this machine while somebody tries the service out, with the embedded database and without other clients. Null:
   * messages have no links to the service.
   */
  linksUrl: string | null;
  /** Whether to trust `X-Forwarded-*` headers. */
  trustProxy: boolean;
  /** Null: use the embedded PostgreSQL in `dataDir`. */
  databaseUrl: string | null;
  databasePoolMax: number;
  dataDir: string;
  /** The file with the OpenID providers where operators sign in. Null: none. */
  oidcFile: string | null;
  /** The mail server over which the service mails sign-in links. Null: it mails none. */
  systemMail: SystemMail | null;
  /** 32 bytes that encrypt channel secrets. Null: use a generated key in `dataDir`. */
  secretKey: Buffer | null;
  /** The key before a rotation: opens secrets, but encrypts none. */
  previousSecretKey: Buffer | null;
  /** Private subnets that messages may be sent to, as CIDR. */
  outboundAllow: string[];
  /** The name servers that look up the hosts of channels, as `address` or `address:port`. Null: those of the system. */
  nameServers: string[] | null;
  /** The folder with the operator's provider files. Null: none. */
  providersDir: string | null;
  /** Days to keep an occurrence and everything that belongs to it. An event can set its own value. */
  retentionDays: number;
  /** Days to keep in-app messages. */
  inboxRetentionDays: number;
  /** Days to keep figures. */
  figuresRetentionDays: number;
  /** How many given-up messages within how many days suppress an address; null: none do. */
  softFailures: SoftFailures | null;
  /** What one organization may use, unless it has quotas of its own. */
  quotas: Quotas;
  /** Address that serves metrics. Without a port, nothing is measured. */
  metricsHost: string;
  metricsPort: number | null;
  /** Address that receives mails which report about mails, for channels with a `bounce_domain`. Without a port, none are received. */
  bounceHost: string;
  bouncePort: number | null;
  /** Whether to send traces. OpenTelemetry reads its other settings from the environment itself. */
  traces: boolean;
  logLevel: LogLevel;
  logFormat: 'json' | 'pretty';
  /** The cell that this installation is; null: there is only one, and no directory. */
  cell: CellSettings | null;
}

export interface CellSettings {
  number: number;
  /** Where other cells reach the API of this one. */
  url: string;
  /** Shared by all cells: proves to one cell that a request comes from another. */
  secret: string;
  /** The database that holds the directory. */
  directoryUrl: string;
}

export interface SoftFailures {
  count: number;
  days: number;
}

const LOG_LEVELS = ['error', 'warn', 'info', 'debug'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export const CONFIG = Symbol('Config');

/** An invalid setting. It stops the start, and its message is the only line that is printed. */
export class ConfigError extends Error {}

type Env = Record<string, string | undefined>;

const MAX_PROCESSES = 64;

/** Reads `.env` in the working directory, if it exists. Variables that are already set win. */
export function loadEnvFile(): void {
  if (existsSync('.env')) process.loadEnvFile('.env');
}

/** Whether `npm start` or `npx carillon` has started the process. */
export const isRunByNpm = () => process.env.npm_execpath !== undefined;

export function readConfig(env: Env = process.env): Config {
  const production = oneOf(env, 'NODE_ENV', ['development', 'production', 'test'], 'development') === 'production';
  const databaseUrl = databaseUrlOf(env);
  const [host, port] = [text(env, 'HOST') ?? '127.0.0.1', integer(env, 'PORT', 0, 65535, 3000)];
  const ofThisMachine = databaseUrl === null && isLoopback(host) && port !== 0 ? `http://${host}:${port}` : null;
  const config: Config = {
    production,
    role: oneOf(env, 'ROLE', ['all', 'api', 'worker'], 'all'),
    processes: processCount(text(env, 'PROCESSES') ?? '1', 'PROCESSES'),
    host,
    port,
    publicUrl: publicUrl(env),
    linksUrl: publicUrl(env) ?? ofThisMachine,
    trustProxy: oneOf(env, 'TRUST_PROXY', ['true', 'false'], 'false') === 'true',
    databaseUrl,
    databasePoolMax: integer(env, 'DATABASE_POOL_MAX', 2, 1000, 10),
    dataDir: resolve(text(env, 'DATA_DIR') ?? '.carillon'),
    oidcFile: path(env, 'OIDC_FILE'),
    systemMail: systemMail(env),
    secretKey: secretKey(env, 'SECRET_KEY'),
    previousSecretKey: secretKey(env, 'SECRET_KEY_PREVIOUS'),
    outboundAllow: subnets(env, 'OUTBOUND_ALLOW'),
    nameServers: nameServers(env),
    providersDir: path(env, 'PROVIDERS_DIR'),
    retentionDays: integer(env, 'RETENTION_DAYS', 1, 3650, 30),
    inboxRetentionDays: integer(env, 'INBOX_RETENTION_DAYS', 1, 3650, 90),
    figuresRetentionDays: integer(env, 'FIGURES_RETENTION_DAYS', 1, 3650, 365),
    softFailures: softFailures(env),
    quotas: quotas(env),
    metricsHost: text(env, 'METRICS_HOST') ?? '127.0.0.1',
    metricsPort: integer(env, 'METRICS_PORT', 0, 65535, null),
    bounceHost: text(env, 'BOUNCE_HOST') ?? '127.0.0.1',
    bouncePort: integer(env, 'BOUNCE_PORT', 0, 65535, null),
    traces: url(env, 'OTEL_EXPORTER_OTLP_ENDPOINT', ['http:', 'https:']) !== null,
    logLevel: oneOf(env, 'LOG_LEVEL', LOG_LEVELS, 'info'),
    logFormat: oneOf(env, 'LOG_FORMAT', ['json', 'pretty'], production ? 'json' : 'pretty'),
    cell: cell(env),
  };
  if (databaseUrl && !config.secretKey && production) {
    throw new ConfigError(
      'SECRET_KEY is required in production. Set it to 32 random bytes in base64: run `openssl rand -base64 32`',
    );
  }
  if (config.oidcFile !== null && config.publicUrl === null)
    throw new ConfigError('PUBLIC_URL is required with OIDC_FILE: the providers send operators back to it');
  if (config.systemMail !== null && config.publicUrl === null)
    throw new ConfigError('PUBLIC_URL is required with SYSTEM_MAIL_URL: the links in its mails start with it');
  return config;
}

/** The settings of the cell that `carillon move` moves an organization to. */
export function readMoveTarget(env: Env = process.env): { databaseUrl: string; secretKey: Buffer } {
  const databaseUrl = url(env, 'TARGET_DATABASE_URL', ['postgres:', 'postgresql:']);
  const key = secretKey(env, 'TARGET_SECRET_KEY');
  if (databaseUrl !== null && key !== null) return { databaseUrl, secretKey: key };
  const missing = databaseUrl === null ? 'TARGET_DATABASE_URL' : 'TARGET_SECRET_KEY';
  const meaning = databaseUrl === null ? 'DATABASE_URL' : 'SECRET_KEY';
  throw new ConfigError(`${missing} is missing: set it to the ${meaning} of the cell that the organization moves to`);
}

/** A setting that a file names, such as a secret; null: it is not set. */
export const settingOf = (name: string) => text(process.env, name);

function text(env: Env, name: string): string | null {
  const value = env[name]?.trim();
  return value ? value : null;
}

function path(env: Env, name: string): string | null {
  const value = text(env, name);
  return value === null ? null : resolve(value);
}

function oneOf<T extends string>(env: Env, name: string, values: readonly T[], fallback: T): T {
  const value = text(env, name) ?? fallback;
  if ((values as readonly string[]).includes(value)) return value as T;
  throw new ConfigError(`${name} must be one of ${values.join(', ')}, not "${value}"`);
}

function integer<T extends number | null>(env: Env, name: string, min: number, max: number, fallback: T): number | T {
  const value = text(env, name);
  if (value === null) return fallback;
  if (isWhole(value, min, max)) return Number(value);
  throw new ConfigError(`${name} must be a whole number from ${min} to ${max}, not "${value}"`);
}

function softFailures(env: Env): SoftFailures | null {
  const count = integer(env, 'SUPPRESS_AFTER_FAILURES', 0, 1000, 0);
  const days = integer(env, 'SUPPRESS_WITHIN_DAYS', 1, 365, 30);
  return count === 0 ? null : { count, days };
}

/** The highest number of a cell. Each has a sixteenth of the ids. */
const MAX_CELL = 15;
const MIN_CELL_SECRET = 32;

/** The four settings come together, except that CELL is 0 if it is left out. */
function cell(env: Env): CellSettings | null {
  const number = integer(env, 'CELL', 0, MAX_CELL, 0);
  const cellUrl = url(env, 'CELL_URL', ['http:', 'https:']);
  const secret = text(env, 'CELL_SECRET');
  const directoryUrl = postgresUrl(env, 'DIRECTORY_URL');
  const given = { CELL: text(env, 'CELL'), CELL_URL: cellUrl, CELL_SECRET: secret, DIRECTORY_URL: directoryUrl };
  if (cellUrl !== null && secret !== null && directoryUrl !== null) {
    if (secret.length < MIN_CELL_SECRET)
      throw new ConfigError(
        `CELL_SECRET must have at least ${MIN_CELL_SECRET} characters, the same in all cells: run \`openssl rand -base64 32\``,
      );
    const { origin, href } = new URL(cellUrl);
    if (href !== `${origin}/`)
      throw new ConfigError('CELL_URL must end with its host or port, such as http://10.0.0.5:3000');
    return { number, url: origin, secret, directoryUrl };
  }
  const names = Object.entries(given);
  const [set, missing] = [names.filter(([, value]) => value !== null), names.filter(([, value]) => value === null)];
  if (set.length === 0) return null;
  throw new ConfigError(
    `${set.map(([name]) => name).join(', ')} without ${missing.map(([name]) => name).join(', ')}: set CELL, CELL_URL, CELL_SECRET and DIRECTORY_URL together, or none of them for a single cell (docs/cells.md)`,
  );
}

function quotas(env: Env): Quotas {
  const entries = QUOTA_NAMES.map((name) => {
    const { max, default: fallback } = QUOTAS[name];
    return [name, integer(env, quotaSetting(name), 1, max, fallback)] as const;
  });
  return Object.fromEntries(entries) as Quotas;
}

const isWhole = (value: string, min: number, max: number) =>
  /^\d+$/.test(value) && Number(value) >= min && Number(value) <= max;

/** Parses a number of processes; `auto` means one per core. The error names the setting `name`. */
export function processCount(value: string, name: string): number {
  if (value === 'auto') return Math.min(availableParallelism(), MAX_PROCESSES);
  if (isWhole(value, 1, MAX_PROCESSES)) return Number(value);
  throw new ConfigError(`${name} must be auto or a whole number from 1 to ${MAX_PROCESSES}, not "${value}"`);
}

// The message leaves out the value: a database URL contains a password.
function url(env: Env, name: string, protocols: string[]): string | null {
  const value = text(env, name);
  if (value === null) return null;
  const parsed = URL.canParse(value) ? new URL(value) : null;
  if (parsed && protocols.includes(parsed.protocol)) return value;
  throw new ConfigError(`${name} must be a URL that starts with ${protocols.map((p) => `${p}//`).join(' or ')}`);
}

function databaseUrlOf(env: Env): string | null {
  const problem = severalHosts(text(env, 'DATABASE_URL') ?? '');
  if (problem) throw new ConfigError(problem);
  return postgresUrl(env, 'DATABASE_URL');
}

/** The driver takes these modes for `verify-full`, and warns in many lines that its next version will not. */
function postgresUrl(env: Env, name: string): string | null {
  const value = url(env, name, ['postgres:', 'postgresql:']);
  if (value?.includes('uselibpqcompat=true')) return value;
  return value?.replace(/([?&]sslmode=)(?:prefer|require|verify-ca)(?=&|$)/, '$1verify-full') ?? null;
}

/** A link in a mail carries the token of a user, so it must be encrypted on its way. */
function publicUrl(env: Env): string | null {
  const value = url(env, 'PUBLIC_URL', ['http:', 'https:']);
  if (value === null) return null;
  const { href, protocol, hostname, username, password, search, hash } = new URL(value);
  if (protocol === 'http:' && !isLoopback(hostname))
    throw new ConfigError(
      `PUBLIC_URL must start with https://, because links in messages start with it; http:// works only for this machine, such as http://localhost:3000`,
    );
  if (username || password || search || hash)
    throw new ConfigError('PUBLIC_URL must end with its path: leave out user, password, query and fragment');
  return href.replace(/[/]+$/, '');
}

function systemMail(env: Env): SystemMail | null {
  const [address, from] = [text(env, 'SYSTEM_MAIL_URL'), text(env, 'SYSTEM_MAIL_FROM')];
  if (address === null && from === null) return null;
  if (address === null || from === null) throw new ConfigError('Set SYSTEM_MAIL_URL and SYSTEM_MAIL_FROM together');
  const settings = readSystemMail(address, from);
  if ('problem' in settings) throw new ConfigError(`SYSTEM_MAIL_URL ${settings.problem}`);
  return settings;
}

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

export const isLoopback = (hostname: string) => LOOPBACK.test(hostname);

function secretKey(env: Env, name: string): Buffer | null {
  const value = text(env, name);
  if (value === null) return null;
  const bytes = Buffer.from(value, 'base64');
  if (bytes.length === 32) return bytes;
  throw new ConfigError(`${name} must be 32 bytes in base64, not ${bytes.length}`);
}

function nameServers(env: Env): string[] | null {
  const listed = text(env, 'NAME_SERVERS')
    ?.split(',')
    .map((each) => each.trim());
  const wrong = listed?.find((each) => !isNameServer(each));
  if (wrong !== undefined)
    throw new ConfigError(
      `NAME_SERVERS must be a list of addresses such as 10.0.0.2,10.0.0.3:5353, and "${wrong}" is none`,
    );
  return listed ?? null;
}

/** `10.0.0.2`, `10.0.0.2:5353`, `2001:db8::2` or `[2001:db8::2]:5353`. Node accepts port 0, and aborts at the first look-up. */
function isNameServer(text: string): boolean {
  const [, v6, v4, port] = /^(?:\[([^\]]+)\]|([^:]+)):(\d{1,5})$/.exec(text) ?? [];
  const hasPort = Number(port) >= 1 && Number(port) <= 65_535 && (isIPv6(v6 ?? '') || isIPv4(v4 ?? ''));
  if (!hasPort && isIP(text) === 0) return false;
  try {
    new Resolver().setServers([text]);
    return true;
  } catch {
    return false;
  }
}

function subnets(env: Env, name: string): string[] {
  try {
    return parseAllow(text(env, name) ?? '');
  } catch (error) {
    const problem = (error as Error).message;
    throw new ConfigError(`${name} must be a list of subnets such as 10.0.0.0/8,192.168.1.5: ${problem}`, {
      cause: error,
    });
  }
}
