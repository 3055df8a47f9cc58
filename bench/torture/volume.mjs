import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';

const MB = 2 ** 20;
/** PostgreSQL's log takes up to 1 GB, and a minute of load adds less than this. */
const START_MB = 1536;
const MINUTE_MB = 35;
/** Others write while the volume shrinks. Then it is too small for what it holds, and the next try takes the new size. */
const TRIES = 20;

/** A small disk in memory for PostgreSQL's data, which can become full. */
export class Volume {
  #bytes;

  constructor(folder, bytes) {
    this.folder = folder;
    this.#bytes = bytes;
  }

  /** Fails if this account must not mount anything, or has not the memory. */
  static mount(minutes) {
    const bytes = Math.ceil(START_MB + MINUTE_MB * minutes) * MB;
    if (process.platform !== 'linux' || process.getuid() !== 0) throw new Error('only root on Linux can mount a disk');
    if (bytes > totalmem() / 2) throw new Error(`a disk of ${bytes / MB} MB would take more than half of the memory`);
    const folder = mkdtempSync(join(tmpdir(), 'carillon-disk-'));
    chmodSync(folder, 0o755); // PostgreSQL runs under another account
    try {
      run('mount', '-t', 'tmpfs', '-o', `size=${bytes},mode=0755`, 'carillon', folder);
    } catch (error) {
      rmSync(folder, { recursive: true, force: true });
      throw error;
    }
    return new Volume(folder, bytes);
  }

  get usedBytes() {
    const { blocks, bfree, bsize } = statfsSync(this.folder);
    return (blocks - bfree) * bsize;
  }

  /** Leaves no free byte: the disk becomes as small as what it holds. A file that fills it would take memory. */
  fill() {
    for (let tries = 1; ; tries++) {
      try {
        return this.#resize(this.usedBytes);
      } catch (error) {
        if (tries === TRIES) throw error;
      }
    }
  }

  free() {
    this.#resize(this.#bytes);
  }

  unmount() {
    // A process that is just ending may still hold a file.
    run('umount', '--lazy', this.folder);
    rmSync(this.folder, { recursive: true, force: true });
  }

  #resize(bytes) {
    run('mount', '-o', `remount,size=${bytes}`, this.folder);
  }
}

function run(program, ...args) {
  try {
    execFileSync(program, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  } catch (error) {
    throw new Error(String(error.stderr || error.message).split('\n', 1)[0], { cause: error });
  }
}
