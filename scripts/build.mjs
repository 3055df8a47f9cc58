// Compiles src/ to dist/: the Prisma client first, then TypeScript with the Swagger plugin of nest-cli.json,
// which turns doc comments and types into the published API text.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { extname, join } from 'node:path';
import ts from 'typescript';

const require = createRequire(import.meta.url);

/** Replaces the old build at the end, in one step, so that programs that run from it are not disturbed. */
export function build(home) {
  const [schema, client] = [
    join(home, 'prisma', 'schema.prisma'),
    join(home, 'src', 'generated', 'prisma', 'client.ts'),
  ];
  if (!existsSync(client) || statSync(client).mtimeMs < statSync(schema).mtimeMs) generateClient(home);
  const draft = join(home, `dist-${process.pid}`);
  compile(home, draft);
  const isAsset = (file) => statSync(file).isDirectory() || ['.yaml', '.json', '.sql'].includes(extname(file));
  cpSync(join(home, 'src'), draft, { recursive: true, filter: isAsset });
  writeFileSync(join(draft, '.built'), '');
  const old = join(home, `dist-${process.pid}-old`);
  if (existsSync(join(home, 'dist'))) renameSync(join(home, 'dist'), old);
  renameSync(draft, join(home, 'dist'));
  rmSync(old, { recursive: true, force: true });
}

function generateClient(home) {
  // `prisma generate` requires a native schema engine but never runs it. Any existing file avoids the download.
  const env = {
    ...process.env,
    PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
    PRISMA_HIDE_UPDATE_MESSAGE: '1',
    CHECKPOINT_DISABLE: '1',
  };
  const cli = require.resolve('prisma/build/index.js');
  const { status, stdout, stderr } = spawnSync(process.execPath, [cli, 'generate', '--no-hints'], {
    cwd: home,
    env,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`prisma generate failed:\n${stdout}${stderr}`);
}

function compile(home, outDir) {
  const file = join(home, 'tsconfig.build.json');
  const { options, fileNames, errors } = ts.parseJsonConfigFileContent(
    ts.readConfigFile(file, ts.sys.readFile).config,
    ts.sys,
    home,
  );
  const program = ts.createProgram(fileNames, { ...options, outDir });
  const { compilerOptions } = JSON.parse(readFileSync(join(home, 'nest-cli.json'), 'utf8'));
  const before = compilerOptions.plugins.map(({ name, options: pluginOptions }) =>
    require(`${name}/plugin`).before(pluginOptions, program),
  );
  const emitted = program.emit(undefined, undefined, undefined, undefined, { before });
  const problems = [...errors, ...ts.getPreEmitDiagnostics(program), ...emitted.diagnostics];
  if (problems.length === 0) return;
  const host = { getCanonicalFileName: (name) => name, getCurrentDirectory: () => home, getNewLine: () => '\n' };
  console.error(ts.formatDiagnosticsWithColorAndContext(problems, host));
  rmSync(outDir, { recursive: true, force: true });
  process.exit(1);
}
