import { createHmac } from 'node:crypto';
import type { HttpReply, ReceivedRequest } from '../sinks/http-sink.js';
import { FakeProvider, jsonIn, jsonReply } from './fake-provider.js';

/** The settings of a channel for this fake. */
export const META_SETTINGS = {
  phone_number_id: '106540352242922',
  access_token: 'EAAJB-token-of-the-channel',
  app_secret: '0123456789abcdef0123456789abcdef',
  verify_token: 'a-password-of-ours',
};

interface SentMessage {
  to?: string;
  recipient?: string;
  type: string;
  text?: { body: string };
  template?: { name: string; language: { code: string }; components?: unknown[] };
  biz_opaque_callback_data: string;
}

/** The id of the account that has the templates. */
export const META_ACCOUNT = '102290129340398';

interface MetaTemplate {
  name: string;
  language: string;
  status: string;
  components: object[];
}

/** The part of Meta's Graph API that sends messages of WhatsApp, and lists the templates of an account. */
export class FakeMeta extends FakeProvider {
  readonly shown: SentMessage[] = [];
  /** The code of the error that a person's messages get. */
  readonly refusing = new Map<string, number>();

  readonly templates: MetaTemplate[] = [];
  /** Templates on a page, whatever the request wants. */
  pageSize = 25;
  /** The code of the error that a list of templates gets. */
  refusesTemplates: number | null = null;

  protected override forget(): void {
    this.shown.length = 0;
    this.templates.length = 0;
    this.pageSize = 25;
    this.refusesTemplates = null;
    this.refusing.clear();
  }

  protected override reply(request: ReceivedRequest): HttpReply {
    const { phone_number_id: number, access_token: token } = META_SETTINGS;
    if (request.headers.authorization !== `Bearer ${token}`) return refused(190, 401);
    const { pathname, searchParams } = new URL(request.path, 'https://graph.facebook.com');
    if (request.method === 'GET' && pathname === `/v26.0/${number}`)
      return jsonReply(200, { id: number, display_phone_number: '+1 555-078-3881', verified_name: 'Acme' });
    if (request.method === 'GET' && pathname === `/v26.0/${META_ACCOUNT}/message_templates`)
      return this.listed(searchParams);
    if (request.method !== 'POST' || pathname !== `/v26.0/${number}/messages`) return refused(100);
    const message = jsonIn(request) as SentMessage;
    const code = this.refusing.get(message.to ?? message.recipient ?? '');
    if (code !== undefined) return refused(code);
    this.shown.push(message);
    return jsonReply(200, { messaging_product: 'whatsapp', messages: [{ id: `wamid.${this.shown.length}` }] });
  }

  /** A page of the templates whose names contain a text. */
  private listed(query: URLSearchParams): HttpReply {
    if (this.refusesTemplates !== null) return refused(this.refusesTemplates, 403);
    const named = this.templates.filter(({ name }) => name.includes(query.get('name') ?? ''));
    const start = Number(query.get('after') ?? 0);
    const end = start + this.pageSize;
    const next = end < named.length ? { next: 'https://graph.facebook.com/the-next-page' } : {};
    const paging = { cursors: { before: String(start), after: String(end) }, ...next };
    return jsonReply(200, { data: named.slice(start, end), paging });
  }
}

const refused = (code: number, status = 400): HttpReply =>
  jsonReply(status, { error: { message: `(#${code}) Refused`, type: 'OAuthException', code, fbtrace_id: 'AbCd' } });

interface Status {
  id: string;
  status: string;
  errors?: { code: number; title: string }[];
  biz_opaque_callback_data?: string;
}

/** What Meta posts about messages, each list as an entry. */
export const statusesBody = (...entries: Status[][]): string =>
  JSON.stringify({
    object: 'whatsapp_business_account',
    entry: entries.map((statuses) => ({
      id: '102290129340398',
      changes: statuses.map((status) => ({
        field: 'messages',
        value: {
          messaging_product: 'whatsapp',
          metadata: { phone_number_id: META_SETTINGS.phone_number_id },
          statuses: [{ timestamp: String(Math.floor(Date.now() / 1000)), recipient_id: '15005550006', ...status }],
        },
      })),
    })),
  });

export const metaHeaders = (body: string, secret = META_SETTINGS.app_secret) => ({
  'content-type': 'application/json',
  'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
});
