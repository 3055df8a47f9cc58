import { randomUUID } from 'node:crypto';
import type { NextFunction, Request, Response } from 'express';

const HEADER = 'X-Request-Id';
const ids = new WeakMap<Request, string>();

/** Every response carries a request id: the caller's own if it is a sane one, else a new one. */
export function assignRequestId(request: Request, response: Response, next: NextFunction): void {
  const given = request.get(HEADER);
  const id = given && /^[\w.-]{1,64}$/.test(given) ? given : randomUUID();
  ids.set(request, id);
  response.setHeader(HEADER, id);
  next();
}

export function requestId(request: Request): string {
  return ids.get(request) ?? 'unknown';
}
