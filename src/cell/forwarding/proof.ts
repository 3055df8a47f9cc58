import { createHmac, timingSafeEqual } from 'node:crypto';
import { isObject } from '../../platform/field/is-object.js';

/** The header by which one cell proves itself to another. */
export const PROOF_HEADER = 'x-carillon-cell';

/** How far the clocks of two cells may differ. After this time a proof is of no use to somebody who saw it. */
export const MAX_AGE_MS = 60_000;

/** What a cell says with a request to another. */
export interface Statement {
  from: number;
  to: number;
  /** Milliseconds since 1970. */
  at: number;
}

/** The text of the header: the statement and its HMAC, which covers the method and the URL of the request too. */
export function prove(statement: Statement, method: string, url: string, secret: string): string {
  const text = Buffer.from(JSON.stringify(statement)).toString('base64url');
  return `${text}.${macOf(`request\n${text}\n${method}\n${url}`, secret)}`;
}

/** The statement of a cell that knows the secret, made just now, for this request to the cell `to`; null: it is not proved. */
export function readProof(
  header: string | string[] | undefined,
  request: { method: string; url: string },
  to: number,
  secret: string,
  now = Date.now(),
): Statement | null {
  if (typeof header !== 'string') return null;
  const [text = '', mac = ''] = header.split('.');
  if (!isEqual(mac, macOf(`request\n${text}\n${request.method}\n${request.url}`, secret))) return null;
  // Only a cell can have written it from here on.
  const said: unknown = JSON.parse(Buffer.from(text, 'base64url').toString());
  if (!isObject(said) || said.to !== to || Math.abs(now - Number(said.at)) > MAX_AGE_MS) return null;
  return said as unknown as Statement;
}

/** Proves an answer. It is of no use for another question: the proof of the question is a part of it. */
export const proveAnswer = (body: string, question: string, secret: string) =>
  macOf(`answer\n${question}\n${body}`, secret);

export const isProvedAnswer = (mac: unknown, body: string, question: string, secret: string) =>
  typeof mac === 'string' && isEqual(mac, proveAnswer(body, question, secret));

const macOf = (text: string, secret: string) => createHmac('sha256', secret).update(text).digest('base64url');

function isEqual(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}
