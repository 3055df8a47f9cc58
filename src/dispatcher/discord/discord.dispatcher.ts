import type { HttpAnswer } from '../answer/http-answer.js';
import { failureOf, outcomeOf } from '../answer/http-outcome.js';
import { postJson } from '../answer/post-json.js';
import { retryAfterSeconds } from '../answer/retry-after.js';
import { cutText } from '../cut-text.js';
import type { ChannelConfig, ConfigField, Dispatcher, Message, Outcome } from '../dispatcher.js';
import type { Outbound } from '../outbound/outbound.js';
import { plainUrl } from '../outbound/outbound-address.js';
import { secretsInUrl } from '../outbound/secrets-in-url.js';

const LONGEST = 2000;

/** Discord: one room, or one thread of it, through a webhook. */
export class DiscordDispatcher implements Dispatcher {
  readonly type = 'discord';
  readonly label = 'Discord';
  readonly addressKind = null;
  readonly parts = ['subject', 'text'] as const;
  readonly fields: readonly ConfigField[] = [
    {
      key: 'webhook_url',
      label: 'Webhook URL',
      kind: 'url',
      required: true,
      secret: true,
      help: 'https://discord.com/api/webhooks/..., with ?thread_id= for a thread',
    },
  ];

  constructor(private readonly outbound: Outbound) {}

  async send(message: Message, config: ChannelConfig): Promise<Outcome> {
    const secrets = secretsInUrl(String(config.webhook_url));
    const now = new Date();
    try {
      const url = plainUrl(String(config.webhook_url));
      // Without it Discord answers before it has the message, and a message that is then lost is no error.
      url.searchParams.set('wait', 'true');
      return outcomeOfPost(await postJson(this.outbound, url.href, payloadOf(message)), secrets, now);
    } catch (error) {
      return failureOf(error, secrets);
    }
  }
}

/** No mention in it calls anybody: the data of a template must not wake everyone. */
function payloadOf({ subject, text }: Message): object {
  const title = subject.trim();
  const whole = title === '' ? text : `**${title}**\n${text}`;
  return { content: cutText(whole, LONGEST), allowed_mentions: { parse: [] } };
}

/** A rate limit names its end in a header or, in fractions of a second, in the body. */
function outcomeOfPost(answer: HttpAnswer, secrets: readonly string[], now: Date): Outcome {
  const outcome = outcomeOf(answer, secrets, now);
  if (answer.status !== 429 || outcome.kind !== 'retry' || outcome.afterSeconds !== undefined) return outcome;
  const told = /"retry_after"\s*:\s*(\d+(?:\.\d+)?)/.exec(answer.text)?.[1];
  const afterSeconds = told === undefined ? undefined : retryAfterSeconds(String(Math.ceil(Number(told))), now);
  return afterSeconds === undefined ? outcome : { ...outcome, afterSeconds };
}
