import type { HttpReply, HttpSink, ReceivedRequest } from '../sinks/http-sink.js';
import { FakeProvider, jsonReply } from './fake-provider.js';

const LONGEST_TEXT = 4096;

type Chat = 'open' | 'blocked' | { migratedTo: number } | { retryAfter: number };

/** `sendMessage` of Telegram's Bot API, as documented. */
export class FakeTelegram extends FakeProvider {
  readonly sent: { chat_id: string; text: string }[] = [];
  readonly chats = new Map<string, Chat>();

  constructor(
    sink: HttpSink,
    private readonly token: string,
  ) {
    super(sink);
  }

  protected override forget(): void {
    this.sent.length = 0;
    this.chats.clear();
  }

  protected override reply({ method, path, headers, body }: ReceivedRequest): HttpReply {
    const token = /^\/bot(\d+:[\w-]{35})\/sendMessage$/.exec(path)?.[1];
    if (token === undefined) return refused(404, 'Not Found');
    if (token !== this.token) return refused(401, 'Unauthorized');
    if (method !== 'POST' || headers['content-type'] !== 'application/json') {
      return refused(400, 'Bad Request: chat_id is empty');
    }
    const { chat_id, text = '', parse_mode } = JSON.parse(body) as Record<string, string | undefined>;
    if (chat_id === undefined) return refused(400, 'Bad Request: chat_id is empty');
    if (text.trim() === '') return refused(400, 'Bad Request: message text is empty');
    if (parse_mode !== undefined) return refused(400, "Bad Request: can't parse entities");
    if (text.length > LONGEST_TEXT) return refused(400, 'Bad Request: message is too long');
    return this.replyOf(chat_id, text);
  }

  private replyOf(chat_id: string, text: string): HttpReply {
    const chat = this.chats.get(chat_id);
    if (chat === undefined) return refused(400, 'Bad Request: chat not found');
    if (chat === 'blocked') return refused(403, 'Forbidden: bot was blocked by the user');
    if (chat === 'open') {
      this.sent.push({ chat_id, text });
      const result = {
        message_id: this.sent.length,
        from: { id: 1, is_bot: true, first_name: 'Acme' },
        chat: { id: Number(chat_id), first_name: 'Ann', type: 'private' },
        date: 1_760_000_000,
        text,
      };
      return jsonReply(200, { ok: true, result });
    }
    if ('retryAfter' in chat) {
      const { retryAfter } = chat;
      return refused(429, `Too Many Requests: retry after ${retryAfter}`, { retry_after: retryAfter });
    }
    return refused(400, 'Bad Request: group chat was upgraded to a supergroup chat', {
      migrate_to_chat_id: chat.migratedTo,
    });
  }
}

const refused = (error_code: number, description: string, parameters?: Record<string, number>): HttpReply =>
  jsonReply(error_code, { ok: false, error_code, description, parameters });
