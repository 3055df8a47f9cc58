import { CA_FIELD } from '../certificates.js';
import type { ChannelConfig, ConfigField, Dispatcher, Message, Outcome } from '../dispatcher.js';
import type { Outbound } from '../outbound/outbound.js';
import { postSigned } from './post-signed.js';
import { problemWithSigningSecret } from './signature.js';

const TIMEOUT_SECONDS = 10;

const SECRET = { kind: 'string', required: false, secret: true, goesTo: ['url'] } as const;

/** Sends a JSON POST, signed according to Standard Webhooks. */
export class WebhookDispatcher implements Dispatcher {
  readonly type = 'webhook';
  readonly label = 'Webhook';
  readonly addressKind = null;
  readonly isRoom = true;
  readonly parts = ['subject', 'text', 'html'] as const;
  readonly fields: readonly ConfigField[] = [
    { key: 'url', label: 'URL', kind: 'url', required: true, secret: false },
    {
      ...SECRET,
      key: 'secret',
      label: 'Signing secret',
      problem: problemWithSigningSecret,
      help: 'whsec_ and base64 of at least 24 bytes. Unset: requests are not signed',
    },
    {
      ...SECRET,
      key: 'previous_secret',
      label: 'Previous signing secret',
      help: 'Adds a second signature while receivers change to the new secret',
    },
    {
      key: 'timeout_seconds',
      label: 'Timeout in seconds',
      kind: 'integer',
      required: false,
      secret: false,
      min: 1,
      max: 30,
      help: `Unset: ${TIMEOUT_SECONDS}`,
    },
    CA_FIELD,
  ];

  constructor(private readonly outbound: Outbound) {}

  send(message: Message, config: ChannelConfig): Promise<Outcome> {
    const now = new Date();
    return postSigned(this.outbound, String(config.url), {
      id: message.id,
      body: bodyOf(message, now),
      secrets: [config.secret, config.previous_secret].filter((each) => each !== undefined).map(String),
      now,
      ca: config.ca === undefined ? undefined : String(config.ca),
      timeoutMs: Number(config.timeout_seconds ?? TIMEOUT_SECONDS) * 1000,
      organization: message.about.organization,
    });
  }
}

function bodyOf({ about, subject, text, html, context, digest, attachments: files }: Message, now: Date): string {
  const { occurrence, organization, project, application, event, user } = about;
  const attachments = files?.map(({ filename, contentType, size, url }) => ({
    ...{ filename, content_type: contentType, size, url },
  }));
  const message = { subject, text, html, context, digest, attachments };
  const data = { occurrence, organization, project, application, event, user, ...message };
  return JSON.stringify({ type: 'notification', timestamp: now.toISOString(), data });
}
