import { Logger } from '@nestjs/common';
import type { Response } from 'express';
import { loggedPath } from './path-of.js';
import { requestId } from './request-id.js';
import { EVENT_STREAM } from './stream/event-stream.js';

const logger = new Logger('Http');
const START = Symbol('start');
type Timed = Response & { [START]: number };

/**
 * Logs one line when a request ends. A stream is logged as `stream`, not `request`: it lasts minutes and its client may leave
 * at any time, so its duration says nothing about the service. The line has no query, header or body, so it cannot contain a
 * secret, and no username. A client that left before it had its answer counts as status 499, as in nginx.
 */
export function logRequest(response: Response): void {
  (response as Timed)[START] = performance.now();
  // One shared function, and `on` instead of `once`: a closure and a wrapper per request would be most of the garbage made here.
  response.on('close', logResponse);
}

function logResponse(this: Timed): void {
  const ms = performance.now() - this[START];
  const { req: request } = this;
  const isStream = String(this.getHeader('Content-Type')).startsWith(EVENT_STREAM);
  const isAborted = !this.writableFinished && !isStream;
  const entry = {
    message: isStream ? 'stream' : 'request',
    method: request.method,
    path: loggedPath(request.originalUrl),
    status: isAborted ? 499 : this.statusCode,
    ms: Math.round(ms * 100) / 100,
    requestId: requestId(request),
  };
  const level = isHealthy(entry) ? 'debug' : 'log';
  logger[level](isAborted ? { ...entry, aborted: true } : entry);
}

/** Load balancers ask every few seconds: only a check that failed is worth a line. */
const isHealthy = ({ path, status }: { path: string; status: number }) => status === 200 && path.startsWith('/health/');
