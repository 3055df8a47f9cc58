import { readFileSync, readdirSync, readlinkSync } from 'node:fs';
import { it } from '@jest/globals';

/**
 * A test that reads `/proc`, which only Linux has. Elsewhere Jest reports it as skipped. This is the one place that excludes tests from
 * a system.
 */
export const itOnLinux = process.platform === 'linux' ? it : it.skip;

/** How many ports the process listens on. */
export function listening(pid: number): number {
  const open = new Set(readdirSync(`/proc/${pid}/fd`).map((fd) => socketOf(`/proc/${pid}/fd/${fd}`)));
  const rows = ['tcp', 'tcp6'].flatMap((name) => readFileSync(`/proc/${pid}/net/${name}`, 'utf8').split('\n'));
  const LISTEN = '0A';
  return rows
    .map((row) => row.trim().split(/\s+/))
    .filter(([, , , state, , , , , , inode]) => state === LISTEN && open.has(`socket:[${inode}]`)).length;
}

function socketOf(fd: string): string {
  try {
    return readlinkSync(fd);
  } catch {
    return ''; // closed meanwhile
  }
}
