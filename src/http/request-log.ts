import { Logger } from '@nestjs/common';
import type { Response } from 'express';
import { pathOf } from './path-of.js';
import { requestId } from './request-id.js';
import { EVENT_STREAM } from './stream/event-stream.js';

const logger = new Logger('Http');
const START = Symbol('start');
type Timed = Response & { [START]: number };

/**
 * One line per request, when it is over. A stream is a line of another name: it takes minutes, and its reader goes when it
 * likes, which says nothing about the service. The path without its query, never a header, never a body: no secret can get in.
 */
export function logRequest(response: Response): void {
  (response as Timed)[START] = performance.now();
  // One function for all requests, and not `once`: a closure and a wrapper for each are more to collect than the rest of this.
  response.on('close', logResponse);
}

function logResponse(this: Timed): void {
  const ms = performance.now() - this[START];
  const { req: request } = this;
  const isStream = String(this.getHeader('Content-Type')).startsWith(EVENT_STREAM);
  const entry = {
    message: isStream ? 'stream' : 'request',
    method: request.method,
    path: pathOf(request.originalUrl),
    status: this.statusCode,
    ms: Math.round(ms * 100) / 100,
    requestId: requestId(request),
  };
  logger.log(this.writableFinished || isStream ? entry : { ...entry, aborted: true });
}
