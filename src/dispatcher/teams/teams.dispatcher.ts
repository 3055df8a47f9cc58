import { answerOf } from '../answer/answer.js';
import type { HttpAnswer } from '../answer/http-answer.js';
import { outcomeOf, type StatusFaults } from '../answer/http-outcome.js';
import type { ChannelConfig, Dispatcher, Message, Outcome } from '../dispatcher.js';
import type { Outbound } from '../outbound/outbound.js';
import { postToRoom, webhookUrlField } from '../room-webhook.js';
import { cardMessage } from './card.js';

const HELP = 'The URL of a Workflow that posts to a channel or chat when it receives a webhook request';

/** Microsoft Teams: an Adaptive Card to the webhook of a Workflow, or of an old connector. */
export class TeamsDispatcher implements Dispatcher {
  readonly type = 'teams';
  readonly label = 'Microsoft Teams';
  readonly addressKind = null;
  readonly isRoom = true;
  readonly parts = ['subject', 'text'] as const;
  readonly fields = [webhookUrlField(HELP)];

  constructor(private readonly outbound: Outbound) {}

  async send(message: Message, config: ChannelConfig): Promise<Outcome> {
    // A Workflow accepts every card at once. An empty card fails later, where we cannot see it.
    if (`${message.subject}${message.text}`.trim() === '')
      return { kind: 'rejected', answer: 'the message is empty', fault: 'message', isLocal: true };
    const url = String(config.webhook_url);
    const { organization } = message.about;
    return postToRoom(this.outbound, { url, payload: cardMessage(message), organization, read: outcomeOfPost });
  }
}

/** The URL is the credential: without a valid one, nothing can be posted. */
const FAULTS: StatusFaults = { 401: 'channel', 403: 'channel', 404: 'channel', 410: 'channel' };

/** An old connector answers 200 even when Teams refused the message. The real status is in the text of the answer. */
function outcomeOfPost(answer: HttpAnswer, secrets: readonly string[], now: Date): Outcome {
  if (answer.status !== 200) return outcomeOf(answer, secrets, now, FAULTS);
  const status = /Microsoft Teams endpoint returned HTTP error (\d{3})/.exec(answer.text)?.[1];
  if (status !== undefined) return outcomeOf({ ...answer, status: Number(status) }, secrets, now, FAULTS);
  const failed = answer.text.includes('Webhook message delivery failed');
  return { kind: failed ? 'retry' : 'sent', answer: answerOf(`200 ${answer.text}`, secrets) };
}
