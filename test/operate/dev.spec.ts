import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { root } from '../../src/platform/config/root.js';
import { createDatabase } from '../support/app/database.js';
import type { TestDatabase } from '../support/app/database.js';
import { createFolder } from '../support/folder.js';
import type { TestFolder } from '../support/folder.js';
import { until } from '../support/until.js';

const COPIED = ['package.json', 'openapi.yaml', 'src', 'prisma', 'prisma.config.ts', 'scripts', 'console', 'clients'];
const MS = 120_000;

let database: TestDatabase;
let copy: TestFolder;
let dev: ChildProcess;
let output = '';
let url: string;

beforeAll(async () => {
  database = await createDatabase();
  copy = createFolder();
  // With the times: a Prisma client that is older than its schema would be generated again.
  for (const entry of COPIED)
    cpSync(join(root, entry), join(copy.path, entry), { recursive: true, preserveTimestamps: true });
  symlinkSync(join(root, 'node_modules'), join(copy.path, 'node_modules'));
  const { PATH = '', HOME = '' } = process.env;
  const secret = { SECRET_KEY: Buffer.alloc(32, 7).toString('base64') };
  const env = { PATH, HOME, ...secret, DATABASE_URL: database.url, PORT: '0', CONSOLE_PORT: '0' };
  dev = spawn(process.execPath, ['scripts/dev/main.mjs'], { cwd: copy.path, env });
  for (const stream of [dev.stdout!, dev.stderr!]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const started = await until(
    MS,
    () => /"url":"([^"]+)"|API +(http:\S+)\/api\//.exec(output),
    () => output,
  );
  url = (started[1] ?? started[2])!;
});
afterAll(async () => {
  dev.kill('SIGKILL');
  copy.remove();
  await database.drop();
});

function edit(file: string, from: string, to: string): void {
  const path = join(copy.path, file);
  const text = readFileSync(path, 'utf8');
  expect(text).toContain(from);
  writeFileSync(path, text.replace(from, to));
}

const get = async (path: string) => (await fetch(url + path)).text();
const served = (path: string, text: string) =>
  until(
    MS,
    async () => (await get(path).catch(() => '')).includes(text),
    () => output,
  );

describe('npm run dev', () => {
  it('serves the console from its sources, and everything else by the service', async () => {
    expect(await get('/console/o/demo')).toContain('/console/@vite/client');
    expect(await get('/console/src/render.tsx')).toContain('createRoot');
    expect(await get('/api/system/ping/')).toContain('urn:carillon:problem:unauthorized');
    expect(await get('/console/message')).not.toContain('/console/@vite/client');
  });

  it('restarts the service after a change', async () => {
    edit('src/api/system/index.controller.ts', "name: 'Carillon'", "name: 'Carillon after a change'");
    await served('/', 'Carillon after a change');
    await until(MS, () => /restarted in [\d.]+ s after a change of api\/system/.test(output));
  });

  it('keeps the service running while a file does not compile', async () => {
    edit('src/api/system/index.controller.ts', 'after a change', "after' another change");
    await until(MS, () => output.includes('the service keeps running as it was'));
    expect(await get('/')).toContain('Carillon after a change');
    edit('src/api/system/index.controller.ts', "after' another change", 'after another change');
    await served('/', 'Carillon after another change');
  });

  it('serves a changed file of the console at once', async () => {
    edit('console/src/main.ts', 'applyTheme();', 'applyTheme(); // changed');
    edit('console/src/style/theme.css', ':root', '/* changed */ :root');
    await served('/console/src/style/theme.css', '/* changed */');
  });

  it('ends with everything that it started', async () => {
    dev.kill('SIGINT');
    expect(await once(dev, 'exit')).toEqual([0, null]);
    await expect(fetch(url)).rejects.toThrow('fetch failed');
  });
});
