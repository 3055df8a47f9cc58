import type { HttpAnswer } from './answer/http-answer.js';
import { failureOf, outcomeOf } from './answer/http-outcome.js';
import { postJson } from './answer/post-json.js';
import type { ConfigField, Outcome } from './dispatcher.js';
import type { Outbound } from './outbound/outbound.js';
import { plainUrl } from './outbound/outbound-address.js';
import { secretsInUrl } from './outbound/secrets-in-url.js';

/** The setting of a provider whose webhook posts to one room. The URL is secret: it allows anybody to post. */
export function webhookUrlField(help: string, required = true): ConfigField {
  return { key: 'webhook_url', label: 'Webhook URL', kind: 'url', required, secret: true, help };
}

interface RoomPost {
  url: string;
  /** Parameters to add to the URL. */
  query?: Record<string, string>;
  payload: unknown;
  /** The slug of the organization that sends. */
  organization: string;
  /** Reads the provider's answer; by its status alone when not given. */
  read?: (answer: HttpAnswer, secrets: readonly string[], now: Date) => Outcome;
}

/** Posts one message to the webhook of a room. Never throws, and masks the URL in the answer. */
export async function postToRoom(outbound: Outbound, post: RoomPost): Promise<Outcome> {
  const { url, query, payload, organization, read } = post;
  const secrets = secretsInUrl(url);
  const now = new Date();
  try {
    const target = plainUrl(url);
    for (const [name, value] of Object.entries(query ?? {})) target.searchParams.set(name, value);
    return (read ?? outcomeOf)(await postJson(outbound, target.href, payload, { organization }), secrets, now);
  } catch (error) {
    return failureOf(error, secrets);
  }
}
