import type { Request } from 'express';

/**
 * Replaces percent escapes in the path that are not UTF-8 (`%`, `%zz`, `%ff`) with the replacement character. Express would answer
 * such a path with 400 before any guard has run. After the replacement the path decodes, names nothing that exists, and is checked
 * like every other path: 401, 403, then 404.
 */
export function replaceInvalidEscapes(request: Request): void {
  if (!request.url.includes('%')) return;
  const [path = '', ...query] = request.url.split('?');
  if (isDecodable(path)) return;
  const steps = path.split('/').map((step) => (isDecodable(step) ? step : step.replace(/%/g, '%EF%BF%BD')));
  request.url = [steps.join('/'), ...query].join('?');
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}
