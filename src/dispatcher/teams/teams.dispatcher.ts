import { answerOf } from '../answer/answer.js';
import type { HttpAnswer } from '../answer/http-answer.js';
import { failureOf, outcomeOf } from '../answer/http-outcome.js';
import { postJson } from '../answer/post-json.js';
import type { ChannelConfig, ConfigField, Dispatcher, Message, Outcome } from '../dispatcher.js';
import type { Outbound } from '../outbound/outbound.js';
import { secretsInUrl } from '../outbound/secrets-in-url.js';
import { cardMessage } from './card.js';

/** Microsoft Teams: an Adaptive Card to the webhook of a Workflow, or of an old connector. */
export class TeamsDispatcher implements Dispatcher {
  readonly type = 'teams';
  readonly label = 'Microsoft Teams';
  readonly addressKind = null;
  readonly parts = ['subject', 'text'] as const;
  readonly fields: readonly ConfigField[] = [
    {
      key: 'webhook_url',
      label: 'Webhook URL',
      kind: 'url',
      required: true,
      secret: true,
      help: 'Of a Workflow that posts to a channel or chat when a webhook request is received',
    },
  ];

  constructor(private readonly outbound: Outbound) {}

  async send(message: Message, config: ChannelConfig): Promise<Outcome> {
    // A Workflow accepts any card at once, and fails later where we do not see it.
    if (`${message.subject}${message.text}`.trim() === '') {
      return { kind: 'rejected', answer: 'the message is empty' };
    }
    const url = String(config.webhook_url);
    const secrets = secretsInUrl(url);
    const now = new Date();
    try {
      return outcomeOfPost(await postJson(this.outbound, url, cardMessage(message)), secrets, now);
    } catch (error) {
      return failureOf(error, secrets);
    }
  }
}

/** An old connector says 200 also when Teams refused the message, and tells Teams' own status in words. */
function outcomeOfPost(answer: HttpAnswer, secrets: readonly string[], now: Date): Outcome {
  if (answer.status !== 200) return outcomeOf(answer, secrets, now);
  const told = /Microsoft Teams endpoint returned HTTP error (\d{3})/.exec(answer.text)?.[1];
  if (told !== undefined) return outcomeOf({ ...answer, status: Number(told) }, secrets, now);
  const failed = answer.text.includes('Webhook message delivery failed');
  return { kind: failed ? 'retry' : 'sent', answer: answerOf(`200 ${answer.text}`, secrets) };
}
