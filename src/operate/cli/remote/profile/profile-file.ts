import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import { suggest } from '../../../../platform/field/error/closest.js';
import { CommandError, cannotRead } from '../../print/print.js';
import type { RemoteService } from '../client.js';

/** Services that the user has named, each with the key for it. */
interface Profiles {
  /** The profile of a command that names none. Null: none. */
  current: string | null;
  profiles: Record<string, RemoteService>;
}

type Env = NodeJS.ProcessEnv;

const OTHERS = 0o077;

/** As the XDG Base Directory specification says; it ignores relative paths. */
export function profileFile(env: Env = process.env): string {
  const { XDG_CONFIG_HOME: xdg = '', HOME } = env;
  return join(isAbsolute(xdg) ? xdg : join(HOME || homedir(), '.config'), 'carillon', 'profiles.json');
}

export function readProfiles(env: Env = process.env): Profiles {
  const file = profileFile(env);
  const text = readPrivate(file);
  if (text === null) return { current: null, profiles: {} };
  try {
    const { current = null, profiles } = JSON.parse(text) as Partial<Profiles>;
    return { current, profiles: { ...profiles } };
  } catch (error) {
    throw new CommandError(`${file} is not valid JSON: correct it, or delete it and add the profiles again`, {
      cause: error,
    });
  }
}

/** The text of a file that only this account can read. Null: there is no such file. */
function readPrivate(file: string): string | null {
  try {
    const { mode } = statSync(file);
    if (process.platform !== 'win32' && (mode & OTHERS) !== 0)
      throw new CommandError(`other accounts can read ${file}, and it holds API keys: run chmod 600 ${file}`);
    return readFileSync(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    throw error instanceof CommandError ? error : cannotRead(file, error);
  }
}

/** Replaces the file in one step. Only this account can read it. */
export function writeProfiles(profiles: Profiles): void {
  const file = profileFile();
  const unfinished = `${file}.${process.pid}`;
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  try {
    writeFileSync(unfinished, `${JSON.stringify(profiles, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
    renameSync(unfinished, file);
  } catch (error) {
    rmSync(unfinished, { force: true });
    throw error;
  }
}

/** The profile with this name. */
export function findProfile({ profiles }: Profiles, name: string): RemoteService {
  if (!Object.hasOwn(profiles, name))
    throw new CommandError(`there is no profile ${name}${suggest(name, Object.keys(profiles))}`);
  return profiles[name]!;
}
