import type { AddressInfo } from 'node:net';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { createApp } from '../../app.js';
import type { Config } from '../../platform/config/config.js';
import type { DirectAdapter } from '../../platform/http/adapter/direct-adapter.js';
import { commandLine } from '../../platform/database/actor.js';
import type { OpenDatabase } from '../../platform/database/open-database.js';
import { PrismaService } from '../../platform/database/prisma.service.js';
import { createDemo } from '../provisioning/demo.js';
import { createLinkToTry } from '../../api/session/session-rows.js';
import { Telemetry } from '../../platform/telemetry/telemetry.js';
import { STOP_MS } from './running.js';
import type { Running } from './running.js';

/** How long requests in flight may take when the process stops. */
const DRAIN_MS = 10_000;

/** Starts the service in this process. */
export async function startService(config: Config, { url, embedded }: Omit<OpenDatabase, 'close'>): Promise<Running> {
  const app = await createApp(config, url);
  try {
    await app.listen(config.port, config.host);
    // With several processes, the first one accepts connections and hands them over.
    if (config.role !== 'worker' && config.processes === 1) await adapterOf(app).acceptFaster();
    // Only with the embedded database, where somebody tries the service: production logs must not show a key.
    const isTried = embedded && config.role !== 'worker';
    const demoKey = isTried ? await createDemo(app) : null;
    const link = isTried && config.logFormat === 'pretty' ? await linkToTry(app) : null;
    const { port } = server(app).address() as AddressInfo;
    const measure = async () => [await app.get(Telemetry).metrics!.measure()];
    return { port, demoKey, link, measure, stop: () => stop(app) };
  } catch (error) {
    await app.close().catch(() => undefined);
    throw error;
  }
}

const linkToTry = (app: NestExpressApplication) =>
  app.get(PrismaService).change(commandLine('start'), (tx) => createLinkToTry(tx));

async function stop(app: NestExpressApplication): Promise<void> {
  // A database that does not answer must not keep the process alive: the state of running work is stored already.
  setTimeout(() => process.exit(1), STOP_MS).unref();
  const cut = setTimeout(() => server(app).closeAllConnections(), DRAIN_MS);
  await app.close();
  clearTimeout(cut);
}

const adapterOf = (app: NestExpressApplication) => app.getHttpAdapter() as unknown as DirectAdapter;

const server = (app: NestExpressApplication) => app.getHttpServer();
