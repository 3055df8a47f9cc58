import { createWriteStream } from 'node:fs';
import { open, realpath, rename, rm, stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';

/**
 * Writes or replaces a file, as a redirection of the shell does, but only when its text is complete. The file keeps its permissions; a link
 * still leads to it.
 */
export async function writeWhole(file: string, parts: Iterable<string> | AsyncIterable<string>): Promise<void> {
  const target = await realpath(file).catch(() => file);
  const before = await stat(target).catch(() => null);
  // A device or a pipe cannot be replaced.
  if (before && !before.isFile()) return pipeline(parts, createWriteStream(target));
  const unfinished = `${target}.unfinished`;
  // Opened before anything can fail: a stream that is still opening its file would create it after its removal.
  const handle = await open(unfinished, 'w', before ? before.mode & 0o777 : undefined);
  try {
    await pipeline(parts, handle.createWriteStream());
    await rename(unfinished, target);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
}
