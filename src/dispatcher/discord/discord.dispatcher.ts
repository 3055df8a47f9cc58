import type { HttpAnswer } from '../answer/http-answer.js';
import { outcomeOf, type StatusFaults } from '../answer/http-outcome.js';
import { retryAfterSeconds } from '../answer/retry-after.js';
import { cutText } from '../cut-text.js';
import type { ChannelConfig, Dispatcher, Message, Outcome } from '../dispatcher.js';
import type { Outbound } from '../outbound/outbound.js';
import { postToRoom, webhookUrlField } from '../room-webhook.js';

const MAX_LENGTH = 2000;

/** Discord: one room, or one thread of it, through a webhook. */
export class DiscordDispatcher implements Dispatcher {
  readonly type = 'discord';
  readonly label = 'Discord';
  readonly addressKind = null;
  readonly isRoom = true;
  readonly parts = ['subject', 'text'] as const;
  readonly fields = [webhookUrlField('https://discord.com/api/webhooks/..., with ?thread_id= for a thread')];

  constructor(private readonly outbound: Outbound) {}

  send(message: Message, config: ChannelConfig): Promise<Outcome> {
    return postToRoom(this.outbound, {
      url: String(config.webhook_url),
      // Without `wait` Discord answers before it has stored the message, and reports no error when it loses the message.
      query: { wait: 'true' },
      payload: payloadOf(message),
      organization: message.about.organization,
      read: outcomeOfPost,
    });
  }
}

/** Disables mentions: data in a template must not ping everyone. */
function payloadOf({ subject, text }: Message): object {
  const title = subject.trim();
  const content = title === '' ? text : `**${title}**\n${text}`;
  return { content: cutText(content, MAX_LENGTH), allowed_mentions: { parse: [] } };
}

/** The webhook or its token is gone, or may not post. */
const FAULTS: StatusFaults = { 401: 'channel', 403: 'channel', 404: 'channel' };

/** Discord says how long to wait after a 429 in a header, or in the body as seconds with a fraction. */
function outcomeOfPost(answer: HttpAnswer, secrets: readonly string[], now: Date): Outcome {
  const outcome = outcomeOf(answer, secrets, now, FAULTS);
  if (answer.status !== 429 || outcome.kind !== 'retry' || outcome.afterSeconds !== undefined) return outcome;
  const seconds = /"retry_after"\s*:\s*(\d+(?:\.\d+)?)/.exec(answer.text)?.[1];
  const afterSeconds = seconds === undefined ? undefined : retryAfterSeconds(String(Math.ceil(Number(seconds))), now);
  return afterSeconds === undefined ? outcome : { ...outcome, afterSeconds };
}
