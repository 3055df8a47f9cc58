// `npm start`, `npm test`, `npx carillon` and their kin work on a fresh clone: what is missing is installed and built first.
// Plain Node, no dependency: this file runs before anything is installed.
import './require-node.mjs';
import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const home = dirname(dirname(fileURLToPath(import.meta.url)));
const path = (...parts) => join(home, ...parts);
const [task, ...args] = process.argv.slice(2);

const isPart = (name) => !name.endsWith('.spec.ts'); // the build leaves specs out

const newest = (entry) =>
  !existsSync(entry)
    ? 0
    : statSync(entry).isDirectory()
      ? Math.max(
          0,
          ...readdirSync(entry)
            .filter(isPart)
            .map((name) => newest(join(entry, name))),
        )
      : statSync(entry).mtimeMs;

function sh(command, commandArgs, { advice, ...options } = {}) {
  const { status } = spawnSync(command, commandArgs, { cwd: home, stdio: 'inherit', ...options });
  if (status === 0) return;
  if (advice) console.error(`carillon: ${advice}`);
  process.exit(status ?? 1);
}

/** A shell above this process may end by a signal without passing it on. What was begun below it ends then too. */
const { ppid } = process;
function endWithParent() {
  if (process.ppid !== ppid) process.exit(1);
}

function requireWritable(folder) {
  try {
    accessSync(folder, constants.W_OK);
  } catch {
    console.error(
      `carillon: ${folder} cannot be written to by this account, and the first start installs and builds in it. Make it writable, or build it once with an account that may write there: npm run build`,
    );
    process.exit(1);
  }
}

// `check` builds while it lints; tests, only if one of the selected files needs the build (jest/prepare.mjs); `dev` runs the sources.
const BUILD_LATER = ['check', 'dev', 'test', 'test:long', 'test:browser'];

const NOT_INSTALLED =
  'the dependencies could not be installed; npm says why above. The first start needs a network connection to the npm registry (npm config get registry). Behind a proxy, set HTTPS_PROXY';

function install() {
  const isCurrent = newest(path('node_modules', '.package-lock.json')) >= newest(path('package-lock.json'));
  // An installation for production has no tools. It needs them only if its build is missing.
  const hasTools = existsSync(path('node_modules', 'rolldown'));
  if (isCurrent && (hasTools || task === 'carillon')) return;
  requireWritable(home);
  console.error('Installing dependencies (once, up to a minute) ...');
  // One file, not the shell, finds npm: npm itself says where it is. npx is in the same folder.
  const npm = process.env.npm_execpath?.replace(/npx-cli\.js$/, 'npm-cli.js');
  const quiet = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  const options = { stdio: ['ignore', 2, 2], advice: NOT_INSTALLED };
  if (npm) sh(process.execPath, [npm, ...quiet], options);
  else sh('npm', quiet, { ...options, shell: process.platform === 'win32' });
  endWithParent();
}

async function build() {
  const sources = [
    'src',
    'prisma/schema.prisma',
    'tsconfig.json',
    'tsconfig.build.json',
    'nest-cli.json',
    'package-lock.json',
    'scripts/build.mjs',
  ];
  const isNewer = (built, of) => newest(path('dist', built)) > Math.max(...of.map((source) => newest(path(source))));
  const isBuilt = isNewer('.built', sources);
  const hasContract = isNewer('openapi.json', ['openapi.yaml']);
  const hasConsole = isNewer('console/files', [
    'console/src',
    'console/index.html',
    'console/vite.config.ts',
    'clients/typescript/src',
  ]);
  if (isBuilt && hasContract && hasConsole) return;
  requireWritable(home);
  // In a process of its own: the service that is started afterwards would keep the memory of the compiler.
  if (task !== 'build') {
    sh(process.execPath, [fileURLToPath(import.meta.url), 'build']);
    return endWithParent();
  }
  const compiler = await import(pathToFileURL(path('scripts', 'build.mjs')).href);
  if (!isBuilt) {
    console.error('Building ...');
    return compiler.build(home);
  }
  if (!hasContract) await compiler.writeContract(home);
  if (!hasConsole) await compiler.buildConsole(home);
}

const script = (name) => () => sh(process.execPath, [path('scripts', name), ...args]);
const tests = (kind) => () =>
  sh(process.execPath, [path('scripts', 'test.mjs'), ...args], { env: { ...process.env, [kind]: '1' } });

// In this process: signals reach the program itself.
async function here(...parts) {
  process.argv.splice(1, Infinity, path(...parts), ...args);
  await import(pathToFileURL(path(...parts)).href);
}

const tasks = {
  build: () => undefined,
  carillon: () => here('dist', 'main.js'),
  dev: () => here('scripts', 'dev', 'main.mjs'),
  bench: () => here('bench', 'main.mjs'),
  attack: () => here('bench', 'attack', 'main.mjs'),
  torture: () => here('bench', 'torture', 'main.mjs'),
  contract: script('contract.mjs'),
  test: () => here('scripts', 'test.mjs'),
  'test:long': tests('TEST_LONG'),
  'test:browser': tests('TEST_BROWSER'),
  'test:nodes': script('nodes.mjs'),
  'test:fuzz': () => here('test', 'fuzz', 'main.mjs'),
  'test:mutants': script('mutants/main.mjs'),
  'test:previous': script('previous/main.mjs'),
  check: script('check.mjs'),
  migration: script('migration.mjs'),
  release: script('release/main.mjs'),
};

if (!(task in tasks)) {
  console.error(`usage: node scripts/run.mjs ${Object.keys(tasks).join('|')}`);
  process.exit(2);
}
install();
if (!BUILD_LATER.includes(task)) await build();
await tasks[task]();
