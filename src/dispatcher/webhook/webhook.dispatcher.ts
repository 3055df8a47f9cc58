import type { ChannelConfig, ConfigField, Dispatcher, Message, Outcome } from '../dispatcher.js';
import { failureOf, outcomeOf } from '../http-outcome.js';
import type { Outbound } from '../outbound.js';
import { signatureOf } from './signature.js';

const TIMEOUT_SECONDS = 10;

const SECRET = { kind: 'string', required: false, secret: true } as const;

/** A JSON POST, signed as Standard Webhooks has it. */
export class WebhookDispatcher implements Dispatcher {
  readonly type = 'webhook';
  readonly label = 'Webhook';
  readonly addressKind = null;
  readonly parts = ['subject', 'text', 'html'] as const;
  readonly fields: readonly ConfigField[] = [
    { key: 'url', label: 'URL', kind: 'url', required: true, secret: false },
    { ...SECRET, key: 'secret', label: 'Signing secret', help: 'whsec_ and base64, or any text. Unset: not signed' },
    {
      ...SECRET,
      key: 'previous_secret',
      label: 'Previous signing secret',
      help: 'Signs too while receivers change over',
    },
    {
      key: 'timeout_seconds',
      label: 'Time-out in seconds',
      kind: 'integer',
      required: false,
      secret: false,
      min: 1,
      max: 30,
      help: `Unset: ${TIMEOUT_SECONDS}`,
    },
  ];

  constructor(private readonly outbound: Outbound) {}

  async send(message: Message, config: ChannelConfig): Promise<Outcome> {
    const secrets = [config.secret, config.previous_secret].filter((each) => each !== undefined).map(String);
    const now = new Date();
    const body = bodyOf(message, now);
    try {
      const answer = await this.outbound.post(String(config.url), {
        headers: headersOf(message.id, now, body, secrets),
        body,
        timeoutMs: Number(config.timeout_seconds ?? TIMEOUT_SECONDS) * 1000,
      });
      return outcomeOf(answer, secrets, now);
    } catch (error) {
      return failureOf(error, secrets);
    }
  }
}

function bodyOf({ about, subject, text, html }: Message, now: Date): string {
  const { occurrence, organization, project, application, event, user } = about;
  const data = { occurrence, organization, project, application, event, user, subject, text, html };
  return JSON.stringify({ type: 'notification', timestamp: now.toISOString(), data });
}

function headersOf(id: string, now: Date, body: string, secrets: readonly string[]): Record<string, string> {
  const timestamp = Math.floor(now.getTime() / 1000);
  return {
    'content-type': 'application/json',
    'user-agent': 'Carillon',
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    ...(secrets.length > 0 ? { 'webhook-signature': signatureOf(id, timestamp, body, secrets) } : {}),
  };
}
