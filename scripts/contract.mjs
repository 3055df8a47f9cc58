// `npm run contract`: compiles src/ with the Swagger plugin of nest-cli.json to dist-contract/, and generates openapi.yaml from it.
// The bundle of the service cannot do this: the plugin reads types and comments, and needs the TypeScript compiler.
import { readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import ts from 'typescript';
import { copyAssets, generate } from './build.mjs';

const require = createRequire(import.meta.url);
const home = dirname(dirname(fileURLToPath(import.meta.url)));
const outDir = join(home, 'dist-contract');

generate(home);
compile();
copyAssets(home, outDir);
await import(pathToFileURL(join(outDir, 'contract', 'main.js')).href);

function compile() {
  rmSync(outDir, { recursive: true, force: true });
  const file = join(home, 'tsconfig.build.json');
  const { config } = ts.readConfigFile(file, ts.sys.readFile);
  const { options, fileNames, errors } = ts.parseJsonConfigFileContent(config, ts.sys, home);
  const program = ts.createProgram(fileNames, { ...options, outDir, sourceMap: false });
  const { compilerOptions } = JSON.parse(readFileSync(join(home, 'nest-cli.json'), 'utf8'));
  const before = compilerOptions.plugins.map(({ name, options: pluginOptions }) =>
    require(`${name}/plugin`).before(pluginOptions, program),
  );
  const { diagnostics } = program.emit(undefined, undefined, undefined, undefined, { before });
  const problems = [...errors, ...program.getSyntacticDiagnostics(), ...diagnostics];
  if (problems.length === 0) return;
  const host = { getCanonicalFileName: (name) => name, getCurrentDirectory: () => home, getNewLine: () => '\n' };
  console.error(ts.formatDiagnosticsWithColorAndContext(problems, host));
  process.exit(1);
}
