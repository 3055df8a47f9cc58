import type { Request } from 'express';

/**
 * Express answers 400 to a path it cannot decode, before any guard has run. Such a path names nothing that exists: each bad
 * escape becomes the replacement character, and the request takes the way of every other (401, 403, then 404).
 */
export function mendPath(request: Request): void {
  if (!request.url.includes('%')) return;
  const [path = '', ...query] = request.url.split('?');
  if (path.includes('%') && !decodes(path)) {
    const mended = path
      .split('/')
      .map((step) => (decodes(step) ? step : step.replace(/%/g, '%EF%BF%BD')))
      .join('/');
    request.url = [mended, ...query].join('?');
  }
}

function decodes(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}
