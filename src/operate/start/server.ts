import { Logger } from '@nestjs/common';
import type { Config } from '../../platform/config/config.js';
import { CarillonLogger } from '../../platform/config/log.js';
import { forgetRunningUrl, noteRunningUrl } from './running-url.js';
import { prepareDatabase } from '../../cell/directory/become-cell.js';
import { openDatabase } from '../../platform/database/open-database.js';
import type { OpenDatabase } from '../../platform/database/open-database.js';
import { startProcesses } from './processes.js';
import { stopSignal } from './running.js';
import type { Running } from './running.js';
import { welcome } from './welcome.js';

/** Runs the service until the process is told to stop. */
export async function serve(config: Config): Promise<void> {
  Logger.overrideLogger(new CarillonLogger(config));
  await checkProviders(config);
  const database = await openDatabase(config, 'server');
  let service: Running | undefined;
  let endMetrics: (() => void) | undefined;
  try {
    await prepareDatabase(database.url, config, (message) => new Logger('Migrate').warn({ message }));
    service = await start(config, database);
    endMetrics = await startMetrics(config, service);
  } catch (error) {
    await service?.stop();
    await database.close();
    throw error;
  }
  announce(config, service);
  const isServing = config.role !== 'worker';
  if (isServing) noteRunningUrl(config, `http://${hostInUrl(config.host)}:${service.port}`);
  await stopSignal();
  if (isServing) forgetRunningUrl(config);
  endMetrics?.();
  await service.stop();
  await database.close();
}

/** A mistake in the file is reported like one in a setting: before the database is opened, and once for all processes. */
async function checkProviders({ oidcFile, role }: Config): Promise<void> {
  if (oidcFile === null || role === 'worker') return;
  const { readProviders } = await import('../../api/session/oidc/provider-file.js');
  readProviders(oidcFile);
}

async function start(config: Config, database: OpenDatabase): Promise<Running> {
  if (config.processes > 1) return startProcesses(config, database);
  // Imported late: when the service runs in other processes, this one saves 70 MB.
  const { startService } = await import('./service.js');
  return startService(config, database);
}

async function startMetrics(config: Config, service: Running): Promise<(() => void) | undefined> {
  if (config.metricsPort === null) return undefined;
  const { serveMetrics } = await import('../../platform/telemetry/metrics-server.js');
  return serveMetrics(config, () => service.measure());
}

/** An address that means "every address" is not one to connect to. */
function hostInUrl(host: string): string {
  if (host === '0.0.0.0' || host === '::') return 'localhost';
  return host.includes(':') ? `[${host}]` : host;
}

function announce({ publicUrl, host, role, logFormat, processes }: Config, { port, demoKey, link }: Running): void {
  const url = publicUrl ?? `http://${host}:${port}`;
  if (logFormat === 'pretty') process.stdout.write(welcome(url, role, demoKey, link));
  else new Logger('Server').log({ message: 'listening', url, role, ...(processes > 1 && { processes }) });
}
