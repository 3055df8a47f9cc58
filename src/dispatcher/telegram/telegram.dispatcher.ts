import type { HttpAnswer } from '../answer/http-answer.js';
import { failureOf, outcomeOf, type StatusFaults } from '../answer/http-outcome.js';
import { cutText } from '../cut-text.js';
import type { ChannelConfig, ConfigField, Dispatcher, Message, Outcome } from '../dispatcher.js';
import type { Outbound } from '../outbound/outbound.js';

const API = 'https://api.telegram.org';
const MAX_TEXT_LENGTH = 4096;

const SECRET = { kind: 'string', required: true, secret: true } as const;

/** Sends a message to a Telegram chat through a bot. */
export class TelegramDispatcher implements Dispatcher {
  readonly type = 'telegram';
  readonly label = 'Telegram';
  readonly addressKind = 'telegram';
  readonly parts = ['subject', 'text'] as const;
  readonly fields: readonly ConfigField[] = [
    { ...SECRET, key: 'bot_token', label: 'Bot token', help: 'From @BotFather, such as 123456:ABC-DEF' },
  ];

  constructor(
    private readonly outbound: Outbound,
    private readonly api = API,
  ) {}

  /** The token becomes part of the URL's path, so characters that could change the path are refused. */
  check({ bot_token }: ChannelConfig): string | null {
    return /^\d+:[\w-]+$/.test(String(bot_token)) ? null : 'bot_token must be a number, a colon and letters';
  }

  async send(message: Message, config: ChannelConfig): Promise<Outcome> {
    const problem = this.check(config);
    if (problem !== null) return { kind: 'rejected', answer: problem, fault: 'channel' };
    const token = String(config.bot_token);
    // The part after the colon is masked too: it is the actual secret, and remains when the colon was escaped.
    const secrets = [token, token.replace(/^\d+:/, '')];
    try {
      const answer = await this.outbound.post(`${this.api}/bot${token}/sendMessage`, {
        headers: { 'content-type': 'application/json', 'user-agent': 'Carillon' },
        body: JSON.stringify({ chat_id: message.to, text: textOf(message) }),
      });
      return aboutChat(outcomeOf(usualAnswer(answer), secrets, new Date(), FAULTS));
    } catch (error) {
      return failureOf(error, secrets);
    }
  }
}

/** Telegram does not know the token. */
const FAULTS: StatusFaults = { 401: 'channel', 404: 'channel' };

/** Refusals that are about the chat. A user who has blocked the bot may unblock it, and one who has not started it may start it. */
const CHAT_FAULTS: [RegExp, { fault: 'recipient'; cause?: 'soft_bounce' }][] = [
  [/user is deactivated/i, { fault: 'recipient' }],
  [/"error_code"\s*:\s*403\b/, { fault: 'recipient', cause: 'soft_bounce' }],
  [/chat not found/i, { fault: 'recipient', cause: 'soft_bounce' }],
];

function aboutChat(outcome: Outcome): Outcome {
  if (outcome.kind !== 'rejected' || outcome.fault === 'channel') return outcome;
  const [, fault] = CHAT_FAULTS.find(([words]) => words.test(outcome.answer)) ?? [];
  return fault ? { ...outcome, ...fault } : outcome;
}

/** Plain text: without a parse mode Telegram interprets no markup. */
function textOf({ subject, text }: Message): string {
  return cutText([subject, text].filter((part) => part !== '').join('\n'), MAX_TEXT_LENGTH);
}

/**
 * Turns Telegram's answer into a usual HTTP answer: `error_code` becomes the status and `retry_after` the header. It is read
 * by patterns, because a body that was cut is not valid JSON.
 */
function usualAnswer({ status, headers, text }: HttpAnswer): HttpAnswer {
  const code = /^\s*\{\s*"ok"\s*:\s*false\b.*?"error_code"\s*:\s*(\d{3})\b/s.exec(text)?.[1];
  const seconds = code && /"retry_after"\s*:\s*(\d+)/.exec(text)?.[1];
  return {
    status: code === undefined ? status : Number(code),
    headers: seconds === undefined ? headers : { ...headers, 'retry-after': seconds },
    text,
  };
}
