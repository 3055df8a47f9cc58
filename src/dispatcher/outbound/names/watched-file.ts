import { readFileSync, statSync } from 'node:fs';

/**
 * A small file of the system, parsed once and again after every change. A missing file counts as empty. Reads synchronously: an
 * asynchronous read needs a thread, and all threads may be busy.
 */
export class WatchedFile<T> {
  private version = '';
  private parsed: T;

  constructor(
    private readonly path: string,
    private readonly parse: (text: string) => T,
  ) {
    this.parsed = parse('');
  }

  read(): T {
    const found = statSync(this.path, { throwIfNoEntry: false });
    const version = found === undefined ? '' : `${found.ino}:${found.size}:${found.mtimeMs}`;
    if (version === this.version) return this.parsed;
    this.parsed = this.parse(version === '' ? '' : readFileSync(this.path, 'utf8'));
    this.version = version;
    return this.parsed;
  }
}
