import { Logger } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { requestId } from './request-id.js';

const logger = new Logger('Http');

/** One line per request. The path without its query, never a header, never a body: no secret can get in. */
export function logRequest(request: Request, response: Response, next: NextFunction): void {
  const start = process.hrtime.bigint();
  const [path] = request.originalUrl.split('?', 1);
  response.once('close', () => {
    const ms = Number(process.hrtime.bigint() - start) / 1e6;
    const aborted = response.writableFinished ? {} : { aborted: true };
    logger.log({
      message: 'request',
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
