import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from '../../../src/platform/config/root.js';
import { createFolder } from '../folder.js';
import { Service } from './service.js';

/** The addresses of all scripts that a command of the build loads, whether it succeeds or not. */
export async function loadedBy(args: string[], env: Record<string, string>): Promise<string[]> {
  const folder = createFolder();
  try {
    const preload = `--import=${pathToFileURL(join(root, 'test', 'support', 'app', 'loaded-scripts.mjs')).href}`;
    const file = join(folder.path, 'loaded.json');
    await Service.try(args, { ...env, NODE_OPTIONS: preload, LOADED_SCRIPTS: file });
    return JSON.parse(readFileSync(file, 'utf8')) as string[];
  } finally {
    folder.remove();
  }
}
