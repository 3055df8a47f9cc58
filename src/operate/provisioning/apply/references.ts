import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { ProvisioningError } from '../file.js';
import type { Reference } from '../file.js';

/** The source of referenced values. */
export interface ReferenceSource {
  env: Record<string, string | undefined>;
  /** The folder that `file:` references are relative to. */
  folder: string;
}

/** Reads the text of a reference. `place` names the referring value in errors. */
export function readReference(reference: Reference, place: string, { env, folder }: ReferenceSource): string {
  const [text, source] =
    'file' in reference
      ? [readText(reference.file, place, folder).trim(), `the file ${reference.file}, but it is empty`]
      : [env[reference.env], `the environment variable ${reference.env}: set it`];
  if (!text) throw new ProvisioningError([`${place}: needs ${source}`]);
  return text;
}

export function readText(file: string, place: string, folder: string): string {
  try {
    return readFileSync(resolve(folder, file), 'utf8');
  } catch {
    throw new ProvisioningError([`${place}: needs the file ${file}, but it cannot be read`]);
  }
}
