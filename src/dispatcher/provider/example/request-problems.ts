import type { IncomingHttpHeaders } from 'node:http';
import { isDeepStrictEqual } from 'node:util';
import type { ExpectedRequest } from '../provider.js';

export interface Received {
  method: string;
  /** Path and query. */
  url: string;
  headers: IncomingHttpHeaders;
  body: string;
}

/** What is different. Of the headers those that the example names; of JSON and forms everything. */
export function requestProblems(expected: ExpectedRequest | null, received: Received | undefined): string[] {
  if (!received) return ['nothing was sent'];
  if (!expected) return [];
  const path = expected.url?.replace(/^https?:\/\/[^/?#]*/, '');
  const pairs: [string, unknown, unknown][] = [
    ['method', expected.method, received.method],
    ['url', path, received.url],
    ...Object.entries(expected.headers ?? {}).map(([name, value]): [string, unknown, unknown] => [
      name,
      value,
      received.headers[name.toLowerCase()],
    ]),
    ['json', expected.json, expected.json === undefined ? undefined : jsonIn(received.body)],
    ['form', expected.form, expected.form === undefined ? undefined : formIn(received.body)],
  ];
  return pairs
    .filter(([, wanted, found]) => wanted !== undefined && !isDeepStrictEqual(wanted, found))
    .map(([name, wanted, found]) => `${name}: expected ${JSON.stringify(wanted)}, sent ${JSON.stringify(found)}`);
}

function jsonIn(body: string): unknown {
  try {
    return JSON.parse(body) as unknown;
  } catch {
    return body;
  }
}

/** A field that is repeated is a list. */
function formIn(body: string): Record<string, unknown> {
  const form = new URLSearchParams(body);
  return Object.fromEntries(
    [...new Set(form.keys())].map((name) => {
      const values = form.getAll(name);
      return [name, values.length === 1 ? values[0] : values];
    }),
  );
}
