import { createParamDecorator } from '@nestjs/common';
import type { ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';

/** The start of every link in an answer: `PUBLIC_URL`, or else the host of the request. */
export function baseUrl(request: Request): string {
  const publicUrl = request.app.get('public url') as string | null | undefined;
  return publicUrl ?? `${request.protocol}://${request.host}`;
}

export const CurrentBaseUrl = createParamDecorator((_: unknown, context: ExecutionContext): string =>
  baseUrl(context.switchToHttp().getRequest<Request>()),
);

/** Builds a link from the path segments below `/api/`. */
export function linkTo(baseUrl: string, ...segments: (string | number | undefined)[]): string {
  return `${baseUrl}/api/${segments.map((segment) => encodeURIComponent(segment ?? '')).join('/')}/`;
}
