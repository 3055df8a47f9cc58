import type { HttpAnswer } from '../answer/http-answer.js';
import { failureOf, outcomeOf, type StatusFaults } from '../answer/http-outcome.js';
import { cutText } from '../cut-text.js';
import type { ChannelConfig, ConfigField, Dispatcher, Fault, Message, Outcome } from '../dispatcher.js';
import type { Outbound } from '../outbound/outbound.js';
import type { ReportReader } from '../report/report.js';
import { TWILIO_STEPS, NUMBER_FAULTS, twilioReader } from './twilio-notice.js';

const API = 'https://api.twilio.com';
const MAX_BODY_LENGTH = 1600;
// The single character … would turn a GSM text into a Unicode text with more than twice the segments, and each segment costs money.
const ELLIPSIS = '...';

const SETTING = { kind: 'string', required: false, secret: false } as const;

/** Sends a text message over Twilio's REST API. */
export class SmsDispatcher implements Dispatcher {
  readonly type = 'sms';
  readonly label = 'SMS (Twilio)';
  readonly addressKind = 'phone';
  readonly parts = ['text'] as const;
  readonly fields: readonly ConfigField[] = [
    { ...SETTING, key: 'account_sid', label: 'Account SID', required: true },
    { ...SETTING, key: 'auth_token', label: 'Auth token', required: true, secret: true },
    { ...SETTING, key: 'from', label: 'From', help: 'A phone number, short code or sender ID of the account' },
    {
      ...SETTING,
      key: 'messaging_service_sid',
      label: 'Messaging service SID',
      help: 'Replaces From: the service chooses the sender',
    },
  ];

  constructor(
    private readonly outbound: Outbound,
    private readonly api = API,
  ) {}

  check({ account_sid, from, messaging_service_sid }: ChannelConfig): string | null {
    // The SID becomes part of the URL's path.
    if (!/^AC[0-9a-f]{32}$/i.test(String(account_sid))) return 'account_sid must be AC and 32 hexadecimal digits';
    if ((from === undefined) === (messaging_service_sid === undefined)) {
      return 'exactly one of from and messaging_service_sid must be set';
    }
    return null;
  }

  readonly reportSetups = [{ service: null, steps: TWILIO_STEPS }];

  reports({ auth_token }: ChannelConfig): ReportReader {
    return twilioReader(String(auth_token));
  }

  async send(message: Message, config: ChannelConfig): Promise<Outcome> {
    const problem = this.check(config);
    if (problem !== null) return { kind: 'rejected', answer: problem, fault: 'channel' };
    const token = String(config.auth_token);
    const login = Buffer.from(`${config.account_sid}:${token}`).toString('base64');
    const secrets = [login, token];
    try {
      const answer = await this.outbound.post(`${this.api}/2010-04-01/Accounts/${config.account_sid}/Messages.json`, {
        headers: {
          authorization: `Basic ${login}`,
          'content-type': 'application/x-www-form-urlencoded',
          'user-agent': 'Carillon',
        },
        body: formOf(message, config),
      });
      const outcome = outcomeOf(answer, secrets, new Date(), FAULTS);
      if (outcome.kind === 'sent') return { ...outcome, ...idOf(answer) };
      const code = answer.status === 400 ? codeOf(answer) : undefined;
      if (code === QUEUE_FULL) return { kind: 'retry', answer: outcome.answer };
      return outcome.kind === 'rejected' ? { ...outcome, ...CODE_FAULTS[code ?? ''] } : outcome;
    } catch (error) {
      return failureOf(error, secrets);
    }
  }
}

function formOf({ to, text }: Message, { from, messaging_service_sid }: ChannelConfig): string {
  const form = new URLSearchParams({ To: to, Body: cutText(text, MAX_BODY_LENGTH, ELLIPSIS) });
  if (from !== undefined) form.set('From', String(from));
  else form.set('MessagingServiceSid', String(messaging_service_sid));
  return form.toString();
}

/** Its status is 400, but it is transient: Twilio's queue for this sender, which holds messages for some hours, is full. */
const QUEUE_FULL = '21611';

/** The account, its token or its state. */
const FAULTS: StatusFaults = { 401: 'channel', 403: 'channel', 404: 'channel' };

const SENDER = { fault: 'channel' } as const;

/** Whose fault an error of status 400 is, where it is not the message's. */
const CODE_FAULTS: Readonly<Record<string, { fault: Fault; cause?: 'stop' }>> = {
  ...NUMBER_FAULTS,
  21401: SENDER, // no number or sender ID that sends text messages
  21601: SENDER, // no number of the account
  21661: SENDER, // sends no text messages
};

/** The id that a status callback names. */
const idOf = ({ text }: HttpAnswer) => {
  const providerId = /"sid"\s*:\s*"((?:SM|MM)[0-9a-f]{32})"/i.exec(text)?.[1];
  return providerId === undefined ? {} : { providerId };
};

const codeOf = ({ text }: HttpAnswer) => /"code"\s*:\s*(\d+)\b/.exec(text)?.[1];
