// `npm run dev`: runs the service from src/ and restarts it after a change, and serves the console with Vite, which reloads in the browser.
// PORT is the port of the service (3000), CONSOLE_PORT the one of Vite (5173), which passes on everything but the console's own files.
import { existsSync } from 'node:fs';
import { createServer as listen } from 'node:net';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { createServer } from 'vite';
import { compileAll, compiledOf } from '../jest/compile.mjs';
import { refreshContract } from '../build.mjs';
import { RestartingService } from './restarting-service.mjs';
import { watchSources } from './watch-sources.mjs';

const home = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const load = (...path) => import(pathToFileURL(compiledOf(home, join(home, 'src', 'platform', ...path))).href);

if (existsSync('.env')) process.loadEnvFile('.env');
await compileAll({ rootDir: home });
await refreshContract(home);
const { readConfig } = await load('config', 'config.ts');
const { openDatabase } = await load('database', 'open-database.ts');

const port = Number(process.env.PORT ?? 3000) || (await freePort());
const config = readConfig({ ...process.env, PORT: String(port) });
// Open until the end: otherwise PostgreSQL would stop and start with each restart of the service.
const database = await openDatabase(config, 'command');
const vite = await startVite(`http://127.0.0.1:${port}`);
const url = vite.resolvedUrls.local[0].replace(/\/console\/$/, '');
const service = new RestartingService(`http://127.0.0.1:${port}`, { PUBLIC_URL: url, PORT: String(port) });
service.start();
const watchers = watchSources(home, (reason) => service.restart(reason));
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, stop);

async function stop() {
  for (const watcher of watchers) watcher.close();
  await Promise.all([service.stop(), vite.close()]);
  await database.close();
  process.exit();
}

async function startVite(target) {
  const proxy = {
    // Sends on the request as it came: the service compares its origin with its host.
    '^/(?!console/)': { target },
    '^/console/message$': { target },
  };
  const server = {
    host: '127.0.0.1',
    port: Number(process.env.CONSOLE_PORT ?? 5173),
    proxy,
    fs: { allow: [home] },
  };
  return (await createServer({ configFile: join(home, 'console', 'vite.config.ts'), server })).listen();
}

function freePort() {
  return new Promise((resolve) => {
    const probe = listen().listen(0, '127.0.0.1', () => {
      const { port: free } = probe.address();
      probe.close(() => resolve(free));
    });
  });
}
