// `npm run contract`: compiles src/ with the Swagger plugin of nest-cli.json to dist-contract/, and generates openapi.yaml from it.
// The bundle of the service cannot do this: the plugin reads types and comments, and needs the TypeScript compiler.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { transformFile } from '@swc/core';
import ts from 'typescript';
import { copyAssets, generate } from './build.mjs';
import { COMPILER } from './jest/compile.mjs';

const require = createRequire(import.meta.url);
const home = dirname(dirname(fileURLToPath(import.meta.url)));
const outDir = join(home, 'dist-contract');

generate(home);
rmSync(outDir, { recursive: true, force: true });
const { options, fileNames, errors } = ts.parseJsonConfigFileContent(read('tsconfig.build.json'), ts.sys, home);
const plugins = read('nest-cli.json').compilerOptions.plugins;
const suffixes = plugins.flatMap(({ options: of }) => [...of.dtoFileNameSuffix, ...of.controllerFileNameSuffix]);
const isForPlugins = (file) => suffixes.some((suffix) => file.endsWith(suffix));
compileWithPlugins(fileNames.filter(isForPlugins));
await Promise.all(fileNames.filter((file) => !isForPlugins(file)).map(compile));
copyAssets(home, outDir);
await import(pathToFileURL(join(outDir, 'operate', 'contract', 'main.js')).href);

function read(name) {
  return ts.readConfigFile(join(home, name), ts.sys.readFile).config;
}

/** Without checking types, which `npm run check` does. */
function compileWithPlugins(files) {
  const program = ts.createProgram(fileNames, { ...options, outDir, sourceMap: false, noCheck: true });
  const before = plugins.map(({ name, options: of }) => require(`${name}/plugin`).before(of, program));
  const emitted = files.map((file) =>
    program.emit(program.getSourceFile(file), undefined, undefined, undefined, { before }),
  );
  const problems = [...errors, ...program.getSyntacticDiagnostics(), ...emitted.flatMap((each) => each.diagnostics)];
  if (problems.length === 0) return;
  const host = { getCanonicalFileName: (name) => name, getCurrentDirectory: () => home, getNewLine: () => '\n' };
  console.error(ts.formatDiagnosticsWithColorAndContext(problems, host));
  process.exit(1);
}

/** The others: SWC takes a fraction of the time. */
async function compile(file) {
  const { code } = await transformFile(file, COMPILER);
  const compiled = join(outDir, relative(join(home, 'src'), file)).replace(/\.ts$/, '.js');
  mkdirSync(dirname(compiled), { recursive: true });
  writeFileSync(compiled, code);
}
