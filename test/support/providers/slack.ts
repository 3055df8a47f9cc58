import type { HttpReply, ReceivedRequest } from '../sinks/http-sink.js';
import { FakeProvider, jsonIn, jsonReply } from './fake-provider.js';

const WEBHOOK_PATH = '/services/T0TEST/B0TEST/made-up-for-the-tests';
const LONGEST = 40_000;

/** A message as a room shows it. */
export interface SlackPost {
  channel: string;
  text: string;
  /** Mentions such as `<!channel>` and `<@U...>` that notified somebody. */
  called: string[];
}

/** The status of each error that an incoming webhook answers. */
const WEBHOOK_ERRORS: Record<string, number> = {
  invalid_payload: 400,
  no_text: 400,
  user_not_found: 400,
  action_prohibited: 403,
  channel_not_found: 404,
  no_service: 404,
  channel_is_archived: 410,
  rollup_error: 500,
};

/** An incoming webhook and `chat.postMessage` of Slack, as documented. */
export class FakeSlack extends FakeProvider {
  readonly token = 'xoxb-made-up-for-the-tests';
  readonly channels = ['C123ABC456', 'U061F7AUR'];
  readonly posts: SlackPost[] = [];
  /** The error that every request gets. */
  trouble: string | null = null;
  /** The seconds of a rate limit. */
  limitedFor: number | null = null;

  get webhookUrl(): string {
    return this.sink.url(WEBHOOK_PATH);
  }

  get apiUrl(): string {
    return this.sink.url('/api');
  }

  protected override forget(): void {
    this.posts.length = 0;
    this.trouble = null;
    this.limitedFor = null;
  }

  protected override reply(request: ReceivedRequest): HttpReply {
    if (request.method !== 'POST') return { status: 405 };
    return request.path.startsWith('/api/') ? this.answerCall(request) : this.answerPost(request);
  }

  private answerPost(request: ReceivedRequest): HttpReply {
    if (this.limitedFor !== null) return this.limited('rate_limited');
    const error = this.trouble ?? (request.path === WEBHOOK_PATH ? problemOf(request) : 'no_service');
    if (error !== null) return { status: WEBHOOK_ERRORS[error] ?? 400, body: error };
    this.show('C123ABC456', request);
    return { status: 200, body: 'ok' };
  }

  private answerCall(request: ReceivedRequest): HttpReply {
    if (this.limitedFor !== null) return this.limited('{"ok":false,"error":"ratelimited"}');
    const error = this.trouble ?? this.problemOfCall(request);
    if (error !== null) return json({ ok: false, error });
    const { channel } = JSON.parse(request.body) as { channel: string };
    const { text } = this.show(channel, request);
    const message = { text, username: 'ecto1', bot_id: 'B123ABC456', type: 'message', ts: '1503435956.000247' };
    return json({ ok: true, channel, ts: '1503435956.000247', message, ...warningOf(request) });
  }

  private problemOfCall(request: ReceivedRequest): string | null {
    if (request.path !== '/api/chat.postMessage') return 'unknown_method';
    const { authorization } = request.headers;
    if (authorization === undefined) return 'not_authed';
    if (authorization !== `Bearer ${this.token}`) return 'invalid_auth';
    const problem = problemOf(request);
    if (problem !== null) return problem === 'invalid_payload' ? 'invalid_json' : problem;
    const { channel } = JSON.parse(request.body) as { channel?: unknown };
    return this.channels.includes(channel as string) ? null : 'channel_not_found';
  }

  private limited(body: string): HttpReply {
    return { status: 429, headers: { 'retry-after': String(this.limitedFor) }, body };
  }

  private show(channel: string, request: ReceivedRequest): SlackPost {
    const { text } = JSON.parse(request.body) as { text: string };
    const taken = text.slice(0, LONGEST);
    const called = [...taken.matchAll(/<([!@#][^>]*)>/g)].map(([, whom]) => whom!);
    const plain = taken.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
    const post = { channel, text: plain, called };
    this.posts.push(post);
    return post;
  }
}

/** The error that a message gets from the webhook and from the API. */
function problemOf(request: ReceivedRequest): string | null {
  const payload = jsonIn(request) as { text?: unknown } | null;
  if (payload === null) return 'invalid_payload';
  const { text = '' } = payload;
  if (typeof text !== 'string') return 'invalid_payload';
  return text.trim() === '' ? 'no_text' : null;
}

function warningOf({ headers, body }: ReceivedRequest): object {
  const { text } = JSON.parse(body) as { text: string };
  const warnings = [
    ...(headers['content-type']?.includes('charset=') ? [] : ['missing_charset']),
    ...(text.length > LONGEST ? ['message_truncated'] : []),
  ];
  return warnings.length === 0 ? {} : { warning: warnings.join(','), response_metadata: { warnings } };
}

const json = (value: object): HttpReply => jsonReply(200, value, { 'content-type': 'application/json; charset=utf-8' });
