import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Request, Response } from 'express';
import { CellRouter } from './cell/forwarding/cell-router.js';
import { AppModule } from './app.module.js';
import type { Config } from './platform/config/config.js';
import { CarillonLogger } from './platform/config/log.js';
import { presentedSession } from './auth/session/cookie.js';
import { serveConsole } from './api/system/serve-console.js';
import { serveDocs } from './api/system/swagger-ui.js';
import { DirectAdapter } from './platform/http/adapter/direct-adapter.js';
import { ResponseBuffers } from './platform/http/limit/response-buffers.js';
import { replaceInvalidEscapes } from './platform/http/invalid-escapes.js';
import { assignRequestId } from './platform/http/request-id.js';
import { logRequest } from './platform/http/request-log.js';
import { securityHeaders, setSecurityHeaders } from './platform/http/security-headers.js';
import { timeRequests } from './platform/telemetry/time-requests.js';
import { Telemetry } from './platform/telemetry/telemetry.js';

/** Creates the whole service, ready to listen. */
export async function createApp(config: Config, databaseUrl: string): Promise<NestExpressApplication> {
  const headers = securityHeaders(config.publicUrl);
  let timeRequest: ((response: Response) => void) | undefined;
  let unsent: ResponseBuffers | undefined;
  const adapter = new DirectAdapter(
    (request, response) => {
      timeRequest?.(response);
      prepare(request, response, headers);
    },
    (response, bytes) => unsent?.hold(response, bytes),
  );
  const app = await NestFactory.create<NestExpressApplication>(AppModule.with(config, databaseUrl), adapter, {
    logger: new CarillonLogger(config),
    // A guard reads the body, after the key was checked.
    bodyParser: false,
    abortOnError: false,
  });
  const { metrics } = app.get(Telemetry);
  if (metrics) timeRequest = timeRequests(metrics);
  app.set('public url', config.publicUrl);
  app.set('allowed methods', (path: string) => adapter.allowedMethods(path));
  app.set('trust proxy', config.trustProxy);
  // Clients do not revalidate answers, so an ETag of each answer would cost more than it saves.
  app.set('etag', false);
  app.set('query parser', 'simple');
  app.disable('x-powered-by');
  if (config.role !== 'worker') {
    unsent = app.get(ResponseBuffers);
    serveDocs(app);
    serveConsole(app, (request) => presentedSession(request) !== null);
    if (config.cell) adapter.divert = app.get(CellRouter).admit;
  }
  return app;
}

/** Runs for every request, before middleware and routes. A middleware would do the same at several times the cost. */
function prepare(request: Request, response: Response, headers: ReturnType<typeof securityHeaders>): void {
  assignRequestId(request, response);
  logRequest(response);
  setSecurityHeaders(request, response, headers);
  replaceInvalidEscapes(request);
}
