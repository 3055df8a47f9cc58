import { failureOf } from '../answer/http-outcome.js';
import { postJson } from '../answer/post-json.js';
import type { ChannelConfig, ConfigField, Dispatcher, Message, Outcome } from '../dispatcher.js';
import type { Outbound } from '../outbound/outbound.js';
import { postToRoom, webhookUrlField } from '../room-webhook.js';
import { outcomeOfCall, outcomeOfWebhook } from './slack-outcome.js';
import { slackText } from './slack-text.js';

const API_URL = 'https://slack.com/api';

const SETTING = { kind: 'string', required: false, secret: false } as const;

/** Slack: one room through an incoming webhook, or one room or each user through a bot. */
export class SlackDispatcher implements Dispatcher {
  readonly type = 'slack';
  readonly label = 'Slack';
  readonly addressKind = null;
  readonly isRoom = true;
  readonly parts = ['subject', 'text'] as const;
  readonly fields: readonly ConfigField[] = [
    webhookUrlField('The URL of an incoming webhook, which posts to one room', false),
    {
      ...SETTING,
      key: 'bot_token',
      label: 'Bot token',
      secret: true,
      help: 'xoxb-..., with the scope chat:write; replaces the webhook URL',
    },
    {
      ...SETTING,
      key: 'channel',
      label: 'Slack channel',
      help: 'Id of the one room that the bot posts to. Unset: the bot writes to each user at their address of kind slack',
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
    // The channel is misconfigured. Somebody may correct it before the retries end.
    if (problem !== null) return { kind: 'retry', answer: problem };
    const text = slackText(message);
    if (config.webhook_url !== undefined) {
      const { organization } = message.about;
      return postToRoom(this.outbound, {
        url: String(config.webhook_url),
        payload: { text },
        organization,
        read: outcomeOfWebhook,
      });
    }
    const isRoom = config.channel !== undefined;
    return this.call(String(config.bot_token), { channel: String(config.channel ?? message.to), text }, isRoom);
  }

  private async call(token: string, post: { channel: string; text: string }, isRoom: boolean): Promise<Outcome> {
    const now = new Date();
    try {
      const headers = { authorization: `Bearer ${token}` };
      const answer = await postJson(this.outbound, `${this.apiUrl}/chat.postMessage`, post, { headers });
      return outcomeOfCall(answer, [token], now, isRoom);
    } catch (error) {
      return failureOf(error, [token]);
    }
  }
}
