import type { HttpReply, ReceivedRequest } from '../sinks/http-sink.js';
import { FakeProvider, jsonIn, jsonReply } from './fake-provider.js';

const ID = '223704706495545344';
const TOKEN = 'made-up-for-the-tests-'.repeat(3);
const LONGEST = 2000;

/** A message as the room shows it. */
export interface DiscordPost {
  content: string;
  thread: string | null;
  /** Mentions that notified somebody. */
  called: string[];
}

interface Payload {
  content?: string;
  allowed_mentions?: { parse?: string[] };
}

/** A webhook of a Discord room, as documented. */
export class FakeDiscord extends FakeProvider {
  readonly posts: DiscordPost[] = [];
  /** A rate limit: the seconds until it ends, whether it is global, and the `Retry-After` header that is sent. */
  limit: { seconds: number; global?: boolean; header?: string | null } | null = null;

  get webhookUrl(): string {
    return this.webhook(ID, TOKEN);
  }

  webhook(id: string, token: string): string {
    return this.sink.url(`/api/webhooks/${id}/${token}`);
  }

  protected override forget(): void {
    this.posts.length = 0;
    this.limit = null;
  }

  protected override reply(request: ReceivedRequest): HttpReply {
    const { pathname, searchParams } = new URL(this.sink.url(request.path));
    const [, , , id, token] = pathname.split('/');
    if (request.method !== 'POST') return error(405, 0, '405: Method Not Allowed');
    if (this.limit !== null) return this.limited(this.limit);
    if (id !== ID) return error(404, 10015, 'Unknown Webhook');
    if (token !== TOKEN) return error(401, 50027, 'Invalid Webhook Token');
    const payload = jsonIn(request) as Payload | null;
    if (payload === null) return error(400, 50109, 'The request body contains invalid JSON.');
    const { content = '' } = payload;
    if (content.trim() === '') return error(400, 50006, 'Cannot send an empty message');
    if ([...content].length > LONGEST) {
      const tooLong = { code: 'BASE_TYPE_MAX_LENGTH', message: 'Must be 2000 or fewer in length.' };
      return error(400, 50035, 'Invalid Form Body', { errors: { content: { _errors: [tooLong] } } });
    }
    this.posts.push({ content, thread: searchParams.get('thread_id'), called: calledBy(payload) });
    if (searchParams.get('wait') !== 'true') return { status: 204 };
    const author = { id: ID, username: 'Captain Hook', avatar: null, bot: true };
    return jsonReply(200, { id: '1234567890123456789', type: 0, content, author, webhook_id: ID });
  }

  private limited({ seconds, global = false, header = String(Math.ceil(seconds)) }: NonNullable<FakeDiscord['limit']>) {
    const body = { message: 'You are being rate limited.', retry_after: seconds, global };
    return jsonReply(429, body, header === null ? {} : { 'retry-after': header });
  }
}

/** By default Discord notifies everybody whom a message mentions. */
function calledBy({ content = '', allowed_mentions: allowed }: Payload): string[] {
  const parse = allowed?.parse ?? ['everyone', 'users', 'roles'];
  const mentions = { everyone: /@everyone|@here/g, users: /<@!?\d+>/g, roles: /<@&\d+>/g };
  return Object.entries(mentions).flatMap(([kind, mention]) =>
    parse.includes(kind) ? [...content.matchAll(mention)].map(([whom]) => whom) : [],
  );
}

function error(status: number, code: number, message: string, more: object = {}): HttpReply {
  return jsonReply(status, { message, code, ...more });
}
