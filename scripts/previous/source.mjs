// The previous release, from git, in a folder of its own: compiled just enough to run its tests and its processes.
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, extname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { transform } from '@swc/core';
import { parse } from 'yaml';
import { COMPILER } from '../jest/compile.mjs';

const ours = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

export const { commit } = JSON.parse(readFileSync(join(ours, 'prisma', 'migrations', 'previous-release.json'), 'utf8'));

/** Returns the folder of the previous release. */
export async function preparePrevious() {
  const home = mkdtempSync(join(tmpdir(), 'carillon-previous-'));
  unpack(home);
  installModules(home);
  const { generate } = await import(join(home, 'scripts', 'build.mjs')).catch(() => ({}));
  generate?.(home);
  await compile(home);
  return home;
}

const git = (args, options = {}) =>
  spawnSync('git', args, {
    cwd: ours,
    maxBuffer: 2 ** 30,
    env: { ...process.env, GIT_TERMINAL_PROMPT: '0' },
    ...options,
  });

function unpack(home) {
  const hasCommit = () => git(['cat-file', '-e', `${commit}^{commit}`]).status === 0;
  const fetch = ['fetch', '--quiet', '--depth=1', 'origin', commit];
  if (!hasCommit()) git(fetch); // a shallow clone
  if (!hasCommit()) {
    throw new Error(
      `the commit of the previous release (${commit}) is not in this clone. Run \`git ${fetch.join(' ')}\`, or \`git fetch --unshallow\``,
    );
  }
  const { stdout } = git(['archive', commit]);
  const { status, stderr } = spawnSync('tar', ['-x', '-C', home], { input: stdout });
  if (status !== 0) throw new Error(`cannot unpack the previous release: ${stderr}`);
}

/** Uses our modules if they have the versions of its lock file. Otherwise npm installs its own, which takes a minute. */
function installModules(home) {
  const installed = (file) => JSON.parse(readFileSync(file, 'utf8')).packages;
  const have = installed(join(ours, 'node_modules', '.package-lock.json'));
  const isElsewhere = (path) => !existsSync(join(ours, path)) && have[path] === undefined;
  const differing = Object.entries(installed(join(home, 'package-lock.json')))
    .filter(
      ([path, { optional, link }]) => path.startsWith('node_modules/') && !link && !(optional && isElsewhere(path)),
    )
    .filter(([path, { version }]) => have[path]?.version !== version)
    .map(([path]) => path.replace(/^node_modules\//, ''));
  if (differing.length === 0) {
    symlinkSync(join(ours, 'node_modules'), join(home, 'node_modules'), 'junction');
    return;
  }
  console.log(
    `npm installs the modules of the previous release: ${differing.length} differ, such as ${differing.slice(0, 3).join(', ')}`,
  );
  const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error'];
  const { status } = spawnSync('npm', args, {
    cwd: home,
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
  });
  if (status !== 0) throw new Error('npm could not install the modules of the previous release');
}

/** Compiles src/ to dist/ file by file, without checking types. The console is left out: one empty page stands for it. */
async function compile(home) {
  const [src, dist] = [join(home, 'src'), join(home, 'dist')];
  const isAsset = (file) => statSync(file).isDirectory() || ['.yaml', '.json', '.sql'].includes(extname(file));
  cpSync(src, dist, { recursive: true, filter: isAsset });
  const files = readdirSync(src, { recursive: true })
    .map((name) => join(src, name))
    .filter((file) => file.endsWith('.ts') && !/\.(d|spec)\.ts$/.test(file));
  await Promise.all(files.map((file) => compileFile(file, join(dist, relative(src, file)).replace(/ts$/, 'js'))));
  writeFileSync(join(dist, 'openapi.json'), JSON.stringify(parse(readFileSync(join(home, 'openapi.yaml'), 'utf8'))));
  mkdirSync(join(dist, 'console', 'files', 'assets'), { recursive: true });
  writeFileSync(join(dist, 'console', 'files', 'index.html'), '<!doctype html><title>Carillon</title>');
  writeFileSync(join(dist, '.built'), '');
}

async function compileFile(file, compiled) {
  const { code } = await transform(readFileSync(file, 'utf8'), { ...COMPILER, filename: file });
  mkdirSync(dirname(compiled), { recursive: true });
  // `#swagger` is in its package.json: a stand-in that does nothing.
  writeFileSync(compiled, code.replaceAll(/(?<=\bfrom )(['"])@nestjs\/swagger\1/g, "'#swagger'"));
}
