import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { root } from '../../src/platform/config/root.js';
import { createFolder } from './folder.js';

/** What files of `console/src` export. The tests are built without the console, which runs in browsers. */
export function consoleBundle(...files: string[]): unknown {
  const folder = createFolder();
  try {
    const [entry, out] = ['entry.js', 'out.cjs'].map((name) => join(folder.path, name)) as [string, string];
    const from = (name: string) => JSON.stringify(join(root, 'console/src', name));
    writeFileSync(entry, files.map((name) => `export * from ${from(name)};`).join('\n'));
    const rolldown = join(root, 'node_modules', 'rolldown', 'bin', 'cli.mjs');
    execFileSync(process.execPath, [rolldown, entry, '--format', 'cjs', '--file', out], { stdio: 'ignore' });
    return createRequire(import.meta.url)(out);
  } finally {
    folder.remove();
  }
}
