import webpush from 'web-push';
import { answerOf } from '../answer/answer.js';
import { failureOf, outcomeOf } from '../answer/http-outcome.js';
import type { ChannelConfig, ConfigField, Dispatcher, Message, Outcome } from '../dispatcher.js';
import type { Outbound } from '../outbound/outbound.js';
import { plainUrl } from '../outbound/outbound-address.js';
import { reasonOf } from '../outbound/outbound-error.js';
import { deliveryOptions } from './delivery-options.js';
import { PAYLOAD_LIMITS, UnfitMessage, payloadOf } from './payload.js';
import { parseSubscription } from './subscription.js';
import { problemWithVapid } from './vapid.js';

// RFC 8030: the push service has deleted the subscription, or never had it.
const GONE = new Set<number | null>([404, 410]);
/** Too many messages for this subscription. */
const TOO_MANY = 429;

const NO_SUBSCRIPTION = 'the address is not a push subscription: JSON with an endpoint and, in keys, p256dh and auth';

const SETTING = { kind: 'string', required: true, secret: false } as const;

/**
 * Sends an encrypted message to a browser through the push service of its subscription. The library encrypts and signs. The
 * request is sent through `Outbound`, because the user who registers an address chooses the endpoint.
 */
export class WebpushDispatcher implements Dispatcher {
  readonly type = 'webpush';
  readonly label = 'Web push';
  readonly addressKind = 'webpush';
  readonly parts = ['subject', 'text', 'url', 'image', 'actions', 'data'] as const;
  readonly messageLimits = PAYLOAD_LIMITS;
  readonly fields: readonly ConfigField[] = [
    { ...SETTING, key: 'public_key', label: 'VAPID public key', help: 'The key that pages subscribe with' },
    { ...SETTING, key: 'private_key', label: 'VAPID private key', secret: true },
    { ...SETTING, key: 'subject', label: 'Contact', help: 'A mailto: or https: URL for the push services' },
    {
      ...SETTING,
      ...{ key: 'badge', label: 'Badge', kind: 'boolean', required: false },
      help: 'Whether pages are told how many messages in the inbox are unread, to show it at their icon',
    },
  ];

  constructor(private readonly outbound: Outbound) {}

  countsUnread(config: ChannelConfig): boolean {
    return config.badge === true;
  }

  check(config: ChannelConfig): string | null {
    return problemWithVapid(config);
  }

  async send(message: Message, config: ChannelConfig): Promise<Outcome> {
    const privateKey = String(config.private_key);
    let request: ReturnType<typeof requestOf>;
    try {
      request = requestOf(message, config);
    } catch (error) {
      // Nothing was sent: the address, the keys or the message are invalid, so a retry cannot help.
      const answer = answerOf(reasonOf(error), [privateKey]);
      if (problemWithVapid(config) !== null) return { kind: 'rejected', answer, fault: 'channel', isLocal: true };
      const isBrowser = !(error instanceof UnfitMessage);
      return { kind: 'rejected', answer, fault: 'message', isLocal: true, ...(isBrowser && { setsAside: true }) };
    }
    const { endpoint, headers, body, token } = request;
    const secrets = [privateKey, token];
    try {
      const { organization } = message.about;
      const answer = await this.outbound.post(endpoint, { headers, body, organization });
      return ofOneBrowser(outcomeOf(answer, secrets, new Date()), answer.status);
    } catch (error) {
      return ofOneBrowser(failureOf(error, secrets), null);
    }
  }
}

/**
 * The browser or app of a user chooses the push service, so no refusal of it is the channel's fault, and it cannot slow the channel down. One that fails
 * counts once for each recipient: if all fail, the channel pauses.
 */
function ofOneBrowser(outcome: Outcome, status: number | null): Outcome {
  if (outcome.kind === 'rejected') return { ...outcome, fault: GONE.has(status) ? 'device' : 'message' };
  if (outcome.kind === 'sent') return outcome;
  const { isSlowDown: _, ...retry } = outcome;
  return { ...retry, about: status === TOO_MANY ? 'recipient' : 'either' };
}

/** Builds the request; throws when the subscription or the keys are invalid, or the message does not fit. */
function requestOf(message: Message, { public_key, private_key, subject }: ChannelConfig) {
  const subscription = parseSubscription(message.to);
  if (subscription === null) throw new Error(NO_SUBSCRIPTION);
  // The library parses URLs differently. The endpoint is normalised first, so that the token names the host that receives it.
  const endpoint = plainUrl(subscription.endpoint).href;
  const { headers, body } = webpush.generateRequestDetails({ ...subscription, endpoint }, payloadOf(message), {
    vapidDetails: { subject: String(subject), publicKey: String(public_key), privateKey: String(private_key) },
    ...deliveryOptions(message, new Date()),
    contentEncoding: 'aes128gcm',
  });
  const token = /t=([^,]+)/.exec(headers.Authorization ?? '')?.[1] ?? '';
  return { endpoint, headers: { ...headers, 'user-agent': 'Carillon' }, body, token };
}
