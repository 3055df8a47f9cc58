import type { HttpAnswer } from '../answer/http-answer.js';
import { failureOf, outcomeOf } from '../answer/http-outcome.js';
import { cutText } from '../cut-text.js';
import type { ChannelConfig, ConfigField, Dispatcher, Message, Outcome } from '../dispatcher.js';
import type { Outbound } from '../outbound/outbound.js';

const API = 'https://api.telegram.org';
const LONGEST_TEXT = 4096;

/** A message to a chat, sent by a bot of Telegram. */
export class TelegramDispatcher implements Dispatcher {
  readonly type = 'telegram';
  readonly label = 'Telegram';
  readonly addressKind = 'telegram';
  readonly parts = ['subject', 'text'] as const;
  readonly fields: readonly ConfigField[] = [
    {
      key: 'bot_token',
      label: 'Bot token',
      kind: 'string',
      required: true,
      secret: true,
      help: 'From @BotFather, such as 123456:ABC-DEF',
    },
  ];

  constructor(
    private readonly outbound: Outbound,
    private readonly api = API,
  ) {}

  /** The token stands in the URL, so nothing that could end or bend a path may be in it. */
  check({ bot_token }: ChannelConfig): string | null {
    return /^\d+:[\w-]+$/.test(String(bot_token)) ? null : 'bot_token must be a number, a colon and letters';
  }

  async send(message: Message, config: ChannelConfig): Promise<Outcome> {
    const problem = this.check(config);
    if (problem !== null) return { kind: 'rejected', answer: problem };
    const token = String(config.bot_token);
    // Its second half alone is the secret, and what is left of a token whose colon was escaped.
    const secrets = [token, token.replace(/^\d+:/, '')];
    try {
      const answer = await this.outbound.post(`${this.api}/bot${token}/sendMessage`, {
        headers: { 'content-type': 'application/json', 'user-agent': 'Carillon' },
        body: JSON.stringify({ chat_id: message.to, text: textOf(message) }),
      });
      return outcomeOf(plainAnswer(answer), secrets, new Date());
    } catch (error) {
      return failureOf(error, secrets);
    }
  }
}

/** Plain text: without a parse mode nothing in it means anything to Telegram. */
function textOf({ subject, text }: Message): string {
  return cutText([subject, text].filter((part) => part !== '').join('\n'), LONGEST_TEXT);
}

/**
 * The answer as HTTP would say it: `ok` and `error_code` are what counts, and the time to wait stands in the body.
 * Read by patterns, for a body that was cut is no JSON.
 */
function plainAnswer({ status, headers, text }: HttpAnswer): HttpAnswer {
  const code = /^\s*\{\s*"ok"\s*:\s*false\b.*?"error_code"\s*:\s*(\d{3})\b/s.exec(text)?.[1];
  const seconds = code && /"retry_after"\s*:\s*(\d+)/.exec(text)?.[1];
  return {
    status: code === undefined ? status : Number(code),
    headers: seconds === undefined ? headers : { ...headers, 'retry-after': seconds },
    text,
  };
}
