import { failureOf, outcomeOf } from '../answer/http-outcome.js';
import type { Outcome } from '../dispatcher.js';
import type { Outbound } from '../outbound/outbound.js';
import { signatureOf } from './signature.js';

interface SignedPost {
  /** The same at every attempt, so that a receiver can recognise a repeat. */
  id: string;
  body: string;
  /** One `v1` signature for each; without secrets the request is not signed. */
  secrets: readonly string[];
  now: Date;
  timeoutMs?: number;
  /** Certificates to trust, in PEM format. */
  ca?: string;
  /** The slug of the organization that sends. */
  organization: string;
}

/** Sends JSON in one POST, signed according to Standard Webhooks. Never throws: every failure is an outcome. */
export async function postSigned(outbound: Outbound, url: string, post: SignedPost): Promise<Outcome> {
  const { body, secrets, now, timeoutMs, ca, organization } = post;
  try {
    const answer = await outbound.post(url, { headers: headersOf(post), body, timeoutMs, ca, organization });
    return outcomeOf(answer, secrets, now);
  } catch (error) {
    return failureOf(error, secrets);
  }
}

function headersOf({ id, body, secrets, now }: SignedPost): Record<string, string> {
  const timestamp = Math.floor(now.getTime() / 1000);
  return {
    'content-type': 'application/json',
    'user-agent': 'Carillon',
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    ...(secrets.length > 0 ? { 'webhook-signature': signatureOf(id, timestamp, body, secrets) } : {}),
  };
}
