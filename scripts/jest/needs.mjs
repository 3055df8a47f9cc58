// Finds out what test files need, so that a run of one file prepares only that.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

const IMPORTS = /\b(?:from|import|import\()\s*'(\.[^']+)'/g;

const FOLDERS = ['test', 'bench'];

/** `createDatabase` clones a database of the PostgreSQL of the run. */
const USES_DATABASE = /\bTEST_POSTGRES_URL\b/;
/** The test app reads the contract as JSON; the build writes it, and so does `writeContract` alone. */
const USES_CONTRACT = /\bpublished-contract\b|\bcreateApp\b/;
/** Its files, and the pages of the console, which the app serves from there. */
const USES_BUILD = /'dist'|\/dist\/|'\/console\//;
/** The program that a test starts is the built service, or a script that uses the build. */
const STARTS_PROCESSES = /'node:child_process'/;

/** Returns `{ database, contract, build }` for test files, from the texts of these files and of the parts of `test/` and `bench/` that they import. */
export function needsOf(home, files) {
  const sources = withImports(home, files);
  const some = (pattern, folder = '') =>
    sources.some(({ file, text }) => file.startsWith(join(home, folder)) && pattern.test(text));
  return {
    database: some(USES_DATABASE),
    contract: some(USES_CONTRACT),
    build: some(USES_BUILD) || some(STARTS_PROCESSES, 'test'),
  };
}

function withImports(home, files) {
  const found = new Map();
  const visit = (file) => {
    if (found.has(file)) return;
    const text = readFileSync(file, 'utf8').replaceAll(/'ajv\/dist\/[^']+'/g, '');
    found.set(file, { file, text });
    for (const [, name] of text.matchAll(IMPORTS)) {
      const target = sourceOf(resolve(dirname(file), name));
      // Modules of src/ and scripts/ need nothing by themselves.
      if (target && FOLDERS.some((folder) => target.startsWith(join(home, folder)))) visit(target);
    }
  };
  files.forEach(visit);
  return [...found.values()];
}

function sourceOf(path) {
  return [path.replace(/\.js$/, '.ts'), path].find((file) => existsSync(file));
}
