import { failureOf, outcomeOf } from '../answer/http-outcome.js';
import { postJson } from '../answer/post-json.js';
import type { ChannelConfig, ConfigField, Dispatcher, Message, Outcome } from '../dispatcher.js';
import type { Outbound } from '../outbound/outbound.js';
import { secretsInUrl } from '../outbound/secrets-in-url.js';
import { outcomeOfCall } from './slack-outcome.js';
import { slackText } from './slack-text.js';

const API_URL = 'https://slack.com/api';

/** Slack: one room through an incoming webhook, or one room or each person through a bot. */
export class SlackDispatcher implements Dispatcher {
  readonly type = 'slack';
  readonly label = 'Slack';
  readonly addressKind = null;
  readonly parts = ['subject', 'text'] as const;
  readonly fields: readonly ConfigField[] = [
    {
      key: 'webhook_url',
      label: 'Webhook URL',
      kind: 'url',
      required: false,
      secret: true,
      help: 'Of an incoming webhook, which posts to one room',
    },
    {
      key: 'bot_token',
      label: 'Bot token',
      kind: 'string',
      required: false,
      secret: true,
      help: 'xoxb-..., with the scope chat:write; in place of a webhook URL',
    },
    {
      key: 'channel',
      label: 'Slack channel',
      kind: 'string',
      required: false,
      secret: false,
      help: 'Id of the one room that the bot posts to. Unset: each person at their address of kind slack',
    },
  ];

  constructor(
    private readonly outbound: Outbound,
    private readonly apiUrl = API_URL,
  ) {}

  check({ webhook_url: webhookUrl, bot_token: botToken, channel }: ChannelConfig): string | null {
    if ((webhookUrl === undefined) === (botToken === undefined)) {
      return 'exactly one of webhook_url and bot_token must be set';
    }
    if (webhookUrl !== undefined && channel !== undefined) {
      return 'channel needs a bot_token: the room of a webhook is set in Slack';
    }
    return null;
  }

  addressKindFor({ webhook_url: webhookUrl, channel }: Readonly<Record<string, unknown>>): string | null {
    return webhookUrl === undefined && channel === undefined ? 'slack' : null;
  }

  async send(message: Message, config: ChannelConfig): Promise<Outcome> {
    const problem = this.check(config);
    // The channel's fault: it may be mended before the retries end.
    if (problem !== null) return { kind: 'retry', answer: problem };
    const text = slackText(message);
    if (config.webhook_url !== undefined) return this.post(String(config.webhook_url), text);
    return this.call(String(config.bot_token), String(config.channel ?? message.to), text);
  }

  private async post(url: string, text: string): Promise<Outcome> {
    const secrets = secretsInUrl(url);
    const now = new Date();
    try {
      return outcomeOf(await postJson(this.outbound, url, { text }), secrets, now);
    } catch (error) {
      return failureOf(error, secrets);
    }
  }

  private async call(token: string, channel: string, text: string): Promise<Outcome> {
    const now = new Date();
    try {
      const headers = { authorization: `Bearer ${token}` };
      const answer = await postJson(this.outbound, `${this.apiUrl}/chat.postMessage`, { channel, text }, headers);
      return outcomeOfCall(answer, [token], now);
    } catch (error) {
      return failureOf(error, [token]);
    }
  }
}
