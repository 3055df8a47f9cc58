import { createParamDecorator } from '@nestjs/common';
import type { ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';

/** What links in answers start with: `PUBLIC_URL`, or else the request's own host. */
export function baseUrl(request: Request): string {
  const publicUrl = request.app.get('public url') as string | null | undefined;
  return publicUrl ?? `${request.protocol}://${request.host}`;
}

export const CurrentBaseUrl = createParamDecorator((_: unknown, context: ExecutionContext): string =>
  baseUrl(context.switchToHttp().getRequest<Request>()),
);

/** The address of what lies at these steps below `/api/`. */
export function linkTo(baseUrl: string, ...steps: (string | number | undefined)[]): string {
  return `${baseUrl}/api/${steps.map((step) => encodeURIComponent(step ?? '')).join('/')}/`;
}
