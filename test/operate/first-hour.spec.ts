import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { root } from '../../src/platform/config/root.js';
import { postgresAccount } from '../../src/platform/database/embedded/postgres-binaries.js';
import { Service } from '../support/app/service.js';
import { createFolder } from '../support/folder.js';
import { itOnLinux } from '../support/linux.js';
import { until } from '../support/until.js';

const run = promisify(execFile);
const folder = createFolder();
const env = { DATA_DIR: join(folder.path, 'data') };
let service: Service;

beforeAll(async () => {
  const first = await Service.start({ ...env, LOG_FORMAT: 'pretty' });
  expect(await first.stop()).toBe(0);
  service = await Service.start({ ...env, LOG_FORMAT: 'pretty' });
});
afterAll(async () => {
  await service.stop();
  folder.remove();
});

describe('the second start of the demo', () => {
  it('prints a command that creates a key', async () => {
    const [, command] = /API key +npx carillon (.+)/.exec(service.output)!;
    const key = await Service.run(command!.split(' '), env);
    const headers = { Authorization: `Key ${key.trim()}` };
    expect((await fetch(`${service.url}/api/o/demo/`, { headers })).status).toBe(200);
  });

  it('makes the console command link to the port that the service listens on', async () => {
    const { url } = JSON.parse(await Service.run(['console', '--json'], env)) as { url: string };
    expect(new URL(url).origin).toBe(service.url);
  });

  it('passes the doctor', async () => {
    expect((await Service.try(['doctor'], env)).code).toBe(0);
  });
});

/** `npm start` in a process group of its own, as in a terminal. */
async function startWithNpm() {
  const { PATH, HOME } = process.env;
  const all = { PATH, HOME, PORT: '0', LOG_FORMAT: 'json', DATA_DIR: join(folder.path, 'npm') };
  const npm = spawn('npm', ['start'], { cwd: root, env: all, detached: true });
  let output = '';
  for (const stream of [npm.stdout, npm.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const look = () => /"message":"listening","url":"([^"]+)"/.exec(output);
  const [, url] = await until(120_000, look, () => `its start: ${output}`);
  return { npm, url: url! };
}

const isGone = (url: string) =>
  fetch(`${url}/health/live`).then(
    () => false,
    () => true,
  );

describe('npm start', () => {
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    itOnLinux(`${signal} to npm alone ends the service`, async () => {
      const { npm, url } = await startWithNpm();
      try {
        npm.kill(signal);
        await until(60_000, () => isGone(url));
      } finally {
        if (npm.exitCode === null) process.kill(-npm.pid!, 'SIGKILL');
      }
    });

  itOnLinux('Ctrl-C in a terminal, which reaches npm and the service, stops the service in order', async () => {
    const { npm } = await startWithNpm();
    process.kill(-npm.pid!, 'SIGINT');
    expect(await once(npm, 'close')).toEqual([0, null]);
  });
});

const failure = (promise: Promise<unknown>) =>
  promise.then(
    () => '',
    (error: { stderr: string }) => error.stderr,
  );

it('an old Node gets one sentence', async () => {
  const old = `data:text/javascript,Object.defineProperty(process,'versions',{value:{node:'18.20.4'}})`;
  for (const script of ['run.mjs', 'carillon.mjs']) {
    const stderr = await failure(run(process.execPath, ['--import', old, join(root, 'scripts', script), 'start']));
    expect(stderr).toMatch(/^carillon: Carillon needs Node 20.19 or later, and this is Node 18.20.4. .+\n$/);
  }
});

it('a missing network gets a sentence', async () => {
  const clone = join(folder.path, 'clone');
  mkdirSync(join(clone, 'scripts'), { recursive: true });
  for (const file of ['run.mjs', 'require-node.mjs'])
    copyFileSync(join(root, 'scripts', file), join(clone, 'scripts', file));
  const resolved = 'http://127.0.0.1:1/a.tgz';
  const dependencies = { a: '1.0.0' };
  writeFileSync(join(clone, 'package.json'), JSON.stringify({ name: 'clone', version: '1.0.0', dependencies }));
  writeFileSync(
    join(clone, 'package-lock.json'),
    JSON.stringify({
      ...{ name: 'clone', version: '1.0.0', lockfileVersion: 3 },
      packages: {
        '': { name: 'clone', version: '1.0.0', dependencies },
        'node_modules/a': { version: '1.0.0', resolved },
      },
    }),
  );
  const { PATH } = process.env;
  const offline = { PATH, HOME: clone, npm_config_fetch_retries: '0', npm_config_cache: join(clone, 'cache') };
  const stderr = await failure(run(process.execPath, ['scripts/run.mjs', 'build'], { cwd: clone, env: offline }));
  expect(stderr).toContain('carillon: the dependencies could not be installed');
});

itOnLinux('a clone that cannot be written gets advice', async () => {
  const clone = join(folder.path, 'read-only');
  mkdirSync(join(clone, 'scripts'), { recursive: true });
  for (const file of ['run.mjs', 'require-node.mjs'])
    copyFileSync(join(root, 'scripts', file), join(clone, 'scripts', file));
  writeFileSync(join(clone, 'package-lock.json'), '{}');
  chmodSync(folder.path, 0o755);
  chmodSync(clone, 0o555);
  // Root may write everywhere.
  const { uid, gid } = postgresAccount() ?? {};
  const stderr = await failure(run(process.execPath, ['scripts/run.mjs', 'build'], { cwd: clone, uid, gid }));
  expect(stderr).toBe(
    `carillon: ${clone} cannot be written to by this account, and the first start installs and builds in it. Make it writable, or build it once with an account that may write there: npm run build\n`,
  );
});

itOnLinux('a folder that cannot be written gets advice', async () => {
  const { code, stderr } = await Service.try(['key', 'list'], { DATA_DIR: '/sys/carillon' });
  expect([code, stderr]).toEqual([1, expect.stringContaining('set DATA_DIR to a folder that is')]);
});

it('a database that refuses connections gets advice', async () => {
  const { stderr } = await Service.try(['key', 'list'], { DATABASE_URL: 'postgresql://x:x@127.0.0.1:1/x' });
  expect(stderr).toMatch(/^carillon: connect ECONNREFUSED .+ Check DATABASE_URL: .+\n$/);
});
