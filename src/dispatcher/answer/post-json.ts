import type { Outbound, Post } from '../outbound/outbound.js';
import type { HttpAnswer } from './http-answer.js';

/** Sends JSON in one POST. The content type has a charset, because Slack warns when it is missing. */
export function postJson(
  outbound: Outbound,
  url: string,
  payload: unknown,
  { headers = {}, organization }: Pick<Post, 'headers' | 'organization'> = {},
): Promise<HttpAnswer> {
  return outbound.post(url, {
    headers: { 'content-type': 'application/json; charset=utf-8', 'user-agent': 'Carillon', ...headers },
    body: JSON.stringify(payload),
    organization,
  });
}
