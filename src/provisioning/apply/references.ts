import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { ProvisioningError } from '../file.js';
import type { Reference } from '../file.js';

/** Where references lead. */
export interface ReferenceSource {
  env: Record<string, string | undefined>;
  /** Where `file:` references start. */
  folder: string;
}

/** The text that a value of the file refers to; `place` names the value. */
export function readReference(reference: Reference, place: string, { env, folder }: ReferenceSource): string {
  const [text, source] =
    'file' in reference
      ? [readText(reference.file, place, folder).trim(), `the file ${reference.file}, which is empty`]
      : [env[reference.env], `the environment variable ${reference.env}, which is not set`];
  if (!text) throw new ProvisioningError([`${place} wants ${source}`]);
  return text;
}

export function readText(file: string, place: string, folder: string): string {
  try {
    return readFileSync(resolve(folder, file), 'utf8');
  } catch {
    throw new ProvisioningError([`${place} wants the file ${file}, which cannot be read`]);
  }
}
