// Builds dist/: the Prisma client first, then the service as a bundle, its schemas and samples, the contract as JSON, and the console.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, extname, join, posix, relative, sep } from 'node:path';

const require = createRequire(import.meta.url);

/** The programs of the service, and the modules that bench/, scripts/ and tests import. Everything else becomes a part of these. */
const ENTRIES = [
  'main',
  'operate/start/service-process',
  'rules/render/render-process',
  'auth/api-key',
  'auth/permission',
  'platform/config/log-lines',
  'dispatcher/email/smtp-pool',
  'platform/field/uuid-v7',
  'engine/deliver/in-flight',
  'platform/database/embedded/embedded-postgres',
  'platform/database/migration/migrate',
  'platform/database/migration/migration-file',
  'rules/ruleset/users.sql',
];

/** Replaces the old build at the end, in one step, so that programs that run from it are not disturbed. */
export async function build(home) {
  const draft = join(home, `dist-${process.pid}`);
  try {
    await Promise.all([buildConsole(home, draft), buildService(home, draft)]);
    writeFileSync(join(draft, '.built'), '');
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    throw error;
  }
  const old = join(home, `dist-${process.pid}-old`);
  if (existsSync(join(home, 'dist'))) renameSync(join(home, 'dist'), old);
  renameSync(draft, join(home, 'dist'));
  rmSync(old, { recursive: true, force: true });
}

/** Everything but the console. */
export async function buildService(home, outDir) {
  generate(home);
  await bundle(home, outDir);
  copyAssets(home, outDir);
  await writeContract(home, outDir);
}

/** The files of src/ that the service reads. */
export function copyAssets(home, outDir) {
  const isAsset = (file) => statSync(file).isDirectory() || ['.yaml', '.json', '.sql'].includes(extname(file));
  cpSync(join(home, 'src'), outDir, { recursive: true, filter: isAsset });
}

/** The Prisma client, if the schema has changed since. */
export function generate(home) {
  const [schema, client] = [
    join(home, 'prisma', 'schema.prisma'),
    join(home, 'src', 'platform', 'database', 'generated', 'prisma', 'client.ts'),
  ];
  if (!existsSync(client) || statSync(client).mtimeMs < statSync(schema).mtimeMs) generateClient(home);
}

/** The committed contract as JSON, which the service and the tests read in a hundredth of the time. */
export async function writeContract(home, outDir = join(home, 'dist')) {
  const { parse } = await import('yaml');
  const contract = parse(readFileSync(join(home, 'openapi.yaml'), 'utf8'));
  writeFileSync(join(outDir, 'openapi.json'), JSON.stringify(contract));
}

/** The same without a build, if it has changed since: the one file of the build that the app needs in tests and in `npm run dev`. */
export async function refreshContract(home) {
  const [source, written] = [join(home, 'openapi.yaml'), join(home, 'dist', 'openapi.json')];
  if (existsSync(written) && statSync(written).mtimeMs > statSync(source).mtimeMs) return;
  mkdirSync(join(home, 'dist'), { recursive: true });
  await writeContract(home);
}

/** The pages of the console. In a process of its own, beside the rest. */
export async function buildConsole(home, outDir = join(home, 'dist')) {
  const vite = join(dirname(require.resolve('vite/package.json')), 'bin', 'vite.js');
  const config = join(home, 'console', 'vite.config.ts');
  const args = [vite, 'build', '--config', config, '--logLevel', 'warn', '--outDir', join(outDir, 'console', 'files')];
  const env = { ...process.env, NODE_ENV: 'production' }; // Jest sets it to `test`, for which React is larger and slower
  const child = spawn(process.execPath, args, { cwd: home, env, stdio: ['ignore', 2, 2] });
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

/**
 * The service with its libraries, in some thirty files instead of 1,900: a start takes 1.8 s of CPU time instead of 3.2 s. It compiles without
 * checking types, which `npm run check` does.
 */
async function bundle(home, outDir) {
  const { rolldown } = await import('rolldown');
  const source = (name) => join(home, 'src', `${name}.ts`);
  const bundler = await rolldown({
    cwd: home,
    input: Object.fromEntries(ENTRIES.map((name) => [name, source(name)])),
    platform: 'node',
    tsconfig: join(home, 'tsconfig.build.json'),
    external: [
      // Loaded only if they are installed.
      /^@nestjs\/(microservices|websockets|platform-socket\.io)/,
      'pg-native',
      'class-transformer/storage',
      // Must run before everything else. In a bundle it would run after the modules that import it.
      'reflect-metadata',
      // Reads its WebAssembly from its own folder.
      'mrml',
    ],
    // The decorators of @nestjs/swagger matter only to `npm run contract`; loading the package took 0.3 s of each start.
    resolve: { alias: { '@nestjs/swagger': source('operate/contract/swagger-stand-in') } },
    plugins: [places(join(home, 'src'))],
    onwarn: refuseMissing,
  });
  await bundler.write({
    dir: outDir,
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: 'parts/[name]-[hash].js',
    keepNames: true,
    sourcemap: true,
  });
  await bundler.close();
}

/** A part of the bundle finds other files as if each module were in its own place below dist/. */
function places(sources) {
  return {
    name: 'places',
    transform(code, id) {
      if (!id.startsWith(sources + sep) || !code.includes('import.meta.url')) return null;
      const place = relative(sources, id).replaceAll(sep, '/').replace(/\.ts$/, '.js');
      return { code: code.replaceAll('import.meta.url', `'dist:${place}'`), map: null };
    },
    renderChunk(code, { fileName }) {
      const url = (place) => `new URL('${posix.relative(posix.dirname(fileName), place)}', import.meta.url).href`;
      return { code: code.replaceAll(/["'`]dist:([^"'`]+)["'`]/g, (_, place) => url(place)), map: null };
    },
  };
}

function refuseMissing(warning) {
  if (['EVAL', 'CIRCULAR_DEPENDENCY'].includes(warning.code)) return;
  throw new Error(warning.message);
}
