// The previous release, from git, in a folder of its own, built by its own script.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const ours = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** `migrations`: their checksums, by name. */
export const { commit, migrations } = JSON.parse(
  readFileSync(join(ours, 'prisma', 'migrations', 'previous-release.json'), 'utf8'),
);

/** Returns the folder of the previous release. */
export async function preparePrevious() {
  const home = mkdtempSync(join(tmpdir(), 'carillon-previous-'));
  unpack(home);
  installModules(home);
  const { build } = await import(pathToFileURL(join(home, 'scripts', 'build.mjs')).href);
  await build(home);
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
