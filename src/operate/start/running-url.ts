import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../../platform/config/config.js';

const LOOK_MS = 1000;

const fileIn = (dataDir: string) => join(dataDir, 'service-url');

/**
 * Where the service listens, for commands with the same data folder: they are given neither its `PORT` nor the one that it chose. Without a
 * data folder, or one that cannot be written, commands use their own settings.
 */
export function noteRunningUrl({ dataDir }: Pick<Config, 'dataDir'>, url: string): void {
  try {
    if (existsSync(dataDir)) writeFileSync(fileIn(dataDir), url);
  } catch {
    // It only makes a link right.
  }
}

export function forgetRunningUrl({ dataDir }: Pick<Config, 'dataDir'>): void {
  rmSync(fileIn(dataDir), { force: true });
}

/** Returns null when no service listens there any more: one that was killed leaves its note behind. */
export async function runningUrl({ dataDir }: Pick<Config, 'dataDir'>): Promise<string | null> {
  try {
    const url = readFileSync(fileIn(dataDir), 'utf8');
    const answer = await fetch(`${url}/health/live`, { signal: AbortSignal.timeout(LOOK_MS) });
    return answer.ok ? url : null;
  } catch {
    return null;
  }
}
