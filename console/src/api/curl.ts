import { serviceUrl } from './place';

export interface Call {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** With real ids: `/api/o/demo/u/`. */
  path: string;
  body?: unknown;
}

/** Quotes for a shell: nothing in it is read as a command. */
const quoted = (value: string) => `'${value.replaceAll("'", String.raw`'\''`)}'`;

/** The call as a line that works in a shell in which `KEY` is set. */
export function curlOf({ method = 'GET', path, body }: Call): string {
  const parts = ['curl'];
  if (method !== 'GET') parts.push('-X', method);
  parts.push(quoted(serviceUrl + path), '-H "Authorization: Key $KEY"');
  if (body !== undefined) parts.push("-H 'Content-Type: application/json'", '-d', quoted(JSON.stringify(body)));
  return parts.join(' ');
}
