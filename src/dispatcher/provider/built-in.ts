import { readFileSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Outbound } from '../outbound/outbound.js';
import type { ChannelTokens } from '../token/channel-tokens.js';
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

export const builtInText = (type: string): string => readFileSync(new URL(`${type}.yaml`, FOLDER), 'utf8');

export function builtInProvider(type: string): ProviderFile {
  const provider = readProvider(builtInText(type), `${type}.yaml`);
  if (provider.type !== type) throw new Error(`${type}.yaml describes the type ${provider.type}`);
  return provider;
}

/** The dispatchers of an operator's files, which are all read at once: a mistake stops the start. */
export const operatorDispatchers = (folder: string, outbound: Outbound, tokens: ChannelTokens): FileDispatcher[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.yaml'))
    .sort()
    .map((name) => {
      const provider = readProvider(readFileSync(join(folder, name), 'utf8'), join(folder, name));
      return new FileDispatcher(provider.type, () => provider, outbound, undefined, tokens);
    });

/** The dispatcher of a built-in file. `origin` replaces its host: tests send to loopback. */
export const builtInDispatcher = (type: string, outbound: Outbound, origin?: string): FileDispatcher =>
  new FileDispatcher(type, () => builtInProvider(type), outbound, origin);

/** The dispatchers of the built-in files. Their tests run every file; a start only lists them. */
export const builtInDispatchers = (outbound: Outbound, tokens: ChannelTokens): FileDispatcher[] =>
  builtInTypes().map((type) => new FileDispatcher(type, () => builtInProvider(type), outbound, undefined, tokens));
