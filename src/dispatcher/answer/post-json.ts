import type { Outbound } from '../outbound/outbound.js';
import type { HttpAnswer } from './http-answer.js';

/** Sends one POST of JSON. It names the charset because Slack warns when the charset is missing. */
export function postJson(
  outbound: Outbound,
  url: string,
  payload: unknown,
  headers: Record<string, string> = {},
): Promise<HttpAnswer> {
  return outbound.post(url, {
    headers: { 'content-type': 'application/json; charset=utf-8', 'user-agent': 'Carillon', ...headers },
    body: JSON.stringify(payload),
  });
}
