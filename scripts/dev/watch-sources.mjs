import { watch } from 'node:fs';
import { join } from 'node:path';
import { refreshContract } from '../build.mjs';
import { compileAll } from '../jest/compile.mjs';

/** Editors write a file in several steps. */
const QUIET_MS = 50;

/** Files that the service reads by themselves; TypeScript counts once it is compiled. */
const isAsset = (name) => /\.(yaml|json|sql)$/.test(name);

/** Compiles what has changed, and calls `onChange` with the names of the files. A file that does not compile is reported, and changes nothing. */
export function watchSources(home, onChange) {
  const changed = new Set();
  let timer;
  let running = Promise.resolve();
  const note = (name) => {
    if (!name || name.endsWith('.spec.ts')) return;
    changed.add(name);
    clearTimeout(timer);
    timer = setTimeout(() => (running = running.then(update)), QUIET_MS);
  };
  const update = async () => {
    const names = [...changed];
    changed.clear();
    try {
      const compiled = await compileAll({ rootDir: home });
      await refreshContract(home);
      // Generated files change while they are compiled: only what was compiled anew counts.
      if (compiled > 0 || names.some(isAsset)) onChange(names);
    } catch (error) {
      console.error(`${error.message}\ncarillon: this does not compile; the service keeps running as it was`);
    }
  };
  return [
    watch(join(home, 'src'), { recursive: true }, (_, name) => note(name)),
    watch(join(home, 'prisma'), { recursive: true }, (_, name) => note(name)),
    watch(home, (_, name) => name === 'openapi.yaml' && note(name)),
  ];
}
