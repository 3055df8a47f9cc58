// Compiles sources and tests to dist-test/, file by file. Only files that have changed since.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { transform } from '@swc/core';
import { generate } from '../build.mjs';

/** Of SWC, for one file. */
export const COMPILER = {
  swcrc: false,
  configFile: false,
  jsc: {
    target: 'es2022',
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: true },
    keepClassNames: true,
  },
  module: { type: 'es6' },
};

const FOLDERS = ['src', 'test', join('clients', 'typescript', 'src')];

const isSource = (name) => name.endsWith('.ts') && !name.endsWith('.d.ts');

/** The compiled file of a source file. `folder`: dist-test/, or one beside it. */
export const compiledOf = (home, file, folder = 'dist-test') =>
  join(home, folder, relative(home, file)).replace(/\.ts$/, '.js');

/** With the Prisma client, which is generated. Returns the number of files that have changed. */
export async function compileAll({ rootDir: home }) {
  generate(home);
  const sources = FOLDERS.flatMap((folder) => filesIn(join(home, folder)).filter(isSource));
  const outdated = sources.filter((file) => isOutdated(file, compiledOf(home, file)));
  await Promise.all(outdated.map((file) => compile(home, file)));
  const current = new Set(sources.map((file) => compiledOf(home, file)));
  const deleted = filesIn(join(home, 'dist-test')).filter((file) => !current.has(file));
  for (const file of deleted) rmSync(file);
  return outdated.length + deleted.length;
}

export const filesIn = (folder) =>
  !existsSync(folder)
    ? []
    : readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath ?? entry.path, entry.name));

const ownAge = statSync(fileURLToPath(import.meta.url)).mtimeMs;
const isOutdated = (file, compiled) =>
  !existsSync(compiled) || statSync(compiled).mtimeMs <= Math.max(statSync(file).mtimeMs, ownAge);

/** `text` and `compiled`: another text of the file, and another place. */
export async function compile(home, file, text = readFileSync(file, 'utf8'), compiled = compiledOf(home, file)) {
  const { code } = await transform(text, {
    ...COMPILER,
    filename: file,
    sourceFileName: file,
    sourceMaps: 'inline',
  });
  mkdirSync(dirname(compiled), { recursive: true });
  writeFileSync(compiled, moved(home, file, code));
}

/** The compiled code finds everything as if it were in the place of its source. */
function moved(home, file, code) {
  const compiled = compiledOf(home, file);
  const pathTo = (target) =>
    relative(dirname(compiled), target)
      .replaceAll(sep, '/')
      .replace(/^(?!\.)/, './');
  const named = {
    '@jest/globals': join(home, 'scripts', 'jest', 'globals.mjs'),
    // As in the build (scripts/build.mjs).
    '@nestjs/swagger': compiledOf(home, join(home, 'src', 'operate', 'contract', 'swagger-stand-in.ts')),
  };
  const placeOf = (name) => {
    if (Object.hasOwn(named, name)) return pathTo(named[name]);
    const target = resolve(dirname(file), name);
    const isCompiled =
      FOLDERS.some((folder) => target.startsWith(join(home, folder) + sep)) &&
      target.endsWith('.js') &&
      existsSync(target.replace(/\.js$/, '.ts'));
    return isCompiled || !name.startsWith('.') ? name : pathTo(target);
  };
  return (
    code
      // A program of ours that is started as a process (`new URL('./name.js', import.meta.url)`) is a compiled one, in its place.
      .replaceAll(
        /(?<!new URL\(['"]\.\/[\w-]+\.js['"], )import\.meta\.url/g,
        `new URL('${pathTo(file)}', import.meta.url).href`,
      )
      .replaceAll(
        /\b(from |import |import\()(['"])([^'"\n]+)\2/g,
        (_, before, quote, name) => `${before}${quote}${placeOf(name)}${quote}`,
      )
  );
}
