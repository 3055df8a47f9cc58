import type { AddressInfo } from 'node:net';
import { Logger } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { createApp } from './app.js';
import type { Config } from './config/config.js';
import { migrate } from './prisma/migrate.js';
import { openDatabase } from './prisma/open-database.js';
import type { OpenDatabase } from './prisma/open-database.js';
import { createDemo } from './provisioning/demo.js';
import { welcome } from './welcome.js';

/** How long requests in flight may take to end when the process is told to stop. */
const DRAIN_MS = 10_000;
const STOP_MS = 20_000;

/** Runs the service until the process is told to stop. */
export async function serve(config: Config): Promise<void> {
  const logger = new Logger('Server');
  // graphile-worker lets a rejection go when it cannot even record that a job failed; a database that is away for a while
  // must not end the process.
  process.on('unhandledRejection', (error) => logger.error({ message: 'unhandled rejection', error: String(error) }));
  const database = await openDatabase(config, 'server');
  let app: NestExpressApplication | undefined;
  try {
    await migrate(database.url);
    app = await createApp(config, database.url);
    await app.listen(config.port, config.host);
  } catch (error) {
    await app?.close().catch(() => undefined);
    await database.close();
    throw error;
  }
  const url = config.publicUrl ?? `http://${config.host}:${(server(app).address() as AddressInfo).port}`;
  // Only where a person tries it out: a key in the logs of a production system would be a secret given away.
  const demoKey = database.embedded && config.role !== 'worker' ? await createDemo(app) : null;
  if (config.logFormat === 'pretty') process.stdout.write(welcome(url, config.role, demoKey));
  else logger.log({ message: 'listening', url, role: config.role });
  await stopSignal();
  await stop(app, database);
}

function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve());
  });
}

async function stop(app: NestExpressApplication, database: OpenDatabase): Promise<void> {
  // A database that does not answer must not keep the process: what is in flight is in its rows already.
  setTimeout(() => process.exit(1), STOP_MS).unref();
  const cut = setTimeout(() => server(app).closeAllConnections(), DRAIN_MS);
  await app.close();
  clearTimeout(cut);
  await database.close();
}

const server = (app: NestExpressApplication) => app.getHttpServer();
