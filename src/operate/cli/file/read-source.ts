import { readFileSync } from 'node:fs';
import { cannotRead } from '../print/print.js';
import type { FileSource } from './apply-target.js';

/** Reads the file of a command; `-` is standard input. */
export function readSource(file: string, env: FileSource['env']): FileSource {
  try {
    return { text: readFileSync(file === '-' ? 0 : file, 'utf8'), name: file === '-' ? null : file, env };
  } catch (error) {
    throw cannotRead(file, error);
  }
}
