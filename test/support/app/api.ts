import type { AddressInfo } from 'node:net';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { createApp } from '../../../src/app.js';
import { readConfig } from '../../../src/platform/config/config.js';
import type { TestApp } from './app.js';

export interface SecondApi {
  app: NestExpressApplication;
  url: string;
  stop(): Promise<void>;
}

/** A second process's worth of service on the same database, which only serves; it shares the app's SECRET_KEY. */
export async function startApi(
  { databaseUrl }: Pick<TestApp, 'databaseUrl'>,
  env: Record<string, string> = {},
): Promise<SecondApi> {
  const secretKey = Buffer.alloc(32, 7).toString('base64');
  const app = await createApp(
    readConfig({ LOG_LEVEL: 'error', ROLE: 'api', SECRET_KEY: secretKey, ...env }),
    databaseUrl,
  );
  await app.listen(0, '127.0.0.1');
  const { port } = app.getHttpServer().address() as AddressInfo;
  return { app, url: `http://127.0.0.1:${port}`, stop: () => app.close() };
}
