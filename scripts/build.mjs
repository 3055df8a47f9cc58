// Compiles src/ to dist/: the Prisma client first, then TypeScript with the Swagger plugin of nest-cli.json,
// which turns doc comments and types into the published API text.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, extname, join, relative, sep } from 'node:path';
import ts from 'typescript';
import { parse } from 'yaml';

const require = createRequire(import.meta.url);

/** Replaces the old build at the end, in one step, so that programs that run from it are not disturbed. */
export async function build(home) {
  const draft = join(home, `dist-${process.pid}`);
  const pages = buildConsole(home, draft);
  generate(home);
  compile(home, draft);
  const isAsset = (file) => statSync(file).isDirectory() || ['.yaml', '.json', '.sql'].includes(extname(file));
  cpSync(join(home, 'src'), draft, { recursive: true, filter: isAsset });
  writeContract(home, draft);
  await pages;
  writeFileSync(join(draft, '.built'), '');
  const old = join(home, `dist-${process.pid}-old`);
  if (existsSync(join(home, 'dist'))) renameSync(join(home, 'dist'), old);
  renameSync(draft, join(home, 'dist'));
  rmSync(old, { recursive: true, force: true });
}

/** The Prisma client, if the schema has changed since. */
export function generate(home) {
  const [schema, client] = [
    join(home, 'prisma', 'schema.prisma'),
    join(home, 'src', 'generated', 'prisma', 'client.ts'),
  ];
  if (!existsSync(client) || statSync(client).mtimeMs < statSync(schema).mtimeMs) generateClient(home);
}

/** The committed contract as JSON, which the service and the tests read in a hundredth of the time. */
export function writeContract(home, outDir = join(home, 'dist')) {
  const contract = parse(readFileSync(join(home, 'openapi.yaml'), 'utf8'));
  writeFileSync(join(outDir, 'openapi.json'), JSON.stringify(contract));
}

/** The pages of the console. In a process of its own: TypeScript keeps this one busy meanwhile. */
export async function buildConsole(home, outDir = join(home, 'dist')) {
  const vite = join(dirname(require.resolve('vite/package.json')), 'bin', 'vite.js');
  const config = join(home, 'console', 'vite.config.ts');
  const args = [vite, 'build', '--config', config, '--logLevel', 'warn', '--outDir', join(outDir, 'console', 'files')];
  const child = spawn(process.execPath, args, { cwd: home, stdio: ['ignore', 2, 2] });
  const [status] = await once(child, 'exit');
  if (status !== 0) throw new Error('the build of the console failed');
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
  const missing = [];
  const exchange = exchangeSwagger(home, program, missing);
  const writeFile = (name, text) => ts.sys.writeFile(name, exchange(relative(outDir, name), text));
  const emitted = program.emit(undefined, writeFile, undefined, undefined, { before });
  const problems = [...errors, ...ts.getPreEmitDiagnostics(program), ...emitted.diagnostics];
  if (problems.length === 0 && missing.length === 0) return;
  const host = { getCanonicalFileName: (name) => name, getCurrentDirectory: () => home, getNewLine: () => '\n' };
  console.error(ts.formatDiagnosticsWithColorAndContext(problems, host));
  for (const use of new Set(missing)) console.error(`${use}: add it to src/contract/swagger-stand-in.ts`);
  rmSync(outDir, { recursive: true, force: true });
  process.exit(1);
}

/**
 * Makes compiled files import `#swagger` instead of @nestjs/swagger. `imports` in package.json says what that is: @nestjs/swagger for
 * `npm run contract`, otherwise src/contract/swagger-stand-in.ts. Adds to `missing` what the stand-in lacks.
 */
function exchangeSwagger(home, program, missing) {
  const checker = program.getTypeChecker();
  const standIn = program.getSourceFile(join(home, 'src', 'contract', 'swagger-stand-in.ts'));
  const known = checker.getExportsOfModule(checker.getSymbolAtLocation(standIn)).map(({ name }) => name);
  return (file, text) => {
    if (file.startsWith(`contract${sep}`)) return text;
    const imported = [...text.matchAll(/^import \{([^}]*)\} from ['"]@nestjs\/swagger['"]/gm)].flatMap(([, names]) =>
      names.split(',').flatMap((name) => name.trim().split(' ', 1)[0] || []),
    );
    // The Swagger plugin imports everything under this name.
    const ofPlugin = [...text.matchAll(/\bopenapi\.(\w+)\(/g)].map(([, name]) => name);
    const unknown = [...imported, ...ofPlugin].filter((name) => !known.includes(name));
    missing.push(...unknown.map((name) => `${file} uses ${name} of @nestjs/swagger`));
    return text.replaceAll(/(?<=^import [^;]* from )['"]@nestjs\/swagger['"]/gm, "'#swagger'");
  };
}
