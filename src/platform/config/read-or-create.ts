import { existsSync, readFileSync, writeFileSync } from 'node:fs';

/** Returns the text of a file. If the file is missing, creates it first, readable only by its owner. */
export function readOrCreate(file: string, createText: () => string): string {
  if (!existsSync(file)) {
    try {
      writeFileSync(file, createText(), { mode: 0o600, flag: 'wx' });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
  return readFileSync(file, 'utf8').trim();
}
