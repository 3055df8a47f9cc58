import { execFile, execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { root } from '../../src/platform/config/root.js';
import { Service } from '../support/app/service.js';
import { createFolder } from '../support/folder.js';
import type { TestFolder } from '../support/folder.js';
import { isLong } from '../support/long.js';

const run = promisify(execFile);

let folder: TestFolder;
beforeAll(() => {
  folder = createFolder();
});
afterAll(() => folder.remove());

const at = (...parts: string[]) => join(folder.path, ...parts);

describe('the npm package', () => {
  let files: string[];

  beforeAll(() => {
    const args = ['pack', '--json', '--silent', '--ignore-scripts=false', '--pack-destination', folder.path];
    const [packed] = JSON.parse(execFileSync('npm', args, { cwd: root, encoding: 'utf8' })) as [
      { filename: string; files: { path: string }[] },
    ];
    files = packed.files.map(({ path }) => path);
    if (isLong) install(packed.filename);
    else unpack(packed.filename);
  });

  function install(file: string): void {
    mkdirSync(at('node_modules'));
    execFileSync('npm', ['install', '--prefix', folder.path, '--loglevel=error', '--prefer-offline', at(file)]);
  }

  /** What an installation has, with the modules that are here. */
  function unpack(file: string): void {
    mkdirSync(at('node_modules', 'carillon'), { recursive: true });
    execFileSync('tar', ['-xzf', at(file), '--strip-components=1', '-C', at('node_modules', 'carillon')]);
    symlinkSync(join(root, 'node_modules'), at('node_modules', 'carillon', 'node_modules'));
  }

  it('contains the build, the migrations and the contract, and nothing that only a clone needs', () => {
    const tops = new Set(files.map((file) => file.split('/')[0]!));
    expect([...tops].sort()).toEqual([
      '.env.example',
      'CHANGELOG.md',
      'LICENSE',
      'README.md',
      'dist',
      'openapi.yaml',
      'package.json',
      'prisma',
      'scripts',
    ]);
    expect(files.filter((file) => file.startsWith('scripts/'))).toEqual([
      'scripts/carillon.mjs',
      'scripts/require-node.mjs',
    ]);
    expect(files.filter((file) => /\.(map|ts)$|\.spec\.|\/\.built$/.test(file))).toEqual([]);
    for (const file of ['dist/main.js', 'dist/openapi.json', 'dist/operate/start/service-process.js'])
      expect(files).toContain(file);
  });

  it('starts in an empty folder, and keeps its data there', async () => {
    mkdirSync(at('empty'));
    const { bin } = JSON.parse(readFileSync(at('node_modules', 'carillon', 'package.json'), 'utf8')) as {
      bin: { carillon: string };
    };
    const options = { home: at('node_modules', 'carillon'), folder: at('empty'), program: bin.carillon };
    const service = await Service.start({ SECRET_KEY: '' }, options);
    try {
      const statuses = ['/health/ready', '/api/docs/', '/api/openapi.yaml', '/console/'].map(
        async (path) => (await fetch(service.url + path)).status,
      );
      expect(await Promise.all(statuses)).toEqual([200, 200, 200, 200]);
    } finally {
      expect(await service.stop()).toBe(0);
    }
    expect(existsSync(at('empty', '.carillon', 'postgres'))).toBe(true);
  });
});

describe('npx carillon in a clone', () => {
  /** With a compiler that writes a program which prints its arguments. */
  function createClone(): string {
    const clone = at('clone');
    for (const name of ['scripts', 'src', 'node_modules']) mkdirSync(join(clone, name), { recursive: true });
    const { name, version, type, bin } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Record<
      string,
      unknown
    >;
    const texts = {
      'package.json': JSON.stringify({ name, version, type, bin }),
      'package-lock.json': '{}',
      'node_modules/.package-lock.json': '{}',
      'scripts/build.mjs': `import { mkdirSync, writeFileSync } from 'node:fs';
        export function build(home) {
          mkdirSync(home + '/dist/console/files', { recursive: true });
          for (const file of ['.built', 'openapi.json', 'console/files/index.html']) writeFileSync(home + '/dist/' + file, '');
          writeFileSync(home + '/dist/main.js', 'console.log(JSON.stringify(process.argv.slice(2)))');
        }`,
    };
    for (const [file, text] of Object.entries(texts)) writeFileSync(join(clone, file), text);
    for (const file of ['run.mjs', 'carillon.mjs', 'require-node.mjs'])
      copyFileSync(join(root, 'scripts', file), join(clone, 'scripts', file));
    return clone;
  }

  it('builds first, and prints on standard output only what the command prints', async () => {
    const clone = createClone();
    // Nothing of the settings of this machine.
    const env = { PATH: process.env.PATH, HOME: folder.path, npm_config_cache: at('cache') };
    const npx = (...args: string[]) => run('npx', ['--offline', 'carillon', ...args], { cwd: clone, env });
    const first = await npx('export', 'config', '--org', 'acme');
    expect(first.stdout).toBe('["export","config","--org","acme"]\n');
    expect(first.stderr).toContain('Building ...\n');
    expect(await npx('key', '--help')).toEqual({ stdout: '["key","--help"]\n', stderr: '' });
  });
});
