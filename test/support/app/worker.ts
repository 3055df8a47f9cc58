import { createApp } from '../../../src/app.js';
import { readConfig } from '../../../src/platform/config/config.js';
import type { TestApp } from './app.js';

/** A second process's worth of service on the same database, which only works; it shares the app's SECRET_KEY. */
export async function startWorker({ databaseUrl }: Pick<TestApp, 'databaseUrl'>): Promise<{ stop(): Promise<void> }> {
  const app = await createApp(
    readConfig({
      LOG_LEVEL: 'error',
      ROLE: 'worker',
      SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
      OUTBOUND_ALLOW: '127.0.0.0/8',
    }),
    databaseUrl,
  );
  await app.init();
  return { stop: () => app.close() };
}
