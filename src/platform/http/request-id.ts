import { randomUUID } from 'node:crypto';
import type { Request, Response } from 'express';

const HEADER = 'X-Request-Id';
const ID = Symbol('request id');
type Identified = Request & { [ID]?: string };

/** Gives every response a request id: the one that the caller sent if it is well-formed, else a new one. */
export function assignRequestId(request: Request, response: Response): void {
  const given = request.headers['x-request-id'];
  const id = typeof given === 'string' && /^[\w.-]{1,64}$/.test(given) ? given : randomUUID();
  (request as Identified)[ID] = id;
  response.setHeader(HEADER, id);
}

export function requestId(request: Request): string {
  return (request as Identified)[ID] ?? 'unknown';
}
