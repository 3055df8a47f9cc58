import { readFileSync, readdirSync } from 'node:fs';
import { basename } from 'node:path';
import type { Outbound } from '../outbound/outbound.js';
import { FileDispatcher } from './file.dispatcher.js';
import type { ProviderFile } from './provider.js';
import { readProvider } from './read/read-provider.js';

const FOLDER = new URL('files/', import.meta.url);

/** The types of the providers that this folder describes: the names of the files. */
export const builtInTypes = (): string[] =>
  readdirSync(FOLDER)
    .filter((name) => name.endsWith('.yaml'))
    .map((name) => basename(name, '.yaml'))
    .sort();

const builtInText = (type: string): string => readFileSync(new URL(`${type}.yaml`, FOLDER), 'utf8');

export function builtInProvider(type: string): ProviderFile {
  const provider = readProvider(builtInText(type), `${type}.yaml`);
  if (provider.type !== type) throw new Error(`${type}.yaml describes the type ${provider.type}`);
  return provider;
}

/** The dispatchers of the built-in files. Their tests run every file; a start only lists them. */
export const builtInDispatchers = (outbound: Outbound): FileDispatcher[] =>
  builtInTypes().map((type) => new FileDispatcher(type, () => builtInProvider(type), outbound));
