import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Suppresses } from '../dispatcher.js';

/** What Twilio reports about a number. */
interface TwilioNotice {
  number: string;
  /** `resume`: the owner of the number wants messages again. */
  kind: Suppresses | 'resume';
  /** Twilio's words. */
  answer: string;
  /** Twilio's id of the message. */
  message: string;
}

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

/** Reads a status callback or an incoming message; null: it is about nothing that matters here. */
export function readNotice(form: URLSearchParams): TwilioNotice | null {
  const field = (name: string) => form.get(name) ?? '';
  const message = field('MessageSid') || field('SmsSid');
  const status = field('MessageStatus');
  if (status !== '') {
    const fault = NUMBER_FAULTS[field('ErrorCode')];
    const kind = fault?.cause ?? 'hard_bounce';
    return fault ? { number: field('To'), kind, answer: `${status} ${field('ErrorCode')}`, message } : null;
  }
  const word = (field('OptOutType') || field('Body')).trim().toUpperCase();
  const kind = STOP.has(word) ? 'stop' : START.has(word) ? 'resume' : null;
  return kind ? { number: field('From'), kind, answer: word, message } : null;
}
