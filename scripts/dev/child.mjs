// A process of the service in `npm run dev`. It loads the libraries at once, the service when it is told to, and then runs it like `carillon start`.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { compiledOf, filesIn } from '../jest/compile.mjs';

const home = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const compiled = (...path) => pathToFileURL(compiledOf(home, join(home, 'src', ...path))).href;

const LIBRARY = /^import (?!type\b)[^;]*? from '([^.'][^']*)';/gms;

const told = { load: undefined, start: undefined };
const loading = new Promise((resolve) => (told.load = resolve));
const starting = new Promise((resolve) => (told.start = resolve));
process.on('message', (word) => told[word]());
process.on('disconnect', () => process.exit()); // the parent is gone

await import('reflect-metadata');
for (const name of libraries()) await import(name).catch(() => undefined);
await loading;
await import(compiled('operate', 'cli', 'carillon.ts'));
await import(compiled('operate', 'start', 'service.ts'));
await starting;
process.argv.splice(1, Infinity, fileURLToPath(compiled('main.ts')), 'start');
await import(compiled('main.ts'));

/** Not the decorators of Swagger, which are left out (jest/compile.mjs). */
function libraries() {
  const texts = filesIn(join(home, 'src'))
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'))
    .map((file) => readFileSync(file, 'utf8'));
  const names = texts.flatMap((text) => [...text.matchAll(LIBRARY)].map(([, name]) => name));
  return new Set(names.filter((name) => name !== '@nestjs/swagger'));
}
