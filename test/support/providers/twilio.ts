import type { HttpReply, HttpSink, ReceivedRequest } from '../sinks/http-sink.js';
import { FakeProvider, jsonReply } from './fake-provider.js';

const LONGEST_BODY = 1600;

/** How Twilio treats a number: it takes messages, or answers an error. */
type Line = 'mobile' | 'unsubscribed' | 'landline' | 'abroad' | 'full queue' | 'too many requests';

/** `Messages.json` of Twilio's REST API, as documented. */
export class FakeTwilio extends FakeProvider {
  readonly sent: Record<string, string>[] = [];
  readonly lines = new Map<string, Line>();

  constructor(
    sink: HttpSink,
    private readonly account: { sid: string; token: string },
  ) {
    super(sink);
  }

  protected override forget(): void {
    this.sent.length = 0;
    this.lines.clear();
  }

  protected override reply({ method, path, headers, body }: ReceivedRequest): HttpReply {
    const sid = /^\/2010-04-01\/Accounts\/(AC[0-9a-f]{32})\/Messages\.json$/.exec(path)?.[1];
    if (sid === undefined) return refused(404, 20404, `The requested resource ${path} was not found`);
    const basic = Buffer.from(`${this.account.sid}:${this.account.token}`).toString('base64');
    if (headers.authorization !== `Basic ${basic}`) return refused(401, 20003, 'Authenticate');
    if (sid !== this.account.sid) return refused(404, 20404, `The requested resource ${path} was not found`);
    if (method !== 'POST') return refused(405, 20004, 'Method not allowed');
    const isForm = headers['content-type'] === 'application/x-www-form-urlencoded';
    return this.replyOf(isForm ? Object.fromEntries(new URLSearchParams(body)) : {});
  }

  private replyOf(form: Record<string, string>): HttpReply {
    const { To, Body = '', From, MessagingServiceSid } = form;
    if (!To) return refused(400, 21604, "A 'To' phone number is required.");
    if (!From && !MessagingServiceSid) return refused(400, 21603, "A 'From' phone number is required.");
    if (Body === '') return refused(400, 21602, 'Message body is required.');
    if (Body.length > LONGEST_BODY) {
      return refused(400, 21617, 'The concatenated message body exceeds the 1600 character limit');
    }
    const line = this.lines.get(To);
    switch (line) {
      case undefined:
        return refused(400, 21211, `Invalid 'To' Phone Number: ${To}`);
      case 'unsubscribed':
        return refused(400, 21610, 'Attempt to send to unsubscribed recipient');
      case 'landline':
        return refused(400, 21614, `'To' number is not a valid mobile number: ${To}`);
      case 'abroad':
        return refused(
          400,
          21408,
          "Permission to send an SMS has not been enabled for the region indicated by the 'To' number",
        );
      case 'full queue':
        return refused(400, 21611, "This 'From' number has exceeded the maximum number of queued messages");
      case 'too many requests':
        return refused(429, 20429, 'Too Many Requests', { 'retry-after': '3' });
      case 'mobile':
        this.sent.push(form);
        return jsonReply(201, createdMessage(this.account.sid, form));
    }
  }
}

function createdMessage(account_sid: string, { To, Body, From, MessagingServiceSid }: Record<string, string>) {
  return {
    account_sid,
    api_version: '2010-04-01',
    body: Body,
    date_created: 'Thu, 24 Aug 2023 05:01:45 +0000',
    direction: 'outbound-api',
    error_code: null,
    error_message: null,
    from: From ?? null,
    messaging_service_sid: MessagingServiceSid ?? null,
    num_segments: '1',
    sid: `SM${'a'.repeat(32)}`,
    status: MessagingServiceSid === undefined ? 'queued' : 'accepted',
    to: To,
  };
}

const refused = (status: number, code: number, message: string, headers?: Record<string, string>): HttpReply =>
  jsonReply(status, { code, message, more_info: `https://www.twilio.com/docs/errors/${code}`, status }, headers);
