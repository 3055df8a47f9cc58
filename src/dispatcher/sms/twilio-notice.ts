import { createHmac, timingSafeEqual } from 'node:crypto';
import { entryOf } from '../report/fields.js';
import type { ReportedEvent, ReportReader } from '../report/report.js';

/** What to set up at Twilio. */
export const TWILIO_STEPS =
  'Enter the URL at your number or messaging service as the webhook for incoming messages. If providers can reach PUBLIC_URL, each message ' +
  'tells Twilio to report its status there; otherwise enter the URL at the messaging service as the status callback too.';

/** Whether Twilio signed the request: HMAC-SHA1 over the URL that it called, and the fields of the form in the order of their names. */
export function isSignedByTwilio(signature: string, url: string, form: URLSearchParams, authToken: string): boolean {
  const fields = [...form].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)).map(([name, value]) => name + value);
  const expected = createHmac('sha1', authToken)
    .update(url + fields.join(''))
    .digest();
  const given = Buffer.from(signature, 'base64');
  return given.length === expected.length && timingSafeEqual(given, expected);
}

// The words that Twilio itself obeys, unless the account has others: then it says what they mean.
const STOP = new Set(['STOP', 'STOPALL', 'UNSUBSCRIBE', 'CANCEL', 'END', 'QUIT', 'REVOKE', 'OPTOUT']);
const START = new Set(['START', 'YES', 'UNSTOP']);

/** Errors about the number itself. A phone that is off or out of reach (30003), and a message that a carrier has filtered, may pass. */
export const NUMBER_FAULTS: Record<string, { fault: 'recipient'; cause?: 'stop' }> = {
  21211: { fault: 'recipient' }, // no valid number
  21610: { fault: 'recipient', cause: 'stop' },
  21614: { fault: 'recipient' }, // takes no text messages
  30005: { fault: 'recipient' }, // unknown or no longer assigned
  30006: { fault: 'recipient' }, // a landline
};

/** A form of many fields takes long to sort, and anybody can send one. Those of Twilio have some thousand bytes. */
const MAX_FORM_BYTES = 64 * 1024;

/** Status callbacks and incoming messages of Twilio, signed with the auth token. */
export const twilioReader = (authToken: string): ReportReader => ({
  answer: { type: 'text/xml', body: '<Response/>' },
  read: ({ headers, url, body, now }) => {
    if (body.length > MAX_FORM_BYTES) return Promise.resolve('forged');
    const form = new URLSearchParams(body.toString());
    const signature = headers['x-twilio-signature'];
    const isSigned = typeof signature === 'string' && isSignedByTwilio(signature, url, form, authToken);
    return Promise.resolve(isSigned ? [readNotice(form, now)] : 'forged');
  },
});

/** Reads a status callback or an incoming message; null: it is about nothing that matters here. */
export function readNotice(form: URLSearchParams, at: Date): ReportedEvent | null {
  const field = (name: string) => form.get(name) ?? '';
  const sid = field('MessageSid') || field('SmsSid');
  const status = field('MessageStatus');
  const known = { providerId: sid, at };
  if (status !== '') {
    const kind = kindOf(status, field('ErrorCode'));
    const isFault = kind === 'bounced' || kind === 'stopped';
    const more = { detail: `${status} ${field('ErrorCode')}`.trim(), ...(isFault ? { number: field('To') } : {}) };
    return (
      kind && { ...known, ...more, kind, eventId: `${sid} ${status}`, ...(kind === 'seen' ? { by: 'human' } : {}) }
    );
  }
  const word = (field('OptOutType') || field('Body')).trim().toUpperCase();
  const kind = STOP.has(word) ? 'stopped' : START.has(word) ? 'resumed' : null;
  if (kind === null && field('OptOutType') === '' && field('Body') !== '')
    return { ...known, kind: 'answered', eventId: sid, detail: field('Body').trim(), number: field('From') };
  return kind && { ...known, kind, eventId: sid, detail: word, number: field('From') };
}

function kindOf(status: string, errorCode: string): ReportedEvent['kind'] | null {
  if (status === 'delivered') return 'delivered';
  if (status === 'read') return 'seen';
  if (status !== 'undelivered' && status !== 'failed') return null;
  const fault = entryOf(NUMBER_FAULTS, errorCode);
  if (!fault) return 'soft_bounced';
  return fault.cause === 'stop' ? 'stopped' : 'bounced';
}
