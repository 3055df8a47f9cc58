// Compiles src/ to dist/: the Prisma client first, then TypeScript with the Swagger plugin of nest-cli.json,
// which turns doc comments and types into the published API text.
import { spawnSync } from 'node:child_process';
import { cpSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { extname, join } from 'node:path';
import ts from 'typescript';

const require = createRequire(import.meta.url);

export function build(home) {
  generateClient(home);
  rmSync(join(home, 'dist'), { recursive: true, force: true });
  compile(home);
  const isAsset = (file) => statSync(file).isDirectory() || ['.yaml', '.json', '.sql'].includes(extname(file));
  cpSync(join(home, 'src'), join(home, 'dist'), { recursive: true, filter: isAsset });
}

function generateClient(home) {
  // `generate` insists on a native schema engine that it never runs; any file in its place saves a download.
  const env = { ...process.env, PRISMA_SCHEMA_ENGINE_BINARY: process.execPath, PRISMA_HIDE_UPDATE_MESSAGE: '1', CHECKPOINT_DISABLE: '1' };
  const cli = require.resolve('prisma/build/index.js');
  const { status, stdout, stderr } = spawnSync(process.execPath, [cli, 'generate', '--no-hints'], { cwd: home, env, encoding: 'utf8' });
  if (status !== 0) throw new Error(`prisma generate failed:\n${stdout}${stderr}`);
}

function compile(home) {
  const file = join(home, 'tsconfig.json');
  const { options, fileNames, errors } = ts.parseJsonConfigFileContent(ts.readConfigFile(file, ts.sys.readFile).config, ts.sys, home);
  const program = ts.createProgram(fileNames, options);
  const { compilerOptions } = JSON.parse(readFileSync(join(home, 'nest-cli.json'), 'utf8'));
  const before = compilerOptions.plugins.map(({ name, options: pluginOptions }) => require(`${name}/plugin`).before(pluginOptions, program));
  const emitted = program.emit(undefined, undefined, undefined, undefined, { before });
  const problems = [...errors, ...ts.getPreEmitDiagnostics(program), ...emitted.diagnostics];
  if (problems.length === 0) return;
  const host = { getCanonicalFileName: (name) => name, getCurrentDirectory: () => home, getNewLine: () => '\n' };
  console.error(ts.formatDiagnosticsWithColorAndContext(problems, host));
  process.exit(1);
}
