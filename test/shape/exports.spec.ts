import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { expect, it } from '@jest/globals';
import { root } from '../../src/platform/config/root.js';

// The build puts this file in the place of @nestjs/swagger, which many files import.
const STAND_IN = 'src/operate/contract/swagger-stand-in.ts';

const FOLDERS = ['src', 'test', 'bench', 'scripts', 'console', 'clients'];
const SOURCE = /\.(ts|tsx|mjs|cjs)$/;
const DECLARED =
  /^export (?:declare )?(?:abstract )?(?:async )?(?:class|function\*?|const|let|interface|type|enum) (\w+)/gm;
const NAMED = /(?:import|export)\s+(?:type\s+)?\{([^}]*)\}\s+from\s+['"](\.[^'"]+)['"]/g;
/** Of the whole module: `import * as`, `export *`, and `import()`, also as a type. */
const WHOLE = /(?:\*(?:\s+as\s+\w+)?\s+from\s+|import\(\s*)['"](\.[^'"]+)['"]/g;

const files = FOLDERS.flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => SOURCE.test(file) && !/(^|[\\/])(node_modules|generated|dist)[\\/]/.test(file))
    .map((file) => ({ file: join(root, folder, file), text: readFileSync(join(root, folder, file), 'utf8') })),
);

/** The module that a path means, without its ending. What bench/ and scripts/ import from dist/ stands in src/. */
function moduleOf(file: string): string {
  const name = relative(root, file).split(sep).join('/');
  return name.replace(/^dist\//, 'src/').replace(/\.(js|ts|tsx|mjs|cjs)$/, '');
}

/** The words that others use of each module. A file that imports all of it may use each of its own words. */
function findUses(): Map<string, Set<string>> {
  const uses = new Map<string, Set<string>>();
  const add = (from: string, path: string, words: string) => {
    const module = moduleOf(resolve(dirname(from), path));
    const known = uses.get(module) ?? new Set();
    for (const [word] of words.matchAll(/\w+/g)) known.add(word);
    uses.set(module, known);
  };
  for (const { file, text } of files) {
    for (const [, names, path] of text.matchAll(NAMED)) add(file, path!, names!);
    for (const [, path] of text.matchAll(WHOLE)) add(file, path!, text);
  }
  return uses;
}

it('nothing in src/ is exported that no other file imports', () => {
  const uses = findUses();
  const unused = files.flatMap(({ file, text }) => {
    const module = moduleOf(file);
    if (!module.startsWith('src/') || module.endsWith('.spec') || `${module}.ts` === STAND_IN) return [];
    const declared = [...text.matchAll(DECLARED)].map(([, name]) => name!);
    return declared.filter((name) => !uses.get(module)?.has(name)).map((name) => `${module}.ts exports ${name}`);
  });
  expect(unused).toEqual([]);
});
