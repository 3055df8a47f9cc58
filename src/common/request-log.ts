import { Logger } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { EVENT_STREAM } from './event-stream.js';
import { requestId } from './request-id.js';

const logger = new Logger('Http');

/**
 * One line per request, when it is over. A stream is a line of another name: it takes minutes, and its reader goes when it
 * likes, which says nothing about the service. The path without its query, never a header, never a body: no secret can get in.
 */
export function logRequest(request: Request, response: Response, next: NextFunction): void {
  const start = process.hrtime.bigint();
  const [path] = request.originalUrl.split('?', 1);
  response.once('close', () => {
    const ms = Number(process.hrtime.bigint() - start) / 1e6;
    const isStream = String(response.getHeader('Content-Type')).startsWith(EVENT_STREAM);
    const aborted = response.writableFinished || isStream ? {} : { aborted: true };
    logger.log({
      message: isStream ? 'stream' : 'request',
      method: request.method,
      path,
      status: response.statusCode,
      ms: Math.round(ms * 100) / 100,
      requestId: requestId(request),
      ...aborted,
    });
  });
  next();
}
